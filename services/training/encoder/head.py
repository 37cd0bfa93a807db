"""Trains one head of the finished encoder again and leaves everything else as it is.

    python head.py --rows FILE --task spam-detection --linear-share 0.85 --folder services/analysis/models/encoder

`rows` as head-rows.ts writes them. The head is small and its input, the pooled states of the int8 network, is computed
once, so this takes minutes where a training of the encoder takes hours. Writes the head into model.onnx, and the checksum
and how much the linear model counts beside it into model.json; the temperature is calibrate.ts's. Seeded.
"""

import argparse
import hashlib
import json
import random
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper

from data import PIECES_MAX
from export import output_name
from model import FRAME_ENGLISH, TASKS, head_name

BATCH = 128
POOLED = "pooled"
# 0 leaves labels as frequent as they are, 1 gives all the same total weight, more favors the scarce one.
CLASS_POWER = 1.6
SMOOTHING = 0.05


def read_rows(file: str) -> list:
    with open(file, encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def pooled_states(path: Path, rows: list) -> np.ndarray:
    """The first and the mean state of every text, as the served network computes them; long texts are cut."""
    network = onnx.load(str(path))
    found = next(node for node in network.graph.node if node.op_type == "Concat" and "heads_weights" in consumers(network, node))
    network.graph.node.append(helper.make_node("Identity", [found.output[0]], [POOLED]))
    network.graph.output.append(helper.make_tensor_value_info(POOLED, onnx.TensorProto.FLOAT, ["batch", "size"]))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(network.SerializeToString(), options, providers=["CPUExecutionProvider"])
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["ids"]))
    states = [None] * len(rows)
    for start in range(0, len(order), 32):
        block = order[start : start + 32]
        values = session.run([POOLED], feed_of([rows[i] for i in block]))[0]
        for i, value in zip(block, values):
            states[i] = value
    return np.stack(states)


def consumers(network, node) -> list:
    return [name for other in network.graph.node if node.output[0] in other.input for name in other.input]


def feed_of(rows: list) -> dict:
    inner = [min(len(row["ids"]), PIECES_MAX - 2) for row in rows]
    feed = {name: np.zeros((len(rows), max(inner) + 2), np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    start, end = FRAME_ENGLISH
    for at, (row, size) in enumerate(zip(rows, inner)):
        feed["input_ids"][at, : size + 2] = [start, *row["ids"][:size], end]
        feed["token_type_ids"][at, 1 : size + 1] = row["shapes"][:size]
        feed["attention_mask"][at, : size + 2] = 1
    return feed


class Head(torch.nn.Module):
    """A head as model.py builds it, with the weights it has in the network."""

    def __init__(self, first, first_bias, second, second_bias):
        super().__init__()
        self.first, self.second = torch.nn.Linear(*first.shape), torch.nn.Linear(*second.shape)
        for linear, weights, bias in ((self.first, first, first_bias), (self.second, second, second_bias)):
            linear.weight.data.copy_(torch.tensor(weights.T.copy()))
            linear.bias.data.copy_(torch.tensor(bias.copy()))
        self.dropout = torch.nn.Dropout(0.1)

    def forward(self, pooled):
        return self.second(self.dropout(F.gelu(self.first(pooled))))


class Place:
    """Where a head lies among the constants of the network: its columns of the first layer, which all heads share, and a second layer."""

    def __init__(self, network, task: str):
        self.constants = {constant.name: constant for constant in network.graph.initializer}
        name = output_name(head_name(task))
        self.second = (f"task_{name}_weights", f"task_{name}_bias")
        widths = [len(self.read(f"task_{output_name(head_name(other))}_weights")) for other in TASKS]
        at = list(TASKS).index(task)
        self.columns = slice(sum(widths[:at]), sum(widths[: at + 1]))

    def read(self, name: str) -> np.ndarray:
        return numpy_helper.to_array(self.constants[name])

    def head(self) -> Head:
        return Head(self.read("heads_weights")[:, self.columns], self.read("heads_bias")[self.columns], *map(self.read, self.second))

    def write(self, head: Head) -> None:
        arrays = [value.detach().numpy() for value in (head.first.weight.T, head.first.bias, head.second.weight.T, head.second.bias)]
        for name, part in zip(("heads_weights", "heads_bias"), arrays[:2]):
            whole = self.read(name).copy()
            whole[..., self.columns] = part
            self.replace(name, whole)
        for name, part in zip(self.second, arrays[2:]):
            self.replace(name, np.ascontiguousarray(part))

    def replace(self, name: str, value: np.ndarray) -> None:
        self.constants[name].CopyFrom(numpy_helper.from_array(value, name))


def train(head: Head, states: np.ndarray, rows: list, task: str, args) -> None:
    """Every sample counts by its weight, and those of a scarce label for more."""
    labels = torch.tensor([TASKS[task].index(row["label"]) for row in rows])
    trust = torch.tensor([row["weight"] for row in rows])
    totals = torch.zeros(len(TASKS[task])).index_add(0, labels, trust)
    trust = trust * ((totals.mean() / totals) ** args.class_power)[labels]
    trust = trust / trust.mean()
    pooled = torch.tensor(states)
    rng = random.Random(args.seed)
    steps = torch.optim.AdamW(head.parameters(), lr=args.rate, weight_decay=0.01)
    total = args.epochs * (len(rows) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(steps, lambda step: max(0.0, 1 - step / total))
    head.train()
    for _ in range(args.epochs):
        order = list(range(len(rows)))
        rng.shuffle(order)
        for start in range(0, total // args.epochs * BATCH, BATCH):
            block = order[start : start + BATCH]
            loss = F.cross_entropy(head(pooled[block]), labels[block], label_smoothing=SMOOTHING, reduction="none")
            (loss * trust[block]).mean().backward()
            steps.step()
            schedule.step()
            steps.zero_grad(set_to_none=True)
    print(f"trained on {len(rows)} samples, last loss {loss.mean().item():.3f}")


def main(args) -> None:
    torch.manual_seed(args.seed)
    folder = Path(args.folder)
    path = folder / "model.onnx"
    rows = read_rows(args.rows)
    network = onnx.load(str(path))
    place = Place(network, args.task)
    head = place.head()
    train(head, pooled_states(path, rows), rows, args.task, args)
    place.write(head)
    onnx.save(network, str(path))
    card = json.loads((folder / "model.json").read_text())
    card["tasks"][args.task]["linearShare"] = args.linear_share
    card["sha256"]["model.onnx"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--task", required=True, choices=list(TASKS))
    parser.add_argument("--folder", required=True)
    parser.add_argument("--linear-share", type=float, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--class-power", type=float, default=CLASS_POWER)
    parser.add_argument("--seed", type=int, default=7)
    main(parser.parse_args())
