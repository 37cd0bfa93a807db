"""Trains what tells scripts apart by the recognizer's features, and how likely capitals follow each other in Cyrillic.

python train_scripts.py features.onnx TEXTS.jsonl.gz PHOTOS HEAD.npz look-alikes.txt PAGES...

features.onnx is what `convert_reader.py WHEEL FOLDER` writes, PAGES are folders of draw_print.py, PHOTOS has pictures whose parts
stand for what is no print. Per step of a line, 120 features go through 48 hidden numbers to a score of each script; the
scores of a line are the means of its steps'.
"""

import gzip
import json
import math
import random
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image

#: The order of services/analysis/src/vision/print-scripts.ts.
SCRIPTS = (
    "none Latin Han Japanese Cyrillic Greek Arabic Hebrew Devanagari Thai Hangul Bengali Tamil Telugu Gujarati Gurmukhi "
    "Georgian Armenian"
).split()
ROWS, STEP, FEATURES, HIDDEN = 48, 8, 120, 48
EPOCHS, BATCH = 30, 32
#: Errors on Latin lines count more: they would be lost.
LATIN_WEIGHT = 2.0
PARTS_OF_PHOTOS = 700


def line_of(picture, box, width):
    left, top, right, bottom = box
    part = picture.crop((max(0, left), max(0, top), min(picture.width, right), min(picture.height, bottom)))
    columns = min(1280, max(16, round(ROWS * part.width / part.height * width)))
    return np.asarray(part.resize((columns, ROWS), Image.Resampling.BILINEAR), np.float32)


def lines_of_pages(folder, rng):
    """Lines, cut as wide and as narrow as the detector does."""
    for page in map(json.loads, open(folder / "pages.jsonl", encoding="utf-8")):
        if page["turned"]:
            continue
        picture = Image.open(folder / page["file"]).convert("RGB")
        for line in page["lines"]:
            x, y, width, height = line["box"]
            if height < 8:
                continue
            down, across = height * rng.uniform(-0.2, 0.35), height * rng.uniform(0.1, 0.45)
            box = (x - across, y - down, x + width + across, y + height + down)
            yield line_of(picture, box, rng.choice([0.7, 1.0, 1.0])), page["script"]


def parts_of_photos(folder, rng):
    photos = sorted(folder.glob("*.jpg"))[::2]
    for _ in range(PARTS_OF_PHOTOS):
        picture = Image.open(rng.choice(photos)).convert("RGB")
        picture.thumbnail((1000, 1000))
        height = int(min(picture.height * 0.8, rng.choice([14, 20, 30, 45, 70, 110])))
        width = int(min(picture.width * 0.9, height * rng.uniform(0.8, 9)))
        x, y = rng.randint(0, picture.width - width), rng.randint(0, picture.height - height)
        yield line_of(picture, (x, y, x + width, y + height), 1.0), "none"


