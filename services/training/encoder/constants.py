"""The weights in an exported encoder, as trainings that start from them read them."""

import numpy as np
from onnx import numpy_helper

from model import CHUNK_HEADS, TOKEN_HEADS


class Constants:
    """The encoder's own constants by their names; those that it has no more, of the first of the parts (see graft.py) that has them."""

    def __init__(self, network, *parts: str):
        self.constants = {constant.name: constant for constant in network.graph.initializer}
        for part in parts:
            for name in [name for name in self.constants if name.startswith(f"{part}/")]:
                self.constants.setdefault(name.removeprefix(f"{part}/"), self.constants[name])

    def __contains__(self, name: str) -> bool:
        return name in self.constants

    def __getitem__(self, name: str) -> np.ndarray:
        return numpy_helper.to_array(self.constants[name])

    def matrix(self, name: str) -> tuple:
        """(weights [inputs, outputs], bias) of a product, as rounded for int8, with its smoothing undone."""
        weights = self[f"{name}_weights"]
        if weights.dtype == np.int8:
            weights = weights.astype(np.float32) * self[f"{name}_scales"]
        if f"{name}_smooth" in self:
            weights = weights * self[f"{name}_smooth"][:, None]
        return weights, self[f"{name}_bias"]

    def token_heads(self) -> dict:
        """{name: (weights, bias)} of the heads of pieces but those of the network for tags; labels.py leaves entities out."""
        if "tokens_weights" not in self:
            return {}
        weights, bias = self.matrix("tokens")
        sizes = {name: size for name, size in TOKEN_HEADS.items() if len(bias) == sum(TOKEN_HEADS.values()) or name in CHUNK_HEADS}
        ends = np.cumsum(list(sizes.values()))[:-1]
        return dict(zip(sizes, zip(np.split(weights, ends, axis=1), np.split(bias, ends))))
