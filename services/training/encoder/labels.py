"""Trains the upper layers of a finished encoder on the classifications again, and leaves those below as they are.

    python labels.py --rows FILE --folder FOLDER --layer N --layers K --work DIR [--tags NAME …] [--epochs E]

`rows` as label-rows.ts writes them; `layer` is the encoder's layer whose output the new layers read, counted from 0.
That output is computed once and kept in the folder `work`, 3 GB for 150,000 texts. What a text teaches an analysis is
its label, and beside it, as far as `HOLD` says, what the encoder gave before; rows written for training teach their label
alone, because they are of the kinds that it gets wrong. In analyses without a label it teaches what the encoder gave, so
that nothing it knows is lost; likewise the heads of `--tags`. The weights are the moving average of those of all steps.
Writes model.onnx (see graft.py), and its checksum into model.json; the temperatures and the biases are calibrate.ts's.
Seeded; half an hour on two cores for each encoder.
"""

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from graft import CARD, WEIGHTS, graft, layer_output, save
from model import CHUNK_HEADS, TASKS, TOKEN_HEADS
from states import Texts, read_texts
from upper_layers import OUTPUTS, UpperLayers, onnx_of, optimize, start_from, start_heads

PART = "labels"
RATE_LAYERS, RATE_HEADS, CLIP, AVERAGE = 1.6e-4, 8e-4, 1.0, 0.998
HOLD, TEACH, TEACH_TAGS = 0.2, 0.2, 0.5
SMOOTHING = {"sentiment-simple": 0.1, "sentiment-real": 0.1, "intention": 0.05, "spam-detection": 0.05}
# 0 leaves labels as frequent as they are, 1 gives all the same total weight; none counts more than so many times the mean.
CLASS_POWER = {"sentiment-simple": 0.3, "sentiment-real": 0.4, "intention": 0.5, "spam-detection": 0.5}
CLASS_WEIGHT_MAX = 4
# Visits to a text in each epoch, by the analysis that asks for most of them: those written for the errors of today, for
# codes and notices, and least for texts that nobody labeled.
VISITS = {"sentiment-simple": 0.6, "sentiment-real": 0.7, "intention": 0.7, "spam-detection": 1.0}
VISITS_HARD, VISITS_TRUST, VISITS_UNLABELED, UNLABELED = 3.0, 2.0, 0.6, 0.5
CALIBRATION = 300


@dataclass
class Lessons:
    """What every text teaches an analysis: probabilities of its labels, and their weight."""

    shares: torch.Tensor
    weights: torch.Tensor


def lessons_of(texts: Texts, task: str) -> Lessons:
    labels, given = TASKS[task], [row["lessons"].get(task) for row in texts.rows]
    own = torch.from_numpy(np.asarray(texts.outputs[OUTPUTS[task]], np.float32)).softmax(1).numpy()
    labeled = np.array([lesson is not None for lesson in given])
    shares = np.array([[(lesson or {"shares": {}})["shares"].get(label, 0) for label in labels] for lesson in given], np.float32)
    shares = shares * (1 - SMOOTHING[task]) + SMOOTHING[task] / len(labels)
    written = np.array([lesson is not None and lesson["written"] for lesson in given])
    hold = np.where(labeled, np.where(written, 0, HOLD), 1)[:, None].astype(np.float32)
    weights = np.array([0 if lesson is None else trust(lesson) for lesson in given], np.float64)
    found = shares.argmax(1)
    totals = np.array([weights[found == label].sum() for label in range(len(labels))]) + 1e-6
    weights *= np.minimum((totals.mean() / totals) ** CLASS_POWER[task], CLASS_WEIGHT_MAX)[found]
    weights = np.where(labeled, weights / weights[labeled].mean(), TEACH).astype(np.float32)
    return Lessons(torch.from_numpy((1 - hold) * shares + hold * own), torch.from_numpy(weights))


def trust(lesson: dict) -> float:
    """Written rows of great weight are visited more often instead."""
    return min(lesson["weight"], 1) if lesson["written"] else lesson["weight"]


def visits(row: dict) -> float:
    return max(visits_for(task, lesson) for task, lesson in row["lessons"].items())


def visits_for(task: str, lesson: dict) -> float:
    wanted = max(VISITS[task], 1 if lesson["written"] else 0)
    if lesson["weight"] > 1:
        return VISITS_HARD if lesson["written"] else wanted * min(VISITS_TRUST, lesson["weight"])
    return wanted * (VISITS_UNLABELED if lesson["weight"] < UNLABELED else 1)


def loss_of(network: UpperLayers, texts: Texts, lessons: dict, chosen: list):
    states, mask = texts.batch(chosen)
    with torch.autocast("cpu", torch.bfloat16):
        read = network(states, mask)
        scores = network.task_scores(read, mask)
        inner = read[mask.bool()]
        tags = {name: head(inner) for name, head in network.tags.items()}
    total = 0
    for task, lesson in lessons.items():
        logs = F.log_softmax(scores[OUTPUTS[task]].float(), 1)
        total = total - ((lesson.shares[chosen] * logs).sum(1) * lesson.weights[chosen]).mean()
    for name, given in tags.items():
        own = np.concatenate([texts.outputs[name][texts.pieces(i)] for i in chosen]).astype(np.float32)
        total = total - TEACH_TAGS * (torch.from_numpy(own).softmax(1) * F.log_softmax(given.float(), 1)).sum(1).mean()
    return total


def train(args, texts: Texts) -> UpperLayers:
    rng = random.Random(args.seed)
    torch.manual_seed(args.seed)
    network = UpperLayers(args.layers, {name: TOKEN_HEADS[name] for name in args.tags}, list(OUTPUTS))
    start_from(network, Path(args.folder) / WEIGHTS, args.layer + 1, PART)
    start_heads(network, Path(args.folder) / WEIGHTS)
    lessons = {task: lessons_of(texts, task) for task in OUTPUTS}
    train_rows = [(i, visits(row)) for i, row in enumerate(texts.rows) if row["part"] == "train"]
    batches = texts.plan(train_rows, args.epochs, rng)
    average = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(AVERAGE))
    rates, follow = (RATE_LAYERS, RATE_HEADS), lambda: average.update_parameters(network)
    optimize(network, batches, lambda chosen: loss_of(network, texts, lessons, chosen), rates, CLIP, follow)
    return average.module


def main(args) -> None:
    folder = Path(args.folder)
    texts = read_texts(args.rows, folder, args.layer, Path(args.work), [*OUTPUTS.values(), *args.tags])
    trained = train(args, texts)
    part = onnx_of(trained, args.layer + 1, texts.some_states(CALIBRATION, random.Random(args.seed)))
    network = onnx.load(str(folder / WEIGHTS))
    graft(network, part, PART, layer_output(network, args.layer))
    save(network, folder, json.loads((folder / CARD).read_text()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--work", required=True, help="a folder for the states, to train again without computing them")
    parser.add_argument("--layer", type=int, required=True)
    parser.add_argument("--layers", type=int, required=True, help="number of new layers")
    parser.add_argument("--tags", nargs="*", choices=CHUNK_HEADS, default=[], help="heads of pieces that the new layers give as well")
    parser.add_argument("--epochs", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    main(parser.parse_args())
