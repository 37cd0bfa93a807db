"""Fine-tunes a larger encoder on the classifications, and writes its scores for the small one to learn from.

    python teacher.py --data DIR --body DIR --out FILE --lower DIR [--seed N]

`--body` is what bge.py made of bge-small-en-v1.5. Its lowest layers stay as they are, which saves time. Some 209,000 visits, then
the scores of 137,000 texts. Seeded; needs a processor with AVX-512 BF16 or AMX. The weights are kept in FILE.weights, and the
lowest layers in the folder `--lower`, from which the encoder starts.
"""

import argparse
import html
import random
import re
import time
import unicodedata

import torch
import torch.nn.functional as F
from sklearn.metrics import f1_score
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoModel

from data import EMOTIONS, FOLDERS, MULTILINGUAL, TRUST, letters, read_held_out, read_rows, read_written
from model import TASKS, head_name

# Visits to each text. Spam is not taught: there the teacher is no better than the student.
PASSES = {"sentiment-simple": 2.0, "sentiment-real": 1.3, "intention": 1.3}
PASSES_WRITTEN = 3.0
# The other tasks only make it a better encoder: in them it has seen too few rows to teach the small one.
TEACHES = "sentiment-simple"
TAUGHT = {task: TASKS[task] for task in PASSES}
BATCH, PIECES_MAX, FROZEN_LAYERS = 48, 72, 2
RATE_BODY, RATE_HEADS = 1e-4, 1e-3
# Layers of the encoder: as many as read 300 posts a second on two cores with all six analyses.
LOWER_LAYERS = 9
EMOJI = re.compile("[\u203c-\u3299\U0001f000-\U0001faff]")


def normalize(text: str) -> str:
    text = re.sub(r"https?://\S+|www\.\S+", " http ", html.unescape(text))
    text = EMOJI.sub(lambda match: f" {unicodedata.name(match[0], '').lower()} ", re.sub(r"@\w+", "@user", text))
    return re.sub(r"(.)\1{3,}", r"\1\1\1", text.replace("\ufe0f", "").replace("\u200d", ""))


