"""The network for tags: a few layers of a transformer over one of the encoder's inner values, and a head for each tag.

It starts from the encoder's own layers above that value, and is written as an ONNX file in the same form (see graph.py).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from graph import MICROSOFT, Graph, Layer, Place, token_outputs, transformer_layer
from model import ENTITY_TAGS, POS_TAGS
from quantize import fit

SIZE, WIDE, ATTENTION_HEADS, EPSILON = 384, 1536, 12, 1e-12
DROPOUT = 0.1
# The number of scores of each head; reaches to the left and right in tokens, cuts before and after a noun in characters.
HEADS = {"entity": len(ENTITY_TAGS), "pos": len(POS_TAGS), "left": 8, "right": 8, "before": 3, "after": 6}
PARTS = ("qkv", "out", "up", "down")
NORMS = {"out_norm": "attended", "down_norm": "layer"}


class TagLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out, self.out_norm = nn.Linear(SIZE, 3 * SIZE), nn.Linear(SIZE, SIZE), nn.LayerNorm(SIZE, eps=EPSILON)
        self.up, self.down, self.down_norm = nn.Linear(SIZE, WIDE), nn.Linear(WIDE, SIZE), nn.LayerNorm(SIZE, eps=EPSILON)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, hidden, blocked):
        count, width, size = hidden.shape
        query, key, value = self.qkv(hidden).view(count, width, 3, ATTENTION_HEADS, -1).permute(2, 0, 3, 1, 4)
        context = F.scaled_dot_product_attention(query, key, value, attn_mask=blocked.to(query.dtype))
        hidden = self.out_norm(hidden + self.dropout(self.out(context.transpose(1, 2).reshape(count, width, size))))
        return self.down_norm(hidden + self.dropout(self.down(F.gelu(self.up(hidden)))))


class TagNetwork(nn.Module):
    def __init__(self, layers: int, heads: list):
        super().__init__()
        self.layers = nn.ModuleList(TagLayer() for _ in range(layers))
        self.heads = nn.ModuleDict({name: nn.Linear(SIZE, HEADS[name]) for name in heads})

    def forward(self, states, mask):
        """[texts, pieces, SIZE], with [texts, pieces] of 1 where there is a piece."""
        blocked = (1 - mask[:, None, None, :]) * -1e4
        for layer in self.layers:
            states = layer(states, blocked)
        return states


def start_from(network: TagNetwork, encoder: Path, first: int) -> None:
    """Fills the layers with those of the encoder from `first` on, as they were rounded for int8."""
    arrays = {constant.name: numpy_helper.to_array(constant) for constant in onnx.load(str(encoder)).graph.initializer}
    for i, layer in enumerate(network.layers, first):
        for part in PARTS:
            weights = arrays[f"{part}{i}_weights"]
            if weights.dtype == np.int8:
                weights = weights.astype(np.float32) * arrays[f"{part}{i}_scales"]
            if f"{part}{i}_smooth" in arrays:
                weights = weights * arrays[f"{part}{i}_smooth"][:, None]
            fill(getattr(layer, part), weights.T, arrays[f"{part}{i}_bias"])
        for norm, name in NORMS.items():
            fill(getattr(layer, norm), arrays[f"{name}{i}_gamma"], arrays[f"{name}{i}_beta"])


def fill(module: nn.Module, weights: np.ndarray, bias: np.ndarray) -> None:
    module.weight.data.copy_(torch.tensor(np.ascontiguousarray(weights)))
    module.bias.data.copy_(torch.tensor(bias))


@dataclass
class Shape:
    """What graph.py asks of an encoder."""

    heads_per_layer: int
    hidden: int
    epsilon: float
    tokens: dict


def write(network: TagNetwork, file: Path, calibration: list) -> None:
    """Writes the network with int8 matrices; `calibration`: states of some hundred texts, [pieces, SIZE] each."""
    network.eval()
    inputs = record(network, calibration)
    layers = [
        Layer(matrix(layer.qkv), matrix(layer.out), vector(layer.out_norm), matrix(layer.up), matrix(layer.down), vector(layer.down_norm))
        for layer in network.layers
    ]
    sites = {f"{part}{i}": fit(inputs[f"{part}{i}"], getattr(layer, part)[0])[0] for i, layer in enumerate(layers) for part in PARTS}
    shape = Shape(ATTENTION_HEADS, SIZE, EPSILON, {name: matrix(head) for name, head in network.heads.items()})
    graph = Graph()
    mask = graph.add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    blocked = graph.add("Mul", [graph.add("Sub", [graph.constant("one", [1]), mask]), graph.constant("never", [-10000])])
    hidden, blocked = "states", graph.add("Unsqueeze", [blocked, graph.integers(1, 2)])
    for i, layer in enumerate(layers):
        hidden = transformer_layer(graph, shape, Place(i, layer, sites), (hidden, blocked))
    token_outputs(graph, shape, hidden)
    given = [
        helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "pieces", SIZE]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "pieces"]),
    ]
    made = helper.make_graph(graph.nodes, "tags", given, graph.outputs, list(graph.constants.values()))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    onnx.save(helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="hourglass"), str(file))


def record(network: TagNetwork, texts: list) -> dict:
    """What flows into every matrix: {site: [rows, inputs]}."""
    rows: dict = {}

    def watch(module, site):
        module.register_forward_pre_hook(lambda _, given: rows.setdefault(site, []).append(given[0].reshape(-1, given[0].shape[-1])))

    for i, layer in enumerate(network.layers):
        for part in PARTS:
            watch(getattr(layer, part), f"{part}{i}")
    with torch.inference_mode():
        for states in texts:
            network(torch.from_numpy(states)[None], torch.ones(1, len(states)))
    return {site: torch.cat(kept).numpy() for site, kept in rows.items()}


def matrix(module: nn.Module) -> tuple:
    return module.weight.detach().numpy().T.copy(), module.bias.detach().numpy()


def vector(module: nn.Module) -> tuple:
    return module.weight.detach().numpy(), module.bias.detach().numpy()
