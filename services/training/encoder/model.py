"""The encoder: one small BERT body, a head per task."""

import torch
from torch import nn
from transformers import BertModel

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
GOEMOTIONS = 28
SHAPES = 8


def head_name(task: str) -> str:
    return task.replace("-", "_")


class Encoder(nn.Module):
    def __init__(self, body: BertModel):
        super().__init__()
        self.body = body
        size = body.config.hidden_size
        self.heads = nn.ModuleDict({head_name(task): self._head(size, len(labels)) for task, labels in TASKS.items()})
        # Only for training: the 28 labels that sentiment-real was mapped from.
        self.goemotions = self._head(size, GOEMOTIONS)
        self.tokens = nn.ModuleDict({name: nn.Linear(size, count) for name, count in TOKEN_HEADS.items()})

    @staticmethod
    def _head(size: int, labels: int) -> nn.Module:
        return nn.Sequential(nn.Linear(2 * size, 192), nn.GELU(), nn.Dropout(0.1), nn.Linear(192, labels))

    def states(self, input_ids, attention_mask, token_type_ids):
        hidden = self.body(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        return hidden, torch.cat([hidden[:, 0], mean], 1)

    def forward(self, input_ids, attention_mask, token_type_ids):
        """Scores of every task for the texts, then of every token head for the pieces, in the order of the dictionaries above."""
        hidden, pooled = self.states(input_ids, attention_mask, token_type_ids)
        return tuple(self.heads[head_name(task)](pooled) for task in TASKS) + tuple(self.tokens[name](hidden) for name in TOKEN_HEADS)


def load_encoder(folder: str) -> Encoder:
    """Starts from all-MiniLM-L6-v2, its token types (which it does not use) spread to the shapes of tokens."""
    body = BertModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False, attention_probs_dropout_prob=0.0)
    old = body.embeddings.token_type_embeddings.weight.data
    shapes = nn.Embedding(SHAPES, old.shape[1])
    shapes.weight.data.copy_(old[:1].expand(SHAPES, -1))
    body.embeddings.token_type_embeddings = shapes
    body.config.type_vocab_size = SHAPES
    return Encoder(body)
