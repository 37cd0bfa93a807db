"""Converts the networks that trace_faces.mjs wrote to ONNX.

python convert_faces.py TRACES TARGET

The packages store weights in 8 bits, as steps of a scale between a least and a largest value; so does the file, and the
runtime widens them once, when it loads the network.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
ELEMENTWISE = {"Add": "Add", "Sub": "Sub", "Multiply": "Mul", "RealDiv": "Div", "Relu": "Relu", "Exp": "Exp", "Sigmoid": "Sigmoid"}
TO_CHANNELS_FIRST = [0, 3, 1, 2]
TO_CHANNELS_LAST = [0, 2, 3, 1]


class Network:
    """The ONNX graph as it grows, one TensorFlow.js kernel after the other."""

    def __init__(self, trace, weights):
        self.nodes, self.initializers, self.constants = [], [], {}
        self.trace, self.count = trace, 0
        at = 0
        for entry in trace["constants"]:
            size = int(np.prod(entry["shape"]))
            self.constants[entry["id"]] = weights[at : at + size].reshape(entry["shape"])
            at += size
        self.names = {trace["input"]["id"]: "picture"}

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def node(self, kind, inputs, output=None, **attributes):
        output = output or self.name()
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def stored(self, array):
        name = self.name()
        self.initializers.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def constant(self, values):
        """Weights, in 8 bits where they are steps of a scale."""
        values = np.asarray(values, np.float32)
        low, high = (values.min(), values.max()) if values.size else (0, 0)
        scale = np.float32((high - low) / 255)
        if values.size < 256 or scale == 0:
            return self.stored(values)
        steps = np.round((values - low) / scale).astype(np.uint8)
        if np.abs(steps * scale + low - values).max() > scale * 1e-3:
            return self.stored(values)
        wide = self.node("Cast", [self.stored(steps)], to=TensorProto.FLOAT)
        return self.node("Add", [self.node("Mul", [wide, self.stored(scale)]), self.stored(np.float32(low))])

    def value(self, id_):
        if id_ not in self.names:
            self.names[id_] = self.constant(self.constants[id_])
        return self.names[id_]

    def whole(self, numbers):
        return self.stored(np.asarray(numbers, np.int64))

    def channels_first(self, kind, inputs, **attributes):
        turned = self.node("Transpose", [inputs[0]], perm=TO_CHANNELS_FIRST)
        return self.node("Transpose", [self.node(kind, [turned, *inputs[1:]], **attributes)], perm=TO_CHANNELS_LAST)

    def add(self, kernel):
        """The names of what a kernel makes."""
        kind, attributes, shape = kernel["name"], kernel["attributes"], kernel["outputs"][0]["shape"]
        ids = [id_ for group in kernel["inputs"].values() for id_ in group]
        if kind in {"Conv2D", "DepthwiseConv2dNative"}:
            return [self.convolution(kind, ids, attributes)]
        inputs = [self.value(id_) for id_ in ids]
        if kind in ELEMENTWISE:
            return [self.node(ELEMENTWISE[kind], inputs)]
        if kind in {"MaxPool", "AvgPool"}:
            size = pair(attributes["filterSize"])
            pooling = {"MaxPool": "MaxPool", "AvgPool": "AveragePool"}[kind]
            return [self.channels_first(pooling, inputs, kernel_shape=size, strides=pair(attributes["strides"]), auto_pad=padding(attributes))]
        if kind == "FusedBatchNorm":
            value, mean, variance, offset, scale = (self.value(kernel["inputs"][key][0]) for key in ["x", "mean", "variance", "offset", "scale"])
            return [self.channels_first("BatchNormalization", [value, scale, offset, mean, variance], epsilon=attributes["varianceEpsilon"])]
        if kind == "Unpack":
            return [self.node("Gather", [inputs[0], self.whole(i)], axis=attributes["axis"]) for i in range(len(kernel["outputs"]))]
        return [self.shaping(kind, inputs, attributes, shape)]

    def convolution(self, kind, ids, attributes):
        filter_ = self.constants[ids[1]]
        depthwise = kind != "Conv2D"
        order = [2, 3, 0, 1] if depthwise else [3, 2, 0, 1]
        weights = self.constant(filter_.transpose(order))
        groups = filter_.shape[2] if depthwise else 1
        return self.channels_first("Conv", [self.value(ids[0]), weights], strides=pair(attributes["strides"]), auto_pad=padding(attributes), group=groups)

    def shaping(self, kind, inputs, attributes, shape):
        if kind in {"Reshape", "Cast"}:
            return self.node("Reshape", [inputs[0], self.whole(shape)])
        if kind == "Pack":
            axis = self.whole([attributes["axis"]])
            return self.node("Concat", [self.node("Unsqueeze", [value, axis]) for value in inputs], axis=attributes["axis"])
        if kind == "Concat":
            return self.node("Concat", inputs, axis=attributes["axis"])
        if kind == "Fill":
            return self.stored(np.full(shape, attributes["value"], np.float32))
        if kind == "ClipByValue":
            limits = [self.stored(np.float32(attributes[key])) for key in ["clipValueMin", "clipValueMax"]]
            return self.node("Clip", [inputs[0], *limits])
        if kind == "Tile":
            return self.node("Tile", [inputs[0], self.whole(attributes["reps"])])
        if kind == "Transpose":
            return self.node("Transpose", inputs, perm=attributes["perm"])
        if kind == "Slice":
            begin = attributes["begin"]
            return self.node("Slice", [inputs[0], self.whole(begin), self.whole([b + s for b, s in zip(begin, shape)])])
        if kind == "Mean":
            return self.node("ReduceMean", inputs, axes=attributes["axis"], keepdims=int(attributes["keepDims"]))
        if kind == "BatchMatMul":
            return self.node("MatMul", inputs)
        if kind == "Softmax":
            return self.node("Softmax", inputs, axis=attributes["dim"])
        raise ValueError(f"no kernel {kind} is known")

    def model(self):
        for kernel in self.trace["kernels"]:
            for output, name in zip(kernel["outputs"], self.add(kernel)):
                self.names[output["id"]] = name
        outputs = []
        for name, entry in self.trace["outputs"].items():
            self.node("Identity", [self.names[entry["id"]]], output=name)
            outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, entry["shape"]))
        picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, self.trace["input"]["shape"])
        graph = helper.make_graph(self.nodes, "face", [picture], outputs, self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def pair(value):
    return value if isinstance(value, list) else [value, value]


def padding(attributes):
    return {"same": "SAME_UPPER", "valid": "VALID"}[attributes["pad"]]


if __name__ == "__main__":
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    for path in sorted(source.glob("*.json")):
        trace = json.loads(path.read_text())
        model = Network(trace, np.fromfile(path.with_suffix(".bin"), np.float32)).model()
        onnx.checker.check_model(model)
        onnx.save(model, target / f"{path.stem}.onnx")
