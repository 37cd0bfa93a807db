"""Fine-tunes a larger encoder on the classifications, and writes its scores for the small one to learn from.

    python teacher.py --data DIR --body DIR --out FILE

`--body` is a folder with all-mpnet-base-v2 (109 million parameters, Apache-2.0). Its lower half stays as it is, which halves the
time. One visit to some 60,000 texts, then the scores of some 40,000. Seeded.
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

from data import FOLDERS, read_rows
from model import TASKS, head_name

SAMPLES = {"sentiment-simple": 30_000, "sentiment-real": 16_000, "intention": 11_000, "spam-detection": 2_500}
SCORED = {"sentiment-simple": 30_000, "sentiment-real": 6_000, "intention": 4_000}
BATCH, PIECES_MAX, FROZEN_LAYERS = 32, 72, 6
RATE_BODY, RATE_HEADS = 4e-5, 1e-3
EMOJI = re.compile("[\u203c-\u3299\U0001f000-\U0001faff]")


def normalise(text: str) -> str:
    text = re.sub(r"https?://\S+|www\.\S+", " http ", html.unescape(text))
    text = EMOJI.sub(lambda match: f" {unicodedata.name(match[0], '').lower()} ", re.sub(r"@\w+", "@user", text))
    return re.sub(r"(.)\1{3,}", r"\1\1\1", text.replace("\ufe0f", "").replace("\u200d", ""))


class Teacher(nn.Module):
    def __init__(self, folder: str):
        super().__init__()
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(PIECES_MAX)
        self.body = AutoModel.from_pretrained(folder, attn_implementation="eager")
        size = 2 * self.body.config.hidden_size
        self.heads = nn.ModuleDict({head_name(task): self._head(size, len(labels)) for task, labels in TASKS.items()})

    @staticmethod
    def _head(size: int, labels: int) -> nn.Module:
        return nn.Sequential(nn.Linear(size, 256), nn.GELU(), nn.Dropout(0.1), nn.Linear(256, labels))

    def cut(self, texts: list) -> list:
        return [encoding.ids for encoding in self.tokenizer.encode_batch([normalise(text) for text in texts])]

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
            return {task: self.heads[head_name(task)](pooled).float() for task in TASKS}

    def freeze(self) -> None:
        still = ["embeddings", "relative_attention_bias", *(f"layer.{layer}." for layer in range(FROZEN_LAYERS))]
        for name, parameter in self.body.named_parameters():
            parameter.requires_grad_(not any(part in name for part in still))


def read_samples(data: str, rng) -> list:
    samples = []
    for task, count in SAMPLES.items():
        rows = read_rows(data, FOLDERS[task], "train")
        rng.shuffle(rows)
        # The rarest intention is kept whole.
        rows.sort(key=lambda row: row["label"] != "palinode")
        samples += [(row["text"], task, TASKS[task].index(row["label"])) for row in rows[:count]]
    rng.shuffle(samples)
    return samples


def class_weights(data: str) -> dict:
    weights = {}
    for task, labels in TASKS.items():
        found = [labels.index(row["label"]) for row in read_rows(data, FOLDERS[task], "train")]
        counts = torch.bincount(torch.tensor(found), minlength=len(labels)).float()
        weights[task] = (counts.mean() / counts).pow(0.6).clamp(max=4)
    return weights


def fine_tune(model: Teacher, data: str, samples: list, rng) -> None:
    weights = class_weights(data)
    cut = model.cut([text for text, _, _ in samples])
    blocks = []
    for start in range(0, len(samples), BATCH * 50):
        block = sorted(range(start, min(start + BATCH * 50, len(samples))), key=lambda i: len(cut[i]))
        blocks += [block[at : at + BATCH] for at in range(0, len(block), BATCH)]
    rng.shuffle(blocks)
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
        for task in TASKS:
            own = [row for row, i in enumerate(block) if samples[i][1] == task]
            if own:
                target = torch.tensor([samples[block[row]][2] for row in own])
                loss = loss + F.cross_entropy(scores[task][own], target, weight=weights[task], label_smoothing=0.05, reduction="sum")
        (loss / len(block)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        steps.step()
        schedule.step()
        steps.zero_grad(set_to_none=True)
        if step % 50 == 49:
            spent = time.time() - begun
            print(f"{step + 1}/{total} {(step + 1) * BATCH / spent:.0f} texts/s, {spent / (step + 1) * (total - step - 1):.0f} s left", flush=True)


@torch.inference_mode()
def score(model: Teacher, texts: list) -> dict:
    model.eval()
    cut = model.cut(texts)
    order = sorted(range(len(cut)), key=lambda i: -len(cut[i]))
    result = {task: torch.zeros(len(cut), len(labels)) for task, labels in TASKS.items()}
    for start in range(0, len(order), 64):
        block = order[start : start + 64]
        for task, scores in model([cut[i] for i in block]).items():
            result[task][block] = scores
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--body", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    rng = random.Random(7)
    torch.manual_seed(7)
    torch.set_num_threads(args.threads)
    model = Teacher(args.body)
    samples = read_samples(args.data, rng)
    learned = {text for text, _, _ in samples}
    fine_tune(model, args.data, samples, rng)
    for task, labels in TASKS.items():
        rows = read_rows(args.data, FOLDERS[task], "dev")
        found, wanted = score(model, [row["text"] for row in rows])[task].argmax(1).tolist(), [labels.index(row["label"]) for row in rows]
        right = sum(a == b for a, b in zip(found, wanted)) / len(wanted)
        print(f"dev {task}: accuracy {right:.4f} macro-F1 {f1_score(wanted, found, average='macro'):.4f}", flush=True)
    texts: dict = {}
    for task, count in SCORED.items():
        texts.update(dict.fromkeys(fresh_first(args.data, task, learned)[:count]))
    torch.save({"texts": list(texts), "scores": score(model, list(texts))}, args.out)


def fresh_first(data: str, task: str, learned: set) -> list:
    """The texts of a task, those that the teacher has not learned from at the beginning: of the others it is too sure."""
    texts = [row["text"] for row in read_rows(data, FOLDERS[task], "train")]
    random.Random(3).shuffle(texts)
    return sorted(texts, key=lambda text: text in learned)


if __name__ == "__main__":
    main()