def features_of(network, lines):
    """The features of each line's steps, and the index of its script. A part of a photo that is read is left out."""
    features, scripts = [], []
    for pixels, script in lines:
        columns = -(-pixels.shape[1] // 16) * 16
        planes = np.zeros((1, 3, ROWS, columns), np.float32)
        planes[0, :, :, : pixels.shape[1]] = ((pixels[:, :, ::-1] / 255 - 0.5) / 0.5).transpose(2, 0, 1)
        best, likelihood, found = network.run(["best", "likelihood", "features"], {"line": planes})
        signs = likelihood[best > 0]
        if script == "none" and len(signs) > 2 and signs.mean() > 0.85:
            continue
        features.append(found[0, : -(-pixels.shape[1] // STEP)])
        scripts.append(SCRIPTS.index(script))
    return features, np.array(scripts)


def train(features, scripts, seed=3):
    rng = np.random.default_rng(seed)
    every = np.concatenate(features)
    mean, deviation = every.mean(0), every.std(0) + 1e-3
    weights = {
        "into": rng.normal(0, 0.09, (FEATURES, HIDDEN)).astype(np.float32),
        "into_bias": np.zeros(HIDDEN, np.float32),
        "out": rng.normal(0, 0.14, (HIDDEN, len(SCRIPTS))).astype(np.float32),
        "out_bias": np.zeros(len(SCRIPTS), np.float32),
    }
    first = {name: np.zeros_like(values) for name, values in weights.items()}
    second = {name: np.zeros_like(values) for name, values in weights.items()}
    importance = np.ones(len(SCRIPTS))
    importance[SCRIPTS.index("Latin")] = LATIN_WEIGHT
    step = 0
    for epoch in range(EPOCHS):
        rate = 3e-3 * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS)) + 1e-5
        order = rng.permutation(len(features))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            step += 1
            gradients = gradients_of(weights, [part_of(features[at], rng) for at in batch], scripts[batch], (mean, deviation, importance))
            for name, values in weights.items():
                gradient = gradients[name] + 1e-4 * values
                first[name] = 0.9 * first[name] + 0.1 * gradient
                second[name] = 0.999 * second[name] + 0.001 * gradient**2
                values -= rate * (first[name] / (1 - 0.9**step)) / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
    weights["into_bias"] = weights["into_bias"] - (mean / deviation) @ weights["into"]
    weights["into"] = weights["into"] / deviation[:, None]
    return weights


def part_of(line, rng):
    if len(line) <= 6 or rng.random() < 0.5:
        return line
    length = rng.integers(4, len(line) + 1)
    start = rng.integers(0, len(line) - length + 1)
    return line[start : start + length]


def gradients_of(weights, lines, scripts, scales):
    mean, deviation, importance = scales
    lengths = np.array([len(line) for line in lines])
    owner = np.repeat(np.arange(len(lines)), lengths)
    steps = (np.concatenate(lines) - mean) / deviation
    hidden = np.maximum(0, steps @ weights["into"] + weights["into_bias"])
    pooled = np.zeros((len(lines), HIDDEN), np.float32)
    np.add.at(pooled, owner, hidden)
    pooled /= lengths[:, None]
    scores = pooled @ weights["out"] + weights["out_bias"]
    powers = np.exp(scores - scores.max(1, keepdims=True))
    error = powers / powers.sum(1, keepdims=True)
    error[np.arange(len(lines)), scripts] -= 1
    error *= importance[scripts][:, None] / len(lines)
    back = ((error @ weights["out"].T) / lengths[:, None])[owner] * (hidden > 0)
    return {"into": steps.T @ back, "into_bias": back.sum(0), "out": pooled.T @ error, "out_bias": error.sum(0)}


#: Cyrillic capitals by the Latin ones that look the same.
ALIKE = dict(zip("АВЕКМНОРСТУХ", "ABEKMHOPCTYX"))
LETTERS = sorted(ALIKE.values()) + ["^"]
CYRILLIC = "ru uk bg sr be mk".split()
LATIN = "en de fr es it pt pl tr cs sv da nl ro hu fi hr id sk ca nb tl sl et lv lt vi".split()


def look_alikes(texts):
    """Of each pair of letters, `^` for the ends of a word, how much likelier it is in Cyrillic than in Latin."""
    words = {"Cyrillic": Counter(), "Latin": Counter()}
    with gzip.open(texts, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            script = "Cyrillic" if row["label"] in CYRILLIC else "Latin" if row["label"] in LATIN else None
            for word in re.findall(r"\w{3,}", row["text"].upper()) if script else []:
                shown = "".join(ALIKE.get(letter, letter) for letter in word) if script == "Cyrillic" else word
                if set(shown) <= set(LETTERS):
                    words[script][shown] += 1
    cyrillic, latin = pairs_of(words["Cyrillic"]), pairs_of(words["Latin"])
    return "".join(f"{pair} {cyrillic[pair] - latin[pair]:.2f}\n" for pair in sorted(cyrillic))


def pairs_of(words):
    pairs, begins, ends = Counter(), Counter(), Counter()
    for word, count in words.items():
        for first, second in zip(f"^{word}", f"{word}^"):
            weight = 1 + math.log(count)
            pairs[first + second] += weight
            begins[first] += weight
            ends[second] += weight
    total = sum(ends.values())
    usual = {letter: (ends[letter] + 0.5) / (total + 7) for letter in LETTERS}
    return {
        first + second: math.log((pairs[first + second] + 4 * usual[second]) / (begins[first] + 4))
        for first in LETTERS
        for second in LETTERS
        if first + second != "^^"
    }


def main(network, texts, photos, head, pairs, *pages):
    rng = random.Random(5)
    session = onnxruntime.InferenceSession(network)
    lines = [line for folder in pages for line in lines_of_pages(Path(folder), rng)]
    features, scripts = features_of(session, [*lines, *parts_of_photos(Path(photos), rng)])
    np.savez(head, **train(features, scripts))
    Path(pairs).write_text(look_alikes(texts))


if __name__ == "__main__":
    main(*sys.argv[1:])
