"""New upper layers of an encoder: a few layers of a transformer over one of its inner values, and heads for tags and labels.

They start from the encoder's own layers above that value, or from those grafted in their place, and become a network in
the ONNX format in the same form (see graph.py), which graft.py puts into the encoder's.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper
from torch import nn

from constants import Constants
from graph import MICROSOFT, Graph, Head, Layer, Place, task_outputs, token_outputs, transformer_layer
from model import ENTITY_TAGS, POS_TAGS, TASKS
from quantize import fit
from states import SIZE

WIDE, ATTENTION_HEADS, EPSILON, UNITS = 1536, 12, 1e-12, 192
DROPOUT, DECAY, WARM = 0.1, 0.01, 0.04
# The number of scores of each head; reaches to the left and right in tokens, cuts before and after a noun in characters.
TAGS = {"entity": len(ENTITY_TAGS), "pos": len(POS_TAGS), "left": 8, "right": 8, "before": 3, "after": 6}
# The output of the network for each classification.
OUTPUTS = {"sentiment-simple": "sentiment_simple", "sentiment-real": "sentiment_real", "intention": "intention", "spam-detection": "spam"}
PARTS = ("qkv", "out", "up", "down")
NORMS = {"out_norm": "attended", "down_norm": "layer"}


class UpperLayer(nn.Module):
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


class UpperLayers(nn.Module):
    def __init__(self, layers: int, tags: dict, tasks: list):
        """`tags`: the number of scores of each head of pieces; `tasks`: the classifications."""
        super().__init__()
        self.layers = nn.ModuleList(UpperLayer() for _ in range(layers))
        self.tags = nn.ModuleDict({name: nn.Linear(SIZE, size) for name, size in tags.items()})
        self.tasks = nn.ModuleDict({OUTPUTS[task]: head_of(len(TASKS[task])) for task in tasks})

    def forward(self, states, mask):
        """[texts, pieces, SIZE], with [texts, pieces] of 1 where there is a piece."""
        blocked = (1 - mask[:, None, None, :]) * -1e4
        for layer in self.layers:
            states = layer(states, blocked)
        return states

    def task_scores(self, read, mask) -> dict:
        mean = (read * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        pooled = torch.cat([read[:, 0], mean], 1)
        return {name: head(pooled) for name, head in self.tasks.items()}


def head_of(labels: int) -> nn.Module:
    return nn.Sequential(nn.Linear(2 * SIZE, UNITS), nn.GELU(), nn.Dropout(DROPOUT), nn.Linear(UNITS, labels))


def start_from(network: UpperLayers, encoder: Path, first: int, part: str) -> None:
    """Fills the layers with those of the encoder, or of its part, from `first` on, as they were rounded for int8."""
    constants = Constants(onnx.load(str(encoder)), part, "labels")
    for i, layer in enumerate(network.layers, first):
        for name in PARTS:
            weights, bias = constants.matrix(f"{name}{i}")
            fill(getattr(layer, name), weights, bias)
        for norm, name in NORMS.items():
            fill(getattr(layer, norm), constants[f"{name}{i}_gamma"], constants[f"{name}{i}_beta"])


def start_heads(network: UpperLayers, encoder: Path) -> None:
    """Fills the heads with the encoder's own, or with those that were grafted in their place."""
    constants = Constants(onnx.load(str(encoder)), "labels")
    first, first_bias = constants.matrix("heads")
    for i, (name, head) in enumerate(network.tasks.items()):
        own = slice(UNITS * i, UNITS * (i + 1))
        fill(head[0], first[:, own], first_bias[own])
        fill(head[-1], *constants.matrix(f"task_{name}"))
    own = constants.token_heads()
    for name, head in network.tags.items():
        fill(head, *own[name])


def optimize(network: UpperLayers, batches: list, loss_of, rates: tuple, clip: float, after=lambda: None) -> None:
    """
    One step for each batch. `rates`: of the layers and of the heads; they rise in the first steps and fall to zero.
    `clip`: the greatest norm of the slopes; `after` follows each step.
    """
    heads = [*network.tasks.parameters(), *network.tags.parameters()]
    groups = [{"params": network.layers.parameters(), "lr": rates[0]}, {"params": heads, "lr": rates[1]}]
    steps = torch.optim.AdamW(groups, weight_decay=DECAY, fused=True)
    warm, count = max(1.0, WARM * len(batches)), len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(steps, lambda step: min((step + 1) / warm, max(0.0, (count - step) / count)))
    for step, chosen in enumerate(batches):
        loss = loss_of(chosen)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), clip)
        steps.step()
        schedule.step()
        steps.zero_grad(set_to_none=True)
        after()
        if step % 100 == 99:
            print(f"{step + 1} of {count}, loss {loss.item():.3f}", flush=True)


def fill(module: nn.Module, weights: np.ndarray, bias: np.ndarray) -> None:
    module.weight.data.copy_(torch.tensor(np.ascontiguousarray(weights.T)))
    module.bias.data.copy_(torch.tensor(bias))


@dataclass
class Shape:
    """What graph.py asks of an encoder."""

    heads_per_layer: int
    hidden: int
    epsilon: float
    tokens: dict
    tasks: dict


def onnx_of(network: UpperLayers, first: int, calibration: list):
    """
    The network in the ONNX format, with int8 matrices. `first` is the number of its first layer; `calibration`: states of
    some hundred texts, [pieces, SIZE] each.
    """
    network.eval()
    inputs = record(network, first, calibration)
    layers = [
        Layer(matrix(layer.qkv), matrix(layer.out), vector(layer.out_norm), matrix(layer.up), matrix(layer.down), vector(layer.down_norm))
        for layer in network.layers
    ]
    sites = {f"{part}{i}": fit(inputs[f"{part}{i}"], getattr(layer, part)[0])[0] for i, layer in enumerate(layers, first) for part in PARTS}
    tags = {name: matrix(head) for name, head in network.tags.items()}
    tasks = {name: Head(*matrix(head[0]), *matrix(head[-1])) for name, head in network.tasks.items()}
    shape = Shape(ATTENTION_HEADS, SIZE, EPSILON, tags, tasks)
    graph = Graph()
    mask = graph.add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    blocked = graph.add("Mul", [graph.add("Sub", [graph.constant("one", [1]), mask]), graph.constant("never", [-10000])])
    hidden, blocked = "states", graph.add("Unsqueeze", [blocked, graph.integers(1, 2)])
    for i, layer in enumerate(layers, first):
        hidden = transformer_layer(graph, shape, Place(i, layer, sites), (hidden, blocked))
    if tags:
        token_outputs(graph, shape, hidden)
    if tasks:
        task_outputs(graph, shape, hidden, mask)
    given = [
        helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "pieces", SIZE]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "pieces"]),
    ]
    made = helper.make_graph(graph.nodes, "upper layers", given, graph.outputs, list(graph.constants.values()))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="hourglass")


def record(network: UpperLayers, first: int, texts: list) -> dict:
    """What flows into every matrix: {site: [rows, inputs]}."""
    rows: dict = {}

    def watch(module, site):
        module.register_forward_pre_hook(lambda _, given: rows.setdefault(site, []).append(given[0].reshape(-1, given[0].shape[-1])))

    for i, layer in enumerate(network.layers, first):
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
