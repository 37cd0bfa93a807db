"""The encoder as an ONNX graph, operator by operator.

What was measured on onnxruntime 1.30, one thread, decided its form: integer products that give floats and add the bias in
one operator; GELU as one operator; LayerNormalization after a plain Add (the fused SkipLayerNormalization took a fifth of
the whole time); attention of plain operators (faster than QAttention and MultiHeadAttention at the length of posts);
embeddings looked up as int8 rows. All fusions that help are in the graph, so sessions run without optimizations of their own.
"""

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from quantize import BLOCK, pack, pack_rows, split_blocks

MICROSOFT = "com.microsoft"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@dataclass
class Layer:
    """(weights [inputs, outputs], bias) of each matrix, (gamma, beta) of each norm."""

    qkv: tuple
    out: tuple
    out_norm: tuple
    up: tuple
    down: tuple
    down_norm: tuple


@dataclass
class Head:
    first: np.ndarray
    first_bias: np.ndarray
    second: np.ndarray
    second_bias: np.ndarray


@dataclass
class Encoder:
    words: np.ndarray
    # The same in blocks of 4 bits (see e5.py), or None.
    packed_words: np.ndarray | None
    positions: np.ndarray
    types: np.ndarray
    norm: tuple
    heads_per_layer: int
    epsilon: float
    layers: list
    tasks: dict
    tokens: dict

    @property
    def hidden(self):
        return self.words.shape[1]


class Graph:
    """Collects operators and constants."""

    def __init__(self):
        self.nodes, self.constants, self.outputs = [], {}, []

    def constant(self, name, value, kind=np.float32):
        if name not in self.constants:
            array = np.array(value, dtype=kind, order="C")
            self.constants[name] = numpy_helper.from_array(array, name)
        return name

    def integers(self, *values):
        return self.constant("int_" + "_".join(map(str, values)).replace("-", "m"), values, np.int64)

    def add(self, kind, inputs, outputs=1, **attributes):
        names = [f"{kind}_{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{len(self.nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    def output(self, value, name, shape):
        self.nodes.append(helper.make_node("Identity", [value], [name], name=f"give_{name}"))
        self.outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))


def write_graph(encoder, path, sites):
    """`sites` as `quantize` made them, or None for float matrices (to compare with)."""
    graph = Graph()
    hidden = embed(graph, encoder)
    mask = graph.add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    blocked = graph.add("Mul", [graph.add("Sub", [graph.constant("one", [1]), mask]), graph.constant("never", [-10000])])
    blocked = graph.add("Unsqueeze", [blocked, graph.integers(1, 2)])
    for i, layer in enumerate(encoder.layers):
        hidden = transformer_layer(graph, encoder, Place(i, layer, sites), (hidden, blocked))
    token_outputs(graph, encoder, hidden)
    task_outputs(graph, encoder, hidden, mask)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "pieces"]) for name in INPUTS]
    made = helper.make_graph(graph.nodes, "encoder", inputs, graph.outputs, list(graph.constants.values()))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    onnx.save(helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="hourglass"), str(path))


def embed(graph, encoder):
    words = embed_words(graph, encoder)
    types = graph.add("Gather", [graph.constant("types", encoder.types), "token_type_ids"])
    width = graph.add("Slice", [graph.add("Shape", ["input_ids"]), graph.integers(1), graph.integers(2)])
    positions = graph.add("Slice", [graph.constant("positions", encoder.positions), graph.integers(0), width])
    return norm(graph, encoder, "embedded", (graph.add("Add", [graph.add("Add", [words, types]), positions]), encoder.norm))


def embed_words(graph, encoder):
    if encoder.packed_words is not None:
        halves, scales = split_blocks(encoder.packed_words)
        inputs = [graph.constant("words", halves, np.uint8), "input_ids", graph.constant("word_scales", scales, np.float16)]
        found = graph.add("GatherBlockQuantized", inputs, domain=MICROSOFT, gather_axis=0, quantize_axis=1, block_size=BLOCK, bits=4)
        return graph.add("Cast", [found], to=TensorProto.FLOAT)
    rows, scales = pack_rows(encoder.words)
    found = graph.add("Cast", [graph.add("Gather", [graph.constant("words", rows, np.int8), "input_ids"])], to=TensorProto.FLOAT)
    return graph.add("Mul", [found, graph.add("Gather", [graph.constant("word_scales", scales), "input_ids"])])


def norm(graph, encoder, name, value_and_norm):
    value, (gamma, beta) = value_and_norm
    inputs = [value, graph.constant(f"{name}_gamma", gamma), graph.constant(f"{name}_beta", beta)]
    return graph.add("LayerNormalization", inputs, axis=-1, epsilon=encoder.epsilon)


@dataclass
class Place:
    """One layer in the graph: its number, its weights, and how its matrices are quantized."""

    number: int
    layer: Layer
    sites: dict | None

    def site(self, name):
        return self.sites[f"{name}{self.number}"] if self.sites else None


