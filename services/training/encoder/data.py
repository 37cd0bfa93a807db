"""Training samples: every distinct text once, with all that is known about it."""

import gzip
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import torch

from model import TASKS

PIECES_MAX = 96
FOLDERS = {"sentiment-simple": "sentiment-simple", "sentiment-real": "sentiment-real", "intention": "intention", "spam-detection": "spam"}
# More rows of sentiment-simple, in eight languages; for the multilingual encoder.
MULTILINGUAL = "sentiment-multilingual"
# Rows written for training, beside this folder; see its README.
WRITTEN = Path(__file__).parent.parent / "written"
# Every eighth of their lines is held out for development, as in src/written-rows.ts.
WRITTEN_DEV_EVERY = 8
# The label of a written text that says nothing about a task: to be scored like the labels' frequencies.
UNCERTAIN = -1
# How far a label is trusted, by the quality that the data set states.
TRUST = {"mapped": 1.0, "mapped-good": 1.0, "mapped-fair": 0.9, "mapped-weak": 0.8, "weak": 0.7, "weak-keyword": 0.5, None: 1.0}


@dataclass
class Sample:
    text: str
    ids: list
    shapes: list
    first: list
    labels: dict = field(default_factory=dict)  # task -> (index, trust)
    soft: dict = field(default_factory=dict)  # task -> scores of the teacher
    emotions: list | None = None
    language: str = "en"
    lower: torch.Tensor | None = None  # what leaves the frozen layers of the encoder
    tokens: dict | None = None
    written: bool = False


def read_rows(data: str, name: str, part: str) -> list:
    with gzip.open(Path(data) / name / f"{part}.jsonl.gz", "rt", encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def read_pieces(file: str) -> dict:
    with open(file, encoding="utf8") as lines:
        rows = map(json.loads, lines)
        return {row["text"]: (row["ids"], row["shapes"], row["first"]) for row in rows}


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def goemotion_labels(data: str) -> list:
    return sorted({label for row in read_rows(data, "goemotions-raw", "train") for label in row["labels"]})


def load(data: str, pieces: dict, soft_files: list, token_file: str | None, multilingual: bool = False) -> list:
    """All training samples; texts of any development set, by their letters, are left out."""
    held_out = {letters(row["text"]) for name in [*FOLDERS.values(), "goemotions-raw", MULTILINGUAL] for row in read_rows(data, name, "dev")} - {""}
    samples: dict[str, Sample] = {}

    def sample(text: str) -> Sample | None:
        if text not in samples:
            if letters(text) in held_out or text not in pieces:
                return None
            samples[text] = Sample(text, *pieces[text])
        return samples[text]

    if multilingual:
        for row in read_rows(data, MULTILINGUAL, "train"):
            known = sample(row["text"])
            if known is not None:
                known.language = row["lang"]
                known.labels["sentiment-simple"] = (TASKS["sentiment-simple"].index(row["label"]), 1.0)
    for task, folder in FOLDERS.items():
        for row in read_rows(data, folder, "train"):
            known = sample(row["text"])
            if known is not None and task not in known.labels:
                known.labels[task] = (TASKS[task].index(row["label"]), TRUST[row.get("quality")])
    emotions = goemotion_labels(data)
    for row in read_rows(data, "goemotions-raw", "train"):
        known = sample(row["text"])
        if known is not None:
            known.emotions = [emotions.index(label) for label in row["labels"]]
    for file in soft_files:
        add_soft(torch.load(file), samples)
    if token_file:
        add_tokens(token_file, sample)
    add_written(sample, multilingual)
    return list(samples.values())


def read_written(held_out: bool = False) -> list:
    """The rows for training or those held out, [(file name without ending, {task: label}, text)]; a label that is not stated is "."."""
    rows = []
    for file in sorted(WRITTEN.glob("*.tsv")):
        for at, line in enumerate(file.read_text(encoding="utf8").rstrip("\n").split("\n")):
            if (at % WRITTEN_DEV_EVERY == WRITTEN_DEV_EVERY - 1) == held_out:
                *labels, text = line.split("\t")
                rows.append((file.stem, dict(zip(FOLDERS, labels)), text))
    return rows


def add_written(sample, multilingual: bool) -> None:
    for name, labels, text in read_written():
        language = name.split("-")[0]
        if language != "en" and not multilingual:
            continue
        known = sample(text)
        if known is None:
            continue
        known.language, known.written = language, True
        for task, label in labels.items():
            if label != ".":
                known.labels[task] = (TASKS[task].index(label), 1.0)
        if labels["sentiment-simple"] == labels["sentiment-real"] == "." and labels["spam-detection"] == "ham" and len(known.first) <= 4:
            known.labels |= {task: (UNCERTAIN, 1.0) for task in ("sentiment-simple", "sentiment-real")}


def add_soft(soft: dict, samples: dict) -> None:
    """Adds a teacher's scores where an earlier teacher has given none."""
    for task, scores in soft["scores"].items():
        for text, row in zip(soft["texts"], scores):
            if text in samples:
                samples[text].soft.setdefault(task, row)


def add_tokens(file: str, sample) -> None:
    with gzip.open(file, "rt", encoding="utf8") as lines:
        for row in map(json.loads, lines):
            known = sample(row["text"]) if row["split"] == "train" else None
            if known is not None and len(row["tokens"]) == len(known.first):
                known.tokens = {name: row[name] for name in ("entity", "pos", "left", "right", "weight", "chunkWeight")}


def collate(samples: list, frame: tuple, pieces_max: int = PIECES_MAX) -> dict:
    """Pads to the longest; pieces over the limit are cut, which happens to a few training texts only."""
    cut = [min(len(s.ids), pieces_max - 2) for s in samples]
    width = max(cut) + 2
    ids = torch.zeros(len(samples), width, dtype=torch.long)
    mask = torch.zeros_like(ids)
    shapes = torch.zeros_like(ids)
    for row, (s, size) in enumerate(zip(samples, cut)):
        ids[row, 0], ids[row, size + 1] = frame
        ids[row, 1 : size + 1] = torch.tensor(s.ids[:size])
        shapes[row, 1 : size + 1] = torch.tensor(s.shapes[:size])
        mask[row, : size + 2] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": shapes}


def batches(samples: list, size: int, rng) -> list:
    """Shuffled batches of samples of similar length."""
    order = list(range(len(samples)))
    rng.shuffle(order)
    result = []
    for start in range(0, len(order), size * 40):
        block = sorted(order[start : start + size * 40], key=lambda i: len(samples[i].ids))
        result += [block[at : at + size] for at in range(0, len(block), size)]
    rng.shuffle(result)
    return result
