"""Trains a head of a finished encoder that lies beside the network, and leaves the network as it is.

    python head.py --rows FILE --task NAME --folder FOLDER [--adds] [--linear-share SHARE] [--hold SHARE] [--replay N] [--states FILE] …

`rows` as head-rows.ts writes them. The head is small and its input, the pooled states of the int8 network, is computed
once, so this takes minutes where a training of the encoder takes hours. The head is the mean of several, trained from
different seeds. With `--adds`, it gives only what is added to the scores of the network's own head, which stay. With `--hold`, a share of what each text teaches is what the network's own head says of it, so that
nothing it knows is lost; rows written for training teach their label alone: they are what it gets wrong. Writes
`TASK-head.json`, and its checksum and how much the linear model counts beside it into model.json; the temperature and
the bias are calibrate.ts's. Seeded.
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
RATE, DECAY, DROPOUT = 1e-3, 0.01, 0.3
# No label counts more than this many times as much as the mean, however scarce it is.
CLASS_WEIGHT_MAX = 4
# With the pieces at both ends; of longer texts, the beginning is enough.
PIECES_MAX = 96
# Ids of the pieces at both ends: [CLS] and [SEP], <s> and </s>.
FRAMES = {"encoder": (101, 102), "encoder-multilingual": (0, 2)}
# The file of each head, and the output of the network that it replaces.
FILES = {
    "sentiment-simple": ("sentiment-simple-head.json", "sentiment_simple"),
    "sentiment-real": ("sentiment-real-head.json", "sentiment_real"),
    "intention": ("intention-head.json", "intention"),
    "spam-detection": ("spam-head.json", "spam"),
}


def read_rows(file: str) -> list:
    with open(file, encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def pooled_name(network) -> str:
    """The value that the network's own heads read: the first and the mean state of a text."""
    return next(node.input[0] for node in network.graph.node if "heads_weights" in node.input)


def states_and_scores(path: Path, rows: list, output: str) -> tuple:
    """The first and the mean state of every text and the scores of its own head, as the served network computes them."""
    network = onnx.load(str(path))
    name = pooled_name(network)
    network.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", "size"]))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(network.SerializeToString(), options, providers=["CPUExecutionProvider"])
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["ids"]))
    found = [None] * len(rows)
    for start in range(0, len(order), 32):
        block = order[start : start + 32]
        values = session.run([name, output], feed_of([rows[i] for i in block], FRAMES[path.parent.name]))
        for at, i in enumerate(block):
            found[i] = (values[0][at], values[1][at])
    states, scores = zip(*found)
    return np.stack(states), np.stack(scores)


def kept_states(file: Path, path: Path, rows: list, output: str) -> tuple:
    """As states_and_scores; what was computed before for the same rows and network is read from the file."""
    key = hashlib.sha256(path.read_bytes() + json.dumps([[row["ids"], row["shapes"]] for row in rows]).encode()).hexdigest()
    if file.exists():
        kept = np.load(file)
        if str(kept["key"]) == key:
            return kept["states"], kept["scores"]
    states, scores = states_and_scores(path, rows, output)
    np.savez(file, key=key, states=states, scores=scores)
    return states, scores


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


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def dropped(rng, shape: tuple) -> np.ndarray:
    return ((rng.random(shape, dtype=np.float32) > DROPOUT) / (1 - DROPOUT)).astype(np.float32)


