"""Trains a head of a finished encoder that lies beside the network, and leaves the network as it is.

    python head.py --rows FILE --task spam-detection --linear-share 0.5 --folder services/analysis/models/encoder

`rows` as head-rows.ts writes them. The head is small and its input, the pooled states of the int8 network, is computed
once, so this takes minutes where a training of the encoder takes hours. The head is the mean of several, trained from
different seeds. Writes `spam-head.json`, and its checksum and how much the linear model counts beside it into
model.json; the temperature and the bias are calibrate.ts's. Seeded.
"""

import argparse
import base64
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from graph import INPUTS

BATCH = 128
UNITS, SEEDS, EPOCHS, RATE, DECAY, DROPOUT = 32, (1, 2, 3), 6, 1e-3, 0.01, 0.3
# 0 leaves labels as frequent as they are, 1 gives all the same total weight, more favors the scarce one.
CLASS_POWER = 0.9
SMOOTHING = 0.1
# With the pieces at both ends; of longer texts, the beginning is enough.
PIECES_MAX = 96
# Ids of the pieces at both ends: [CLS] and [SEP], <s> and </s>.
FRAMES = {"encoder": (101, 102), "encoder-multilingual": (0, 2)}
FILE = "spam-head.json"


def read_rows(file: str) -> list:
    with open(file, encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def pooled_name(network) -> str:
    """The value that the network's own heads read: the first and the mean state of a text."""
    return next(node.input[0] for node in network.graph.node if "heads_weights" in node.input)


def pooled_states(path: Path, rows: list) -> np.ndarray:
    """The first and the mean state of every text, as the served network computes them; long texts are cut."""
    network = onnx.load(str(path))
    name = pooled_name(network)
    network.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", "size"]))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(network.SerializeToString(), options, providers=["CPUExecutionProvider"])
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["ids"]))
    states = [None] * len(rows)
    for start in range(0, len(order), 32):
        block = order[start : start + 32]
        values = session.run([name], feed_of([rows[i] for i in block], FRAMES[path.parent.name]))[0]
        for i, value in zip(block, values):
            states[i] = value
    return np.stack(states)


def feed_of(rows: list, frame: tuple) -> dict:
    inner = [min(len(row["ids"]), PIECES_MAX - 2) for row in rows]
    feed = {name: np.zeros((len(rows), max(inner) + 2), np.int64) for name in INPUTS}
    start, end = frame
    for at, (row, size) in enumerate(zip(rows, inner)):
        feed["input_ids"][at, : size + 2] = [start, *row["ids"][:size], end]
        feed["token_type_ids"][at, 1 : size + 1] = row["shapes"][:size]
        feed["attention_mask"][at, : size + 2] = 1
    return feed


def gelu(x: np.ndarray) -> tuple:
    """The activation, as own-head.ts computes it, and its slope."""
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    tanh = np.tanh(inner)
    slope = 0.5 * (1 + tanh) + 0.5 * x * (1 - tanh**2) * np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x**2)
    return 0.5 * x * (1 + tanh), slope


def dropped(rng, shape: tuple) -> np.ndarray:
    return ((rng.random(shape, dtype=np.float32) > DROPOUT) / (1 - DROPOUT)).astype(np.float32)


def train(states: np.ndarray, spam: np.ndarray, trust: np.ndarray, seed: int) -> list:
    """Two layers that give the log-odds of spam; Adam with weight decay, and a rate that falls to zero."""
    rng = np.random.default_rng(seed)
    count, size = states.shape
    weights = [rng.normal(0, size**-0.5, (size, UNITS)), np.zeros(UNITS), rng.normal(0, UNITS**-0.5, (UNITS, 1)), np.zeros(1)]
    weights = [weight.astype(np.float32) for weight in weights]
    first, second = ([np.zeros_like(weight) for weight in weights] for _ in range(2))
    target = spam * (1 - SMOOTHING) + SMOOTHING / 2
    batches = count // BATCH
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(count)
        for start in range(0, batches * BATCH, BATCH):
            block = order[start : start + BATCH]
            given = states[block] * dropped(rng, (BATCH, size))
            active, slope = gelu(given @ weights[0] + weights[1])
            kept = dropped(rng, active.shape)
            odds = ((active * kept) @ weights[2] + weights[3])[:, 0]
            error = ((1 / (1 + np.exp(-odds)) - target[block]) * trust[block] / BATCH)[:, None].astype(np.float32)
            back = (error @ weights[2].T) * kept * slope
            slopes = [given.T @ back, back.sum(0), (active * kept).T @ error, error.sum(0)]
            step += 1
            rate = RATE * (1 - step / (EPOCHS * batches))
            for i, gradient in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * gradient
                second[i] = 0.999 * second[i] + 0.001 * gradient**2
                change = (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
                weights[i] = weights[i] - rate * (change + (DECAY * weights[i] if i % 2 == 0 else 0))
    return weights


def head_of(states: np.ndarray, rows: list) -> list:
    """The mean of the heads of all seeds as one head: their units side by side."""
    spam = np.array([row["label"] == "spam" for row in rows], np.float32)
    trust = np.array([row["weight"] for row in rows], np.float32)
    totals = np.array([trust[spam == label].sum() for label in (0, 1)])
    trust = trust * ((totals.mean() / totals) ** CLASS_POWER)[spam.astype(int)]
    mean, deviation = states.mean(0), states.std(0) + 1e-6
    scaled = ((states - mean) / deviation).astype(np.float32)
    heads = [train(scaled, spam, trust / trust.mean(), seed) for seed in SEEDS]
    first = np.concatenate([head[0] for head in heads], axis=1) / deviation[:, None]
    first_bias = np.concatenate([head[1] for head in heads]) - mean @ first
    second = np.concatenate([head[2] for head in heads]) / len(heads)
    return [first.T, first_bias, second.T, np.mean([head[3] for head in heads], axis=0)]


def write(folder: Path, head: list, name: str, labels: list) -> None:
    """`head` gives the log-odds of spam, half of which go to each label."""
    first, first_bias, odds, odds_bias = head
    sides = np.array([0.5 if label == "spam" else -0.5 for label in labels])
    arrays = {"first": first, "firstBias": first_bias, "second": sides[:, None] * odds, "secondBias": sides * odds_bias}
    packed = {key: base64.b64encode(np.ascontiguousarray(value, "<f4").tobytes()).decode() for key, value in arrays.items()}
    (folder / FILE).write_text(json.dumps({"input": name, **packed}, indent=2) + "\n")


def main(args) -> None:
    folder = Path(args.folder)
    path = folder / "model.onnx"
    rows = read_rows(args.rows)
    head = head_of(pooled_states(path, rows), rows)
    card = json.loads((folder / "model.json").read_text())
    task = card["tasks"][args.task]
    write(folder, head, pooled_name(onnx.load(str(path))), task["labels"])
    card["tasks"][args.task] = {**task, "head": FILE, "linearShare": args.linear_share}
    card["sha256"][FILE] = hashlib.sha256((folder / FILE).read_bytes()).hexdigest()
    (folder / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")
    print(f"trained on {len(rows)} samples")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--task", required=True, choices=["spam-detection"])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--linear-share", type=float, required=True)
    main(parser.parse_args())
