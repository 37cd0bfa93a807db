"""Scores texts with the encoder."""

import torch

import data as sets
from model import CHUNK_HEADS, TASKS, Encoder, head_name

BATCH = 64


def by_length(samples: list):
    """The indices of batches of samples of similar length."""
    order = sorted(range(len(samples)), key=lambda i: len(samples[i].ids))
    for start in range(0, len(order), BATCH):
        yield order[start : start + BATCH]


@torch.inference_mode()
def score(model: Encoder, samples: list, bf16: bool) -> dict:
    """{task: scores [samples, labels]}"""
    model.eval()
    scores = {task: torch.zeros(len(samples), len(labels)) for task, labels in TASKS.items()}
    for block in by_length(samples):
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            _, pooled = model.states(**sets.collate([samples[i] for i in block], model.frame))
            for task in TASKS:
                scores[task][block] = model.heads[head_name(task)](pooled).float()
    return scores


@torch.inference_mode()
def score_tokens(model: Encoder, samples: list, bf16: bool) -> dict:
    """{text: {head for noun chunks: scores [words, tags] in 16 bits}}"""
    model.eval()
    scores = {}
    for block in by_length(samples):
        batch = [samples[i] for i in block]
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            hidden, _ = model.states(**sets.collate(batch, model.frame))
        for sample, states in zip(batch, hidden):
            # Words after the cut are given the last state; training does not read them.
            firsts = [min(first + 1, len(states) - 1) for first in sample.first]
            scores[sample.text] = {name: model.tokens[name](states[firsts].float()).half() for name in CHUNK_HEADS}
    return scores
