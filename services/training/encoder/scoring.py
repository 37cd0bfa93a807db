"""Scores texts with the encoder."""

import torch

import data as sets
from model import TASKS, Encoder, head_name

BATCH = 64


@torch.inference_mode()
def score(model: Encoder, samples: list, bf16: bool) -> dict:
    """{task: scores [samples, labels]}"""
    model.eval()
    scores = {task: torch.zeros(len(samples), len(labels)) for task, labels in TASKS.items()}
    order = sorted(range(len(samples)), key=lambda i: len(samples[i].ids))
    for start in range(0, len(order), BATCH):
        block = order[start : start + BATCH]
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            _, pooled = model.states(**sets.collate([samples[i] for i in block], model.frame))
            for task in TASKS:
                scores[task][block] = model.heads[head_name(task)](pooled).float()
    return scores
