"""Trains a network for tags over an inner value of a finished encoder, grafts it in, and leaves the rest as it is.

    python tags.py --rows FILE --folder FOLDER --layer N --heads NAME … --work DIR [--epochs E]

`rows` as tag-rows.ts writes them; `layer` is the encoder's layer whose output the network reads, counted from 0. That
output is computed once and kept in the folder `work`, some 2 GB for 80,000 sentences. Names are taught by their labels
where they have some, and where those leave several tags possible, or none, by what the encoder gave before. Writes
model.onnx (see graft.py), and its checksum and the sizes of the heads into model.json. Seeded; 30 minutes on two cores for
all languages, 10 for English.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F

from graft import CARD, WEIGHTS, graft, layer_output, save
from model import ENTITY_TAGS
from states import Texts, read_texts
from upper_layers import TAGS, UpperLayers, onnx_of, optimize, start_from

PART = "tags"
RATE_LAYERS, RATE_HEADS, CLIP = 1.5e-4, 1e-3, 5.0
SMOOTHING = 0.02
# Weights of the encoder's own tags where nothing is labeled, and where the labels leave several possible.
TEACH, CHOOSE = 0.3, 0.2
# Languages with fewer sentences are visited more often, English, which the other encoder reads, less, and rare types twice as often.
SENTENCES, VISITS_MAX, VISITS_ENGLISH = 2500, 2.5, 0.2
RARE = {ENTITY_TAGS.index(f"B-{name}") for name in ("PRODUCT", "EVENT", "WORK_OF_ART", "LAW")}
CALIBRATION = 300


def tokens(sentences: Texts, chosen: list) -> list:
    """(place in the batch, piece, row, token) of every token whose first piece is read."""
    found = []
    for at, i in enumerate(chosen):
        firsts = enumerate(sentences.rows[i]["firsts"])
        found += [(at, first + 1, i, token) for token, first in firsts if first + 1 < sentences.size(i) - 1]
    return found


def visits(row: dict, counts: dict, several: bool) -> float:
    named = "entity" in row
    wanted = 1.0 if named else min(VISITS_MAX, max(1.0, SENTENCES / counts[row["language"]]))
    if several and row["language"] == "en":
        wanted = VISITS_ENGLISH
    return wanted * (2 if named and any(len(tags) <= 2 and tags[0] in RARE for tags in row["entity"]) else 1)


def plan(sentences: Texts, epochs: float, rng) -> list:
    train = [i for i, row in enumerate(sentences.rows) if row["part"] == "train"]
    counts: dict = {}
    for i in train:
        if "pos" in sentences.rows[i]:
            counts[sentences.rows[i]["language"]] = counts.get(sentences.rows[i]["language"], 0) + 1
    return sentences.plan([(i, visits(sentences.rows[i], counts, len(counts) > 1)) for i in train], epochs, rng)


def loss_of(network: UpperLayers, sentences: Texts, chosen: list):
    states, mask = sentences.batch(chosen)
    firsts = tokens(sentences, chosen)
    places, pieces, _, _ = zip(*firsts)
    with torch.autocast("cpu", torch.bfloat16):
        read = network(states, mask)[list(places), list(pieces)]
        scores = {name: head(read) for name, head in network.tags.items()}
    total = 0
    for name, given in scores.items():
        logs = F.log_softmax(given.float(), 1)
        if name == "entity":
            total = total + entity_loss(logs, sentences, firsts)
            continue
        wanted = torch.tensor([sentences.rows[i][name][token] if name in sentences.rows[i] else -1 for _, _, i, token in firsts])
        if (wanted >= 0).any():
            total = total + F.cross_entropy(logs, wanted, ignore_index=-1, reduction="sum", label_smoothing=SMOOTHING)
    return total / len(chosen)


def entity_loss(logs, sentences: Texts, firsts: list):
    own = sentences.outputs["entity"][[sentences.starts[i] + piece for _, piece, i, _ in firsts]].astype(np.float32)
    teacher = torch.from_numpy(own).softmax(1)
    labeled = torch.tensor(["entity" in sentences.rows[i] for _, _, i, _ in firsts])
    possible = torch.ones_like(logs, dtype=torch.bool)
    for at, (_, _, i, token) in enumerate(firsts):
        if labeled[at]:
            possible[at] = False
            possible[at, sentences.rows[i]["entity"][token]] = True
    right = -logs.masked_fill(~possible, float("-inf")).logsumexp(1)
    among = teacher * possible
    choice = -(among / among.sum(1, keepdim=True).clamp(min=1e-6) * logs).sum(1)
    by_label = right + torch.where(possible.sum(1) > 1, CHOOSE * choice, torch.zeros(()))
    return torch.where(labeled, by_label, TEACH * -(teacher * logs).sum(1)).sum()


def train(args, sentences: Texts) -> UpperLayers:
    rng = random.Random(args.seed)
    torch.manual_seed(args.seed)
    network = UpperLayers(args.layers, {head: TAGS[head] for head in args.heads}, [])
    start_from(network, Path(args.folder) / WEIGHTS, args.layer + 1, PART)
    batches = plan(sentences, args.epochs, rng)
    optimize(network, batches, lambda chosen: loss_of(network, sentences, chosen), (RATE_LAYERS, RATE_HEADS), CLIP)
    return network


def main(args) -> None:
    folder = Path(args.folder)
    sentences = read_texts(args.rows, folder, args.layer, Path(args.work), ["entity"])
    trained = train(args, sentences)
    part = onnx_of(trained, args.layer + 1, sentences.some_states(CALIBRATION, random.Random(args.seed)))
    network = onnx.load(str(folder / WEIGHTS))
    graft(network, part, PART, layer_output(network, args.layer))
    card = json.loads((folder / CARD).read_text())
    card["tags"] |= {head: TAGS[head] for head in args.heads if head not in ("entity", "pos")}
    save(network, folder, card)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--work", required=True, help="a folder for the states, to train again without computing them")
    parser.add_argument("--layer", type=int, required=True)
    parser.add_argument("--layers", type=int, default=3, help="of the network")
    parser.add_argument("--heads", nargs="+", choices=list(TAGS), required=True)
    parser.add_argument("--epochs", type=float, default=2.5)
    parser.add_argument("--seed", type=int, default=1)
    main(parser.parse_args())
