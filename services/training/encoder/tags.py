"""Trains the network for tags of a finished encoder, which lies beside it, and leaves the encoder as it is.

    python tags.py --rows FILE --folder FOLDER --layer N --heads NAME … --work DIR [--epochs E]

`rows` as tag-rows.ts writes them; `layer` is the encoder's layer whose output the network reads, counted from 0. That
output is computed once and kept in the folder `work`, some 2 GB for 80,000 sentences. Names are taught by their labels
where they have some, and where those leave several tags possible, or none, by the encoder's own. Writes `tags.onnx`, and
its checksum and what it replaces into model.json. Seeded; 30 minutes on two cores for all languages, 10 for English.
"""

import argparse
import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn.functional as F
from torch import nn

from head import FRAMES, PIECES_MAX, feed_of, read_rows
from model import ENTITY_TAGS
from tag_layers import HEADS, SIZE, TagNetwork, start_from, write

FILE = "tags.onnx"
BATCH, BLOCK = 64, 40
RATE_LAYERS, RATE_HEADS, WARM = 1.5e-4, 1e-3, 0.04
SMOOTHING = 0.02
# Weights of the encoder's own tags where nothing is labeled, and where the labels leave several possible.
TEACH, CHOOSE = 0.3, 0.2
# Languages with fewer sentences are visited more often, English, which the other encoder reads, less, and rare types twice as often.
SENTENCES, VISITS_MAX, VISITS_ENGLISH = 2500, 2.5, 0.2
RARE = {ENTITY_TAGS.index(f"B-{name}") for name in ("PRODUCT", "EVENT", "WORK_OF_ART", "LAW")}
CALIBRATION = 300


@dataclass
class Sentences:
    """The rows, and the states and the encoder's entity scores of their pieces, one row after the other."""

    rows: list
    starts: np.ndarray
    states: np.ndarray
    scores: np.ndarray

    def pieces(self, row: int) -> slice:
        return slice(self.starts[row], self.starts[row + 1])

    def batch(self, chosen: list) -> tuple:
        width = max(self.starts[i + 1] - self.starts[i] for i in chosen)
        states, mask = np.zeros((len(chosen), width, SIZE), np.float32), np.zeros((len(chosen), width), np.float32)
        for at, i in enumerate(chosen):
            own = self.states[self.pieces(i)]
            states[at, : len(own)], mask[at, : len(own)] = own, 1
        return torch.from_numpy(states), torch.from_numpy(mask)

    def tokens(self, chosen: list) -> list:
        """(place in the batch, piece, row, token) of every token whose first piece is read."""
        found = []
        for at, i in enumerate(chosen):
            size = self.starts[i + 1] - self.starts[i]
            found += [(at, first + 1, i, token) for token, first in enumerate(self.rows[i]["firsts"]) if first + 1 < size - 1]
        return found


def read_sentences(args) -> Sentences:
    """Computes what is not in the work folder yet; delete the folder when rows or encoder change."""
    rows = read_rows(args.rows)
    sizes = [min(len(row["ids"]) + 2, PIECES_MAX) for row in rows]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    files = [Path(args.work) / name for name in ("states.npy", "scores.npy")]
    if not all(file.exists() for file in files):
        Path(args.work).mkdir(parents=True, exist_ok=True)
        compute(Path(args.folder), args.layer, rows, starts, files)
    states, scores = (np.load(file, mmap_mode="r") for file in files)
    return Sentences(rows, starts, states, scores)


def layer_output(network, layer: int) -> str:
    return next(node.output[0] for node in network.graph.node if f"layer{layer}_gamma" in node.input)


def compute(folder: Path, layer: int, rows: list, starts: np.ndarray, files: list) -> None:
    network = onnx.load(str(folder / "model.onnx"))
    names = [layer_output(network, layer), "entity"]
    network.graph.output.append(onnx.helper.make_tensor_value_info(names[0], onnx.TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = onnxruntime.InferenceSession(network.SerializeToString(), options, providers=["CPUExecutionProvider"])
    shapes = [(int(starts[-1]), SIZE), (int(starts[-1]), HEADS["entity"])]
    kept = [np.lib.format.open_memmap(file, "w+", np.float16, shape) for file, shape in zip(files, shapes)]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["ids"]))
    for at in range(0, len(order), 32):
        block = order[at : at + 32]
        values = session.run(names, feed_of([rows[i] for i in block], FRAMES[folder.name]))
        for row, i in enumerate(block):
            for own, value in zip(kept, values):
                own[starts[i] : starts[i + 1]] = value[row, : starts[i + 1] - starts[i]]


def visits(row: dict, counts: dict, several: bool) -> float:
    named = "entity" in row
    wanted = 1.0 if named else min(VISITS_MAX, max(1.0, SENTENCES / counts[row["language"]]))
    if several and row["language"] == "en":
        wanted = VISITS_ENGLISH
    return wanted * (2 if named and any(len(tags) <= 2 and tags[0] in RARE for tags in row["entity"]) else 1)


