"""What an encoder makes of texts, computed once for the training of layers above, and kept in files."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from graft import WEIGHTS, layer_output, with_inner
from graph import INPUTS

SIZE = 384
# With the pieces at both ends; of longer texts, the beginning is enough.
PIECES_MAX = 96
# Ids of the pieces at both ends: [CLS] and [SEP], <s> and </s>.
FRAMES = {"encoder": (101, 102), "encoder-multilingual": (0, 2)}
RUN, BATCH, BLOCK = 32, 64, 40


@dataclass
class Texts:
    """
    Rows with the ids and shapes of their pieces; what leaves a layer of the encoder for every piece, one row after the
    other; and outputs of the encoder by name, those of pieces likewise, those of texts one row each.
    """

    rows: list
    starts: np.ndarray
    states: np.ndarray
    outputs: dict

    def size(self, row: int) -> int:
        return self.starts[row + 1] - self.starts[row]

    def pieces(self, row: int) -> slice:
        return slice(self.starts[row], self.starts[row + 1])

    def batch(self, chosen: list) -> tuple:
        """The states [texts, pieces, SIZE], and 1 where there is a piece [texts, pieces]."""
        width = max(self.size(i) for i in chosen)
        states, mask = np.zeros((len(chosen), width, SIZE), np.float32), np.zeros((len(chosen), width), np.float32)
        for at, i in enumerate(chosen):
            states[at, : self.size(i)], mask[at, : self.size(i)] = self.states[self.pieces(i)], 1
        return torch.from_numpy(states), torch.from_numpy(mask)

    def batches(self, chosen: list, rng) -> list:
        """Batches of texts of similar length, in any order."""
        rng.shuffle(chosen)
        batches = []
        for start in range(0, len(chosen), BATCH * BLOCK):
            block = sorted(chosen[start : start + BATCH * BLOCK], key=self.size)
            batches += [block[at : at + BATCH] for at in range(0, len(block), BATCH)]
        rng.shuffle(batches)
        return batches

    def plan(self, visits: list, epochs: float, rng) -> list:
        """The batches of all epochs; `visits`: (text, how often it is visited in each). Broken numbers are drawn."""
        planned, per_epoch = [], None
        while per_epoch is None or len(planned) < per_epoch * epochs:
            own = self.batches([i for i, wanted in visits for _ in range(int(wanted + rng.random()))], rng)
            per_epoch = per_epoch or len(own)
            planned += own
        return planned[: int(per_epoch * epochs)]

    def some_states(self, count: int, rng) -> list:
        """The states of some texts, for the scales of int8."""
        return [self.states[self.pieces(i)].astype(np.float32) for i in rng.sample(range(len(self.rows)), count)]


def read_texts(file: str, folder: Path, layer: int, work: Path, outputs: list) -> Texts:
    """Computes what is not in the folder `work` yet; delete that when rows or encoder change."""
    with open(file, encoding="utf8") as lines:
        rows = [json.loads(line) for line in lines]
    starts = np.concatenate([[0], np.cumsum([min(len(row["ids"]) + 2, PIECES_MAX) for row in rows])])
    if not work.exists():
        partial = work.with_name(f"{work.name}.partial")
        partial.mkdir(parents=True, exist_ok=True)
        compute(rows, starts, folder, layer, partial, outputs)
        partial.rename(work)
    states, *given = (np.load(work / f"{name}.npy", mmap_mode="r") for name in ("states", *outputs))
    return Texts(rows, starts, states, dict(zip(outputs, given)))


def compute(rows: list, starts: np.ndarray, folder: Path, layer: int, work: Path, outputs: list) -> None:
    network = onnx.load(str(folder / WEIGHTS))
    inner = layer_output(network, layer)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = onnxruntime.InferenceSession(with_inner(network, [inner]), options, providers=["CPUExecutionProvider"])
    shapes = {output.name: [each.dim_value for each in output.type.tensor_type.shape.dim] for output in network.graph.output}
    places = {"states": (int(starts[-1]), SIZE)}
    places |= {name: (len(rows) if len(shapes[name]) == 2 else int(starts[-1]), shapes[name][-1]) for name in outputs}
    kept = [np.lib.format.open_memmap(work / f"{name}.npy", "w+", np.float16, shape) for name, shape in places.items()]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["ids"]))
    for at in range(0, len(order), RUN):
        block = order[at : at + RUN]
        values = session.run([inner, *outputs], feed_of([rows[i] for i in block], FRAMES[folder.name]))
        for own, value in zip(kept, values):
            for row, i in enumerate(block):
                place = i if value.ndim == 2 else slice(starts[i], starts[i + 1])
                own[place] = value[row] if value.ndim == 2 else value[row, : starts[i + 1] - starts[i]]


def feed_of(rows: list, frame: tuple) -> dict:
    inner = [min(len(row["ids"]), PIECES_MAX - 2) for row in rows]
    feed = {name: np.zeros((len(rows), max(inner) + 2), np.int64) for name in INPUTS}
    start, end = frame
    for at, (row, size) in enumerate(zip(rows, inner)):
        feed["input_ids"][at, : size + 2] = [start, *row["ids"][:size], end]
        feed["token_type_ids"][at, 1 : size + 1] = row["shapes"][:size]
        feed["attention_mask"][at, : size + 2] = 1
    return feed
