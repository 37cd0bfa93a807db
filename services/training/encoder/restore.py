"""Reads the weights of an exported encoder back, to train on from them without the files of earlier runs.

    python restore.py --folder services/analysis/models/encoder --body DIR --out FILE

The matrices come back as they were rounded for int8 (see quantize.py), which a few hundred steps of training mend. What is
not in the file starts again: the head of the 28 emotions, which is only used in training, and the heads of pieces that
tags.py replaced.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch

from constants import Constants
from export import output_name
from model import TASKS, Encoder, head_name, load_encoder


def restore(model: Encoder, constants: Constants) -> None:
    embeddings = model.body.embeddings
    if model.packed_words is None:
        fill(embeddings.word_embeddings.weight, constants["words"].astype(np.float32) * constants["word_scales"])
    positions = constants["positions"]
    embeddings.position_embeddings.weight.data[: len(positions)] = torch.tensor(positions)
    fill(embeddings.token_type_embeddings.weight, constants["types"])
    fill_norm(embeddings.LayerNorm, constants, "embedded")
    for i, layer in enumerate(model.body.encoder.layer):
        attention = layer.attention.self
        weights, bias = constants.matrix(f"qkv{i}")
        parts = zip((attention.query, attention.key, attention.value), np.split(weights, 3, axis=1), np.split(bias, 3))
        for linear, own_weights, own_bias in parts:
            fill_linear(linear, (own_weights, own_bias))
        fill_linear(layer.attention.output.dense, constants.matrix(f"out{i}"))
        fill_linear(layer.intermediate.dense, constants.matrix(f"up{i}"))
        fill_linear(layer.output.dense, constants.matrix(f"down{i}"))
        fill_norm(layer.attention.output.LayerNorm, constants, f"attended{i}")
        fill_norm(layer.output.LayerNorm, constants, f"layer{i}")
    restore_heads(model, constants)


def restore_heads(model: Encoder, constants: Constants) -> None:
    weights, bias = constants.matrix("heads")
    names = [head_name(task) for task in TASKS]
    for name, own_weights, own_bias in zip(names, np.split(weights, len(names), axis=1), np.split(bias, len(names))):
        first, second = [part for part in model.heads[name] if isinstance(part, torch.nn.Linear)]
        fill_linear(first, (own_weights, own_bias))
        if f"task_{output_name(name)}_weights" in constants:
            fill_linear(second, constants.matrix(f"task_{output_name(name)}"))
    for name, matrix in constants.token_heads().items():
        fill_linear(model.tokens[name], matrix)


def fill_linear(linear: torch.nn.Linear, matrix: tuple) -> None:
    fill(linear.weight, matrix[0].T)
    fill(linear.bias, matrix[1])


def fill_norm(norm: torch.nn.LayerNorm, constants: Constants, name: str) -> None:
    fill(norm.weight, constants[f"{name}_gamma"])
    fill(norm.bias, constants[f"{name}_beta"])


def fill(parameter: torch.nn.Parameter, values: np.ndarray) -> None:
    parameter.data.copy_(torch.tensor(np.ascontiguousarray(values)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--body", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    model = load_encoder(args.body)
    restore(model, Constants(onnx.load(str(Path(args.folder) / "model.onnx")), "labels"))
    torch.save(model.state_dict(), args.out)


if __name__ == "__main__":
    main()