def train(states: np.ndarray, own: np.ndarray, target: np.ndarray, trust: np.ndarray, seed: int, args) -> list:
    """Two layers that give the scores of the labels, or what is added to `own`; Adam with weight decay, and a rate that falls to zero."""
    rng = np.random.default_rng(seed)
    count, size = states.shape
    units, labels = args.units, target.shape[1]
    weights = [rng.normal(0, size**-0.5, (size, units)), np.zeros(units), rng.normal(0, units**-0.5, (units, labels)), np.zeros(labels)]
    weights = [weight.astype(np.float32) for weight in weights]
    if args.adds:
        weights[2][:] = 0
    first, second = ([np.zeros_like(weight) for weight in weights] for _ in range(2))
    batches = count // BATCH
    step = 0
    for _ in range(args.epochs):
        order = rng.permutation(count)
        for start in range(0, batches * BATCH, BATCH):
            block = order[start : start + BATCH]
            given = states[block] * dropped(rng, (BATCH, size))
            active, slope = gelu(given @ weights[0] + weights[1])
            kept = dropped(rng, active.shape)
            scores = (active * kept) @ weights[2] + weights[3] + (own[block] if args.adds else 0)
            error = ((softmax(scores) - target[block]) * trust[block, None] / BATCH).astype(np.float32)
            back = (error @ weights[2].T) * kept * slope
            slopes = [given.T @ back, back.sum(0), (active * kept).T @ error, error.sum(0)]
            step += 1
            rate = RATE * (1 - step / (args.epochs * batches))
            for i, gradient in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * gradient
                second[i] = 0.999 * second[i] + 0.001 * gradient**2
                change = (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
                weights[i] = weights[i] - rate * (change + (DECAY * weights[i] if i % 2 == 0 else 0))
    return weights


def targets(rows: list, labels: list, scores: np.ndarray, args) -> np.ndarray:
    """What each row teaches: its labels, smoothed, and the scores of the network's own head beside them."""
    shares = np.array([[row["shares"].get(label, 0) for label in labels] for row in rows], np.float32)
    shares = shares * (1 - args.smoothing) + args.smoothing / len(labels)
    hold = np.array([0 if row["written"] else args.hold for row in rows], np.float32)[:, None]
    return (1 - hold) * shares + hold * softmax(scores)


def head_of(states: np.ndarray, scores: np.ndarray, rows: list, labels: list, args) -> list:
    """The mean of the heads of all seeds as one head: their units side by side."""
    target = targets(rows, labels, scores, args)
    trust = np.array([row["weight"] for row in rows], np.float32)
    found = np.array([labels.index(max(row["shares"], key=row["shares"].get)) for row in rows])
    totals = np.array([trust[found == label].sum() for label in range(len(labels))]) + 1e-6
    trust = trust * np.minimum((totals.mean() / totals) ** args.class_power, CLASS_WEIGHT_MAX)[found]
    mean, deviation = states.mean(0), states.std(0) + 1e-6
    scaled = ((states - mean) / deviation).astype(np.float32)
    heads = [train(scaled, scores, target, trust / trust.mean(), seed, args) for seed in range(1, args.seeds + 1)]
    first = np.concatenate([head[0] for head in heads], axis=1) / deviation[:, None]
    first_bias = np.concatenate([head[1] for head in heads]) - mean @ first
    second = np.concatenate([head[2] for head in heads]) / len(heads)
    return [first.T, first_bias, second.T, np.mean([head[3] for head in heads], axis=0)]


def with_own(head: list, network, output: str, share: float) -> list:
    """A head that gives a share of what the network's own head gives, which is of the same form: its units are added."""
    values = {value.name: onnx.numpy_helper.to_array(value) for value in network.graph.initializer}
    part = next(node.input[0] for node in network.graph.node if f"task_{output}_weights" in node.input)
    split = next(node for node in network.graph.node if part in node.output)
    end = int(values[split.input[1]][: list(split.output).index(part) + 1].sum())
    units = slice(end - int(values[split.input[1]][list(split.output).index(part)]), end)
    first = np.concatenate([head[0], values["heads_weights"][:, units].T])
    first_bias = np.concatenate([head[1], values["heads_bias"][units]])
    second = np.concatenate([(1 - share) * head[2], share * values[f"task_{output}_weights"].T], axis=1)
    return [first, first_bias, second, (1 - share) * head[3] + share * values[f"task_{output}_bias"]]


def replayed(rows: list, count: int) -> list:
    """The rows written for training, and so many of the others, drawn."""
    others = [i for i, row in enumerate(rows) if not row["written"]]
    kept = set(np.random.default_rng(1).permutation(others)[:count].tolist())
    return [row for i, row in enumerate(rows) if row["written"] or i in kept]


def write(file: Path, head: list, name: str, adds: bool) -> None:
    arrays = dict(zip(("first", "firstBias", "second", "secondBias"), head))
    packed = {key: base64.b64encode(np.ascontiguousarray(value, "<f4").tobytes()).decode() for key, value in arrays.items()}
    file.write_text(json.dumps({"input": name, "adds": adds, **packed}, indent=2) + "\n")


def main(args) -> None:
    folder = Path(args.folder)
    path = folder / "model.onnx"
    file, output = FILES[args.task]
    rows = read_rows(args.rows)
    if args.replay is not None:
        rows = replayed(rows, args.replay)
    given = (path, rows, output)
    states, scores = kept_states(Path(args.states), *given) if args.states else states_and_scores(*given)
    card = json.loads((folder / "model.json").read_text())
    task = card["tasks"][args.task]
    head = head_of(states, scores, rows, task["labels"], args)
    network = onnx.load(str(path))
    if args.keep > 0:
        head = with_own(head, network, output, args.keep)
    write(folder / file, head, pooled_name(network), args.adds)
    share = task.get("linearShare", 0) if args.linear_share is None else args.linear_share
    linear = {"linear": args.linear} if args.linear else {}
    card["tasks"][args.task] = {**task, "head": file, "linearShare": share, **linear}
    card["sha256"][file] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    (folder / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")
    print(f"trained on {len(rows)} samples")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--task", required=True, choices=list(FILES))
    parser.add_argument("--folder", required=True)
    parser.add_argument("--linear-share", type=float, help="weight of the linear model beside the head; as it was if omitted")
    parser.add_argument("--linear", help="the folder of that model, if it is not the analysis's own; as it was if omitted")
    parser.add_argument("--adds", action="store_true", help="add to the scores of the network's own head instead of replacing them")
    parser.add_argument("--replay", type=int, help="so many of the rows that were not written for training; all if omitted")
    parser.add_argument("--hold", type=float, default=0.0, help="share of what the network's own head says in what a text teaches")
    parser.add_argument("--keep", type=float, default=0.0, help="share of the scores that is the network's own head's")
    parser.add_argument("--class-power", type=float, default=0.5, help="0 leaves labels as frequent as they are, 1 gives all the same total weight")
    parser.add_argument("--smoothing", type=float, default=0.1)
    parser.add_argument("--units", type=int, default=32, help="of the first layer, for each seed")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--states", help="a file to keep the pooled states in, for the next training with the same rows")
    main(parser.parse_args())
