"""Turns the matrices of the encoder into int8.

Weights: one scale per output column and 7 bits (-64..64). With 8 bits a pair of products can overflow the 16-bit sums of
CPUs that have AVX2 but no VNNI; with 7 bits the result is the same on every CPU.

Activations: one fixed scale and zero point per matrix, found on calibration texts. Scales taken from the batch at run time
would make the result of a text depend on the texts beside it, and cost a pass over the values.

A few channels of a transformer are many times larger than the rest and would take all steps of a common scale. So each
input channel is divided by a factor that is multiplied into the weights (alpha between the two ranges); alpha is chosen
per matrix by the error of its output on the calibration rows.
"""

from dataclasses import dataclass

import numpy as np

WEIGHT_MAX = 64
STEPS = 255
ALPHAS = (0.0, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)
ROWS = 1500
# Weights of a block of 4 bits, and its bytes: a scale of 16 bits, and the halves.
BLOCK, BLOCK_BYTES = 32, 18


@dataclass
class Site:
    """How the input of one matrix becomes uint8: value / smooth / scale + zero."""

    smooth: np.ndarray
    scale: np.float32
    zero: np.uint8


def quantize(encoder, inputs):
    """({site: Site}, {site: relative error of the output}) for the recorded inputs of every matrix."""
    sites, errors = {}, {}
    for i, layer in enumerate(encoder.layers):
        for name, (weights, _) in (("qkv", layer.qkv), ("out", layer.out), ("up", layer.up), ("down", layer.down)):
            sites[f"{name}{i}"], errors[f"{name}{i}"] = fit(inputs[f"{name}{i}"], weights)
    return sites, errors


def fit(rows, weights):
    some = rows[:: max(1, len(rows) // ROWS)]
    wanted = some @ weights
    size = float((wanted**2).sum()) or 1.0
    best = None
    for alpha in ALPHAS:
        site = site_of(rows, weights, alpha)
        packed, scales = pack(weights * site.smooth[:, None])
        steps = np.clip(np.round(some / site.smooth / site.scale) + site.zero, 0, STEPS) - site.zero
        off = float((((steps * site.scale) @ (packed * scales) - wanted) ** 2).sum())
        if best is None or off < best[0]:
            best = (off, site)
    return best[1], round((best[0] / size) ** 0.5, 4)


def site_of(rows, weights, alpha):
    reach = np.abs(rows).max(0).clip(1e-5)
    smooth = reach**alpha / np.abs(weights).max(1).clip(1e-5) ** (1 - alpha) if alpha else np.ones_like(reach)
    smooth = (smooth / np.exp(np.log(smooth).mean())).astype(np.float32)
    smoothed = rows / smooth
    low, high = min(0.0, float(smoothed.min())), max(1e-6, float(smoothed.max()))
    scale = np.float32((high - low) / STEPS)
    return Site(smooth, scale, np.uint8(np.clip(round(-low / float(scale)), 0, STEPS)))


def pack(weights):
    """int8 columns and their scales."""
    scales = np.abs(weights).max(0) / WEIGHT_MAX
    scales[scales == 0] = 1
    return np.clip(np.round(weights / scales), -WEIGHT_MAX, WEIGHT_MAX).astype(np.int8), scales.astype(np.float32)


def pack_rows(table):
    """int8 rows of an embedding table and their scales [rows, 1]."""
    scales = np.abs(table).max(1, keepdims=True) / 127
    scales[scales == 0] = 1
    return np.round(table / scales).astype(np.int8), scales.astype(np.float32)


def split_blocks(packed):
    """
    Blocks of 4 bits as e5.py keeps them, [rows, bytes], for GatherBlockQuantized: two neighbors a byte, the first in the
    lower half, and the scales. A block holds weight i beside weight i + 16.
    """
    blocks = packed.reshape(len(packed), -1, BLOCK_BYTES)
    scales = blocks[:, :, :2].copy().view(np.float16)[:, :, 0]
    halves = np.concatenate([blocks[:, :, 2:] & 15, blocks[:, :, 2:] >> 4], axis=2)
    return (halves[:, :, 0::2] | halves[:, :, 1::2] << 4).reshape(len(packed), -1), scales