def plan(sentences: Sentences, epochs: float, rng) -> list:
    """Batches of rows of similar length; broken numbers of visits are drawn."""
    train = [i for i, row in enumerate(sentences.rows) if row["part"] == "train"]
    counts: dict = {}
    for i in train:
        if "pos" in sentences.rows[i]:
            counts[sentences.rows[i]["language"]] = counts.get(sentences.rows[i]["language"], 0) + 1
    batches, per_epoch = [], None
    while per_epoch is None or len(batches) < per_epoch * epochs:
        chosen = [i for i in train for _ in range(int(visits(sentences.rows[i], counts, len(counts) > 1) + rng.random()))]
        rng.shuffle(chosen)
        own = []
        for start in range(0, len(chosen), BATCH * BLOCK):
            block = sorted(chosen[start : start + BATCH * BLOCK], key=lambda i: len(sentences.rows[i]["ids"]))
            own += [block[at : at + BATCH] for at in range(0, len(block), BATCH)]
        rng.shuffle(own)
        per_epoch = per_epoch or len(own)
        batches += own
    return batches[: int(per_epoch * epochs)]


def loss_of(network: TagNetwork, sentences: Sentences, chosen: list):
    states, mask = sentences.batch(chosen)
    tokens = sentences.tokens(chosen)
    places, pieces, _, _ = zip(*tokens)
    with torch.autocast("cpu", torch.bfloat16):
        read = network(states, mask)[list(places), list(pieces)]
        scores = {name: head(read) for name, head in network.heads.items()}
    total = 0
    for name, given in scores.items():
        logs = F.log_softmax(given.float(), 1)
        if name == "entity":
            total = total + entity_loss(logs, sentences, tokens)
            continue
        wanted = torch.tensor([sentences.rows[i][name][token] if name in sentences.rows[i] else -1 for _, _, i, token in tokens])
        if (wanted >= 0).any():
            total = total + F.cross_entropy(logs, wanted, ignore_index=-1, reduction="sum", label_smoothing=SMOOTHING)
    return total / len(chosen)


def entity_loss(logs, sentences: Sentences, tokens: list):
    own = np.stack([sentences.scores[sentences.starts[i] + piece] for _, piece, i, _ in tokens]).astype(np.float32)
    teacher = torch.from_numpy(own).softmax(1)
    labeled = torch.tensor(["entity" in sentences.rows[i] for _, _, i, _ in tokens])
    possible = torch.ones_like(logs, dtype=torch.bool)
    for at, (_, _, i, token) in enumerate(tokens):
        if labeled[at]:
            possible[at] = False
            possible[at, sentences.rows[i]["entity"][token]] = True
    right = -logs.masked_fill(~possible, float("-inf")).logsumexp(1)
    among = teacher * possible
    choice = -(among / among.sum(1, keepdim=True).clamp(min=1e-6) * logs).sum(1)
    by_label = right + torch.where(possible.sum(1) > 1, CHOOSE * choice, torch.zeros(()))
    return torch.where(labeled, by_label, TEACH * -(teacher * logs).sum(1)).sum()


def train(args, sentences: Sentences) -> TagNetwork:
    rng = random.Random(args.seed)
    torch.manual_seed(args.seed)
    network = TagNetwork(args.layers, args.heads)
    start_from(network, Path(args.folder) / "model.onnx", args.layer + 1)
    batches = plan(sentences, args.epochs, rng)
    groups = [{"params": network.layers.parameters(), "lr": RATE_LAYERS}, {"params": network.heads.parameters(), "lr": RATE_HEADS}]
    steps = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    warm, count = max(1.0, WARM * len(batches)), len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(steps, lambda step: min((step + 1) / warm, max(0.0, (count - step) / count)))
    for step, chosen in enumerate(batches):
        loss = loss_of(network, sentences, chosen)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        steps.step()
        schedule.step()
        steps.zero_grad(set_to_none=True)
        if step % 100 == 99:
            print(f"{step + 1} of {count}, loss {loss.item():.3f}", flush=True)
    return network


def main(args) -> None:
    folder = Path(args.folder)
    sentences = read_sentences(args)
    network = train(args, sentences)
    chosen = random.Random(args.seed).sample(range(len(sentences.rows)), CALIBRATION)
    write(network, folder / FILE, [sentences.states[sentences.pieces(i)].astype(np.float32) for i in chosen])
    card = json.loads((folder / "model.json").read_text())
    name = layer_output(onnx.load(str(folder / "model.onnx")), args.layer)
    sizes = {head: HEADS[head] for head in args.heads if head not in ("entity", "pos")}
    card["tags"] |= {**sizes, "network": {"file": FILE, "input": name, "heads": args.heads}}
    card["sha256"][FILE] = hashlib.sha256((folder / FILE).read_bytes()).hexdigest()
    (folder / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--work", required=True, help="a folder for the states, to train again without computing them")
    parser.add_argument("--layer", type=int, required=True)
    parser.add_argument("--layers", type=int, default=3, help="of the network")
    parser.add_argument("--heads", nargs="+", choices=list(HEADS), required=True)
    parser.add_argument("--epochs", type=float, default=2.5)
    parser.add_argument("--seed", type=int, default=1)
    main(parser.parse_args())
