"""Converts the TensorFlow.js graph models of @vladmandic/human to ONNX.

python convert.py MODEL.json MODEL.onnx

Steps: convolutions that carry their bias and activation are taken apart (TensorFlow's importer refuses them), tf2onnx
converts the graph, and weights, which the package stores in 16 bits, stay 16 bits in the file (a Cast widens each).
"""

import base64
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx

if not hasattr(np, "product"):
    np.product = np.prod  # tf2onnx 1.16 was written for numpy 1

from tf2onnx import optimizer  # noqa: E402
from tf2onnx.tfonnx import process_tf_graph  # noqa: E402

OPSET = 17
FUSED = {"_FusedConv2D": "Conv2D", "FusedDepthwiseConv2dNative": "DepthwiseConv2dNative"}


def taken_apart(node):
    """The nodes that together do what a fused convolution does, the last with its name; other nodes alone, completed."""
    kind = FUSED.get(node["op"])
    if node["op"] == "TopKV2":
        node["attr"].setdefault("index_type", {"type": "DT_INT32"})
    if kind is None:
        return [node]
    attributes = node["attr"]
    type_ = {"T": attributes["T"]}
    kept = {k: v for k, v in attributes.items() if k in {"T", "strides", "padding", "data_format", "dilations", "explicit_paddings"}}
    fused = [base64.b64decode(op).decode() for op in attributes["fused_ops"]["list"]["s"]]
    value, filter_, *rest = node["input"]
    parts = [{"name": f"{node['name']}/conv", "op": kind, "input": [value, filter_], "attr": kept}]
    for op in fused:
        inputs = [parts[-1]["name"]]
        if op in {"BiasAdd", "Prelu"}:
            inputs.append(rest.pop(0))
        if op == "Prelu":
            raise ValueError("Prelu is not supported")
        parts.append({"name": f"{node['name']}/{op}", "op": op, "input": inputs, "attr": type_})
    parts[-1]["name"] = node["name"]
    return parts


def unfused(source, folder):
    """A copy of the model in the folder, without fused convolutions."""
    model = json.loads(source.read_text())
    model["modelTopology"]["node"] = [part for node in model["modelTopology"]["node"] for part in taken_apart(node)]
    for group in model["weightsManifest"]:
        for path in group["paths"]:
            shutil.copy(source.parent / path, folder)
    copy = folder / source.name
    copy.write_text(json.dumps(model))
    return copy


def halve(model):
    """Stores large weights in 16 bits, which is all they have, and widens them when the model is loaded."""
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or np.prod(tensor.dims) < 64:
            continue
        weights = onnx.numpy_helper.to_array(tensor)
        half = weights.astype(np.float16)
        if not np.array_equal(half.astype(np.float32), weights):
            continue
        name = tensor.name
        tensor.CopyFrom(onnx.numpy_helper.from_array(half, f"{name}/half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}/half"], [name], to=onnx.TensorProto.FLOAT))
    for cast in reversed(casts):
        model.graph.node.insert(0, cast)
    return model


def convert(source, target):
    with tempfile.TemporaryDirectory() as folder:
        path = unfused(source, Path(folder))
        graph = process_tf_graph(None, opset=OPSET, tfjs_path=str(path))
    model = optimizer.optimize_graph(graph).make_model("converted from TensorFlow.js by tf2onnx")
    onnx.checker.check_model(model)
    onnx.save(halve(model), target)


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