class Teacher(nn.Module):
    def __init__(self, folder: str):
        super().__init__()
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(PIECES_MAX)
        # Without dropout: texts are seen twice at most.
        self.body = AutoModel.from_pretrained(folder, attn_implementation="eager", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        size = 2 * self.body.config.hidden_size
        self.heads = nn.ModuleDict({head_name(task): self._head(size, len(labels)) for task, labels in TAUGHT.items()})

    @staticmethod
    def _head(size: int, labels: int) -> nn.Module:
        return nn.Sequential(nn.Linear(size, 256), nn.GELU(), nn.Dropout(0.1), nn.Linear(256, labels))

    def cut(self, texts: list) -> list:
        return [encoding.ids for encoding in self.tokenizer.encode_batch([normalize(text) for text in texts])]

    def forward(self, cut: list):
        ids = torch.full((len(cut), max(map(len, cut))), self.body.config.pad_token_id)
        mask = torch.zeros_like(ids)
        for row, pieces in enumerate(cut):
            ids[row, : len(pieces)] = torch.tensor(pieces)
            mask[row, : len(pieces)] = 1
        with torch.autocast("cpu", torch.bfloat16):
            hidden = self.body(ids, attention_mask=mask).last_hidden_state.float()
            seen = mask.unsqueeze(-1).float()
            pooled = torch.cat([hidden[:, 0], (hidden * seen).sum(1) / seen.sum(1)], 1)
            return {task: self.heads[head_name(task)](pooled).float() for task in TAUGHT}

    def freeze(self) -> None:
        still = ["embeddings", "relative_attention_bias", *(f"layer.{layer}." for layer in range(FROZEN_LAYERS))]
        for name, parameter in self.body.named_parameters():
            parameter.requires_grad_(not any(part in name for part in still))


def read_taught(data: str, samples: dict, held_out: set) -> list:
    """The texts to score: those that state a label of TEACHES, and then those that the teacher has not seen with one."""
    rows = [row for name in ("sentiment-real", "intention", EMOTIONS) for row in read_rows(data, name, "train")]
    rows += [row for row in read_rows(data, MULTILINGUAL, "train") if row["lang"] == "en"]
    seen = [text for text, labels in samples.items() if TEACHES in labels]
    return list(dict.fromkeys(seen + [row["text"] for row in rows if letters(row["text"]) not in held_out]))


def read_samples(data: str, held_out: set) -> dict:
    """{text: {task: (label, trust)}} of every training text; those whose letters are held out are left out."""
    samples: dict = {}
    for task, labels in TAUGHT.items():
        for row in read_rows(data, FOLDERS[task], "train"):
            if letters(row["text"]) not in held_out:
                samples.setdefault(row["text"], {})[task] = (labels.index(row["label"]), TRUST[row.get("quality")])
    for name, stated, text in read_written():
        if name.startswith("en-") and letters(text) not in held_out:
            known = {task: (TAUGHT[task].index(label), 1.0) for task, label in stated.items() if task in TAUGHT and label != "."}
            if known:
                samples.setdefault(text, {}).update(known)
    return samples


def visits(samples: dict, rng) -> list:
    """Texts in the order of training, broken numbers of visits drawn; no text twice in the same part."""
    written = {text for _, _, text in read_written()}
    wanted = {text: PASSES_WRITTEN if text in written else max(PASSES[task] for task in labels) for text, labels in samples.items()}
    plan = []
    for round_number in range(int(max(wanted.values())) + 1):
        part = [text for text, count in wanted.items() if rng.random() < count - round_number]
        rng.shuffle(part)
        plan += part
    return plan


def class_weights(samples: dict) -> dict:
    weights = {}
    for task, labels in TAUGHT.items():
        found = [known[task][0] for known in samples.values() if task in known]
        counts = torch.bincount(torch.tensor(found), minlength=len(labels)).float()
        weights[task] = (counts.mean() / counts).pow(0.6).clamp(max=4)
    return weights


def fine_tune(model: Teacher, samples: dict, rng, out: str) -> None:
    weights = class_weights(samples)
    plan = visits(samples, rng)
    cut = model.cut(plan)
    blocks = []
    for start in range(0, len(plan), BATCH * 50):
        block = sorted(range(start, min(start + BATCH * 50, len(plan))), key=lambda i: len(cut[i]))
        part = [block[at : at + BATCH] for at in range(0, len(block), BATCH)]
        rng.shuffle(part)
        blocks += part
    model.freeze()
    body = [p for p in model.body.parameters() if p.requires_grad]
    groups = [{"params": body, "lr": RATE_BODY}, {"params": list(model.heads.parameters()), "lr": RATE_HEADS}]
    steps = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    warm, total = 0.06 * len(blocks), len(blocks)
    schedule = torch.optim.lr_scheduler.LambdaLR(steps, lambda s: min(1, (s + 1) / warm) * max(0, (total - s) / total))
    begun = time.time()
    model.train()
    for step, block in enumerate(blocks):
        scores = model([cut[i] for i in block])
        loss = 0.0
        for task in TAUGHT:
            own = [(row, *samples[plan[i]][task]) for row, i in enumerate(block) if task in samples[plan[i]]]
            if own:
                rows, target, trust = zip(*own)
                each = F.cross_entropy(scores[task][list(rows)], torch.tensor(target), weight=weights[task], label_smoothing=0.05, reduction="none")
                loss = loss + (each * torch.tensor(trust)).sum()
        (loss / len(block)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        steps.step()
        schedule.step()
        steps.zero_grad(set_to_none=True)
        if step % 50 == 49:
            spent = time.time() - begun
            print(f"{step + 1}/{total} {(step + 1) * BATCH / spent:.0f} texts/s, {spent / (step + 1) * (total - step - 1):.0f} s left", flush=True)
        if step % 500 == 499:
            torch.save(model.state_dict(), f"{out}.weights")


@torch.inference_mode()
def score(model: Teacher, texts: list) -> dict:
    model.eval()
    cut = model.cut(texts)
    order = sorted(range(len(cut)), key=lambda i: -len(cut[i]))
    result = {task: torch.zeros(len(cut), len(labels)) for task, labels in TAUGHT.items()}
    for start in range(0, len(order), 128):
        block = order[start : start + 128]
        for task, scores in model([cut[i] for i in block]).items():
            result[task][block] = scores
    return result


def save_lower_layers(model: Teacher, folder: str) -> None:
    model.body.encoder.layer = model.body.encoder.layer[:LOWER_LAYERS]
    model.body.config.num_hidden_layers = LOWER_LAYERS
    model.body.save_pretrained(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--body", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--lower", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    model = Teacher(args.body)
    held_out = read_held_out(args.data)
    samples = read_samples(args.data, held_out)
    fine_tune(model, samples, rng, args.out)
    torch.save(model.state_dict(), f"{args.out}.weights")
    for task, labels in TAUGHT.items():
        rows = read_rows(args.data, FOLDERS[task], "dev")
        found, wanted = score(model, [row["text"] for row in rows])[task].argmax(1).tolist(), [labels.index(row["label"]) for row in rows]
        right = sum(a == b for a, b in zip(found, wanted)) / len(wanted)
        print(f"dev {task}: accuracy {right:.4f} macro-F1 {f1_score(wanted, found, average='macro'):.4f}", flush=True)
    texts = read_taught(args.data, samples, held_out)
    torch.save({"texts": texts, "scores": {TEACHES: score(model, texts)[TEACHES]}}, args.out)
    save_lower_layers(model, args.lower)


if __name__ == "__main__":
    main()