def transformer_layer(graph, encoder, place, hidden_and_blocked):
    hidden, blocked = hidden_and_blocked
    layer, i = place.layer, place.number
    weights, bias = layer.qkv
    out_weights, out_bias = layer.out
    site = place.site("out")
    if site is not None:
        # What comes out of attention is linear in the values, so its smoothing costs nothing: it goes into their weights.
        width = encoder.hidden
        weights, bias, out_weights = weights.copy(), bias.copy(), out_weights * site.smooth[:, None]
        weights[:, 2 * width :] /= site.smooth
        bias[2 * width :] /= site.smooth
    qkv = product(graph, f"qkv{i}", smoothed(graph, f"qkv{i}", hidden, place.site("qkv")), (weights, bias), place.site("qkv"))
    context = attention(graph, encoder, qkv, blocked)
    attended = product(graph, f"out{i}", context, (out_weights, out_bias), site, folded=True)
    hidden = norm(graph, encoder, f"attended{i}", (graph.add("Add", [attended, hidden]), layer.out_norm))
    wide = product(graph, f"up{i}", smoothed(graph, f"up{i}", hidden, place.site("up")), layer.up, place.site("up"))
    wide = graph.add("Gelu", [wide], domain=MICROSOFT)
    down = product(graph, f"down{i}", smoothed(graph, f"down{i}", wide, place.site("down")), layer.down, place.site("down"))
    return norm(graph, encoder, f"layer{i}", (graph.add("Add", [down, hidden]), layer.down_norm))


def smoothed(graph, name, value, site):
    if site is None or np.all(site.smooth == 1):
        return value
    return graph.add("Mul", [value, graph.constant(f"{name}_smooth", 1 / site.smooth)])


def product(graph, name, value, matrix, site, folded=False):
    """value x weights + bias; `folded`: the weights hold the smoothing already."""
    weights, bias = matrix
    offset = graph.constant(f"{name}_bias", bias)
    if site is None:
        return graph.add("Add", [graph.add("MatMul", [value, graph.constant(f"{name}_weights", weights)]), offset])
    packed, scales = pack(weights if folded else weights * site.smooth[:, None])
    scale = graph.constant(f"{name}_input_scale", site.scale)
    zero = graph.constant(f"{name}_input_zero", site.zero, np.uint8)
    inputs = [
        graph.add("QuantizeLinear", [value, scale, zero]),
        graph.constant(f"{name}_weights", packed, np.int8),
        scale,
        graph.constant(f"{name}_scales", scales),
        zero,
        "",
        offset,
    ]
    return graph.add("MatMulIntegerToFloat", inputs, domain=MICROSOFT)


def attention(graph, encoder, qkv, blocked):
    heads = encoder.heads_per_layer
    size = encoder.hidden // heads
    split = graph.add("Reshape", [qkv, graph.integers(0, 0, 3, heads, size)])
    split = graph.add("Transpose", [split], perm=[2, 0, 3, 1, 4])
    query, key, value = (graph.add("Gather", [split, graph.constant(f"part_{i}", i, np.int64)], axis=0) for i in range(3))
    scores = graph.add("FusedMatMul", [query, key], domain=MICROSOFT, transB=1, alpha=float(size**-0.5))
    weights = graph.add("Softmax", [graph.add("Add", [scores, blocked])], axis=-1)
    context = graph.add("Transpose", [graph.add("MatMul", [weights, value])], perm=[0, 2, 1, 3])
    return graph.add("Reshape", [context, graph.integers(0, 0, encoder.hidden)])


def token_outputs(graph, encoder, hidden):
    """All token heads as one product."""
    weights = np.concatenate([matrix for matrix, _ in encoder.tokens.values()], axis=1)
    bias = np.concatenate([offset for _, offset in encoder.tokens.values()])
    sizes = [len(offset) for _, offset in encoder.tokens.values()]
    tags = product(graph, "tokens", hidden, (weights, bias), None)
    parts = graph.add("Split", [tags, graph.integers(*sizes)], len(sizes), axis=-1) if len(sizes) > 1 else [tags]
    for name, part, size in zip(encoder.tokens, parts, sizes):
        graph.output(part, name, ["batch", "pieces", size])


def task_outputs(graph, encoder, hidden, mask):
    """The first piece and the mean of all, through the two layers of each head; the first layers as one product."""
    column = graph.add("Unsqueeze", [mask, graph.integers(2)])
    total = graph.add("ReduceSum", [graph.add("Mul", [hidden, column]), graph.integers(1)], keepdims=0)
    mean = graph.add("Div", [total, graph.add("ReduceSum", [column, graph.integers(1)], keepdims=0)])
    first = graph.add("Gather", [hidden, graph.constant("part_0", 0, np.int64)], axis=1)
    pooled = graph.add("Concat", [first, mean], axis=1)
    heads = encoder.tasks
    matrix = np.concatenate([head.first for head in heads.values()], axis=1)
    bias = np.concatenate([head.first_bias for head in heads.values()])
    wide = graph.add("Gelu", [product(graph, "heads", pooled, (matrix, bias), None)], domain=MICROSOFT)
    widths = [len(head.first_bias) for head in heads.values()]
    parts = graph.add("Split", [wide, graph.integers(*widths)], len(widths), axis=-1) if len(widths) > 1 else [wide]
    for (name, head), part in zip(heads.items(), parts):
        logits = product(graph, f"task_{name}", part, (head.second, head.second_bias), None)
        graph.output(logits, name, ["batch", len(head.second_bias)])
