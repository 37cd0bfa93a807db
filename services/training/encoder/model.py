"""The encoder: one small BERT body, a head per task."""

from pathlib import Path

import torch
from torch import nn
from transformers import BertConfig, BertModel

TASKS = {
    "sentiment-simple": ["negative", "neutral", "positive"],
    "sentiment-real": [
        "acceptance", "acceptance_self", "anger", "annoyance", "anxiety", "calmness", "contentment", "disgust", "disgust_self", "dislike",
        "dislike_self", "eagerness", "fear", "joy", "melancholy", "pleasantness", "pleasantness_self", "responsiveness", "sadness", "serenity",
    ],
    "intention": ["assertion", "contrition", "forecast", "inducement", "none", "palinode", "proposal", "valuation", "wish"],
    "spam-detection": ["ham", "spam"],
}
ENTITY_CLASSES = ["PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"]
ENTITY_TAGS = ["O"] + [f"{mark}-{name}" for name in ENTITY_CLASSES for mark in "BI"]
POS_TAGS = ["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"]
TOKEN_HEADS = {"entity": len(ENTITY_TAGS), "pos": len(POS_TAGS), "left": 8, "right": 4}
CHUNK_HEADS = ("pos", "left", "right")
# Ids of the pieces at both ends: [CLS] and [SEP], <s> and </s>.
FRAME_ENGLISH, FRAME_MULTILINGUAL = (101, 102), (0, 2)
GOEMOTIONS = 28
SHAPES = 8


def head_name(task: str) -> str:
    return task.replace("-", "_")


class Encoder(nn.Module):
    def __init__(self, body: BertModel, frame: tuple):
        super().__init__()
        self.body = body
        # The ids of the pieces at both ends.
        self.frame = frame
        # The embeddings as they were packed (see e5.py), which need not be packed again; None if they were not.
        self.packed_words = None
        # How many of the lowest layers stay as they are; their output for a text can be kept.
        self.frozen = 0
        size = body.config.hidden_size
        self.heads = nn.ModuleDict({head_name(task): self._head(size, len(labels)) for task, labels in TASKS.items()})
        # Only for training: the 28 labels that sentiment-real was mapped from.
        self.goemotions = self._head(size, GOEMOTIONS)
        self.tokens = nn.ModuleDict({name: nn.Linear(size, count) for name, count in TOKEN_HEADS.items()})

    @staticmethod
    def _head(size: int, labels: int) -> nn.Module:
        return nn.Sequential(nn.Linear(2 * size, 192), nn.GELU(), nn.Dropout(0.1), nn.Linear(192, labels))

    def freeze(self, layers: int) -> None:
        self.frozen = layers
        for part in (self.body.embeddings, *self.body.encoder.layer[:layers]):
            part.requires_grad_(False)

    def lower(self, input_ids, attention_mask, token_type_ids):
        """What leaves the frozen layers."""
        hidden = self.body.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        return self._layers(hidden, attention_mask, self.body.encoder.layer[: self.frozen])

    def upper(self, hidden, attention_mask):
        """The state of every piece, and the first and the mean state of the text."""
        hidden = self._layers(hidden, attention_mask, self.body.encoder.layer[self.frozen :])
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        return hidden, torch.cat([hidden[:, 0], (hidden * mask).sum(1) / mask.sum(1)], 1)

    @staticmethod
    def _layers(hidden, attention_mask, layers):
        blocked = (1 - attention_mask[:, None, None, :].to(hidden.dtype)) * torch.finfo(hidden.dtype).min
        for layer in layers:
            hidden = layer(hidden, blocked)
        return hidden

    def states(self, input_ids, attention_mask, token_type_ids):
        return self.upper(self.lower(input_ids, attention_mask, token_type_ids), attention_mask)

    def forward(self, input_ids, attention_mask, token_type_ids):
        """Scores of every task for the texts, then of every token head for the pieces, in the order of the dictionaries above."""
        hidden, pooled = self.states(input_ids, attention_mask, token_type_ids)
        return tuple(self.heads[head_name(task)](pooled) for task in TASKS) + tuple(self.tokens[name](hidden) for name in TOKEN_HEADS)


def load_encoder(folder: str) -> Encoder:
    """
    Starts from a BERT body, or, if the folder has a body.pt of e5.py, from multilingual-e5-small. Their token types
    (which they do not use) are spread to the shapes of tokens.
    """
    packed = Path(folder) / "body.pt"
    words = None
    if packed.exists():
        (body, words), frame = read_multilingual(packed), FRAME_MULTILINGUAL
    else:
        body, frame = BertModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False, attention_probs_dropout_prob=0.0), FRAME_ENGLISH
    old = body.embeddings.token_type_embeddings.weight.data
    shapes = nn.Embedding(SHAPES, old.shape[1])
    shapes.weight.data.copy_(old[:1].expand(SHAPES, -1))
    body.embeddings.token_type_embeddings = shapes
    body.config.type_vocab_size = SHAPES
    encoder = Encoder(body, frame)
    encoder.packed_words = words
    return encoder


def read_multilingual(file: Path) -> tuple:
    packed = torch.load(file)
    config = BertConfig(**packed["config"])
    config.attention_probs_dropout_prob = 0.0
    config._attn_implementation = "sdpa"
    body = BertModel(config, add_pooling_layer=False)
    body.load_state_dict(packed["state"])
    return body, packed["words"].numpy()
