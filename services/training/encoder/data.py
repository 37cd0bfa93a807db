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
# More rows of sentiment-simple, in eight languages; the English ones for both encoders.
MULTILINGUAL = "sentiment-multilingual"
# The 28 labels that most of sentiment-real was mapped from.
EMOTIONS = "goemotions-raw"
# Rows written for training, beside this folder; see its README.
WRITTEN = Path(__file__).parent.parent / "written"
# Every eighth of their lines is held out for development, as in src/written-rows.ts.
WRITTEN_DEV_EVERY = 8
# The label of a written text that says nothing about a task: to be scored like the labels' frequencies.
UNCERTAIN = -1
# Files of sarcasm and of sincere posts in the same words: the text alone rarely tells which, so their labels are taught as
# likely, not as certain.
AMBIGUOUS = {"en-irony", "en-mockery", "en-praise", "en-sarcasm"}
LIKELY = 0.7
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
    token_soft: dict = field(default_factory=dict)  # token head -> scores of an earlier encoder [words, tags]
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


def read_held_out(data: str) -> set:
    """The letters of all texts for development."""
    return {letters(row["text"]) for name in [*FOLDERS.values(), EMOTIONS, MULTILINGUAL] for row in read_rows(data, name, "dev")} - {""}


def goemotion_labels(data: str) -> list:
    return sorted({label for row in read_rows(data, EMOTIONS, "train") for label in row["labels"]})


def load(data: str, pieces: dict, soft_files: list, token_file: str | None, multilingual: bool = False) -> list:
    """All training samples; texts of any development set, by their letters, are left out."""
    held_out = read_held_out(data)
    samples: dict[str, Sample] = {}

    def sample(text: str) -> Sample | None:
        if text not in samples:
            if letters(text) in held_out or text not in pieces:
                return None
            samples[text] = Sample(text, *pieces[text])
        return samples[text]

    for row in read_rows(data, MULTILINGUAL, "train"):
        known = sample(row["text"]) if multilingual or row["lang"] == "en" else None
        if known is not None:
            known.language = row["lang"]
            known.labels["sentiment-simple"] = (TASKS["sentiment-simple"].index(row["label"]), 1.0)
    for task, folder in FOLDERS.items():
        for row in read_rows(data, folder, "train"):
            known = sample(row["text"])
            if known is not None and task not in known.labels:
                known.labels[task] = (TASKS[task].index(row["label"]), TRUST[row.get("quality")])
    emotions = goemotion_labels(data)
    for row in read_rows(data, EMOTIONS, "train"):
        known = sample(row["text"])
        if known is not None:
            known.emotions = [emotions.index(label) for label in row["labels"]]
    if token_file:
        add_tokens(token_file, sample)
    add_soft(soft_files, samples)
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
        if name in AMBIGUOUS and labels["sentiment-simple"] != ".":
            known.soft["sentiment-simple"] = likely("sentiment-simple", labels["sentiment-simple"])
        if labels["sentiment-simple"] == labels["sentiment-real"] == "." and labels["spam-detection"] == "ham" and len(known.first) <= 4:
            known.labels |= {task: (UNCERTAIN, 1.0) for task in ("sentiment-simple", "sentiment-real")}


def likely(task: str, label: str) -> torch.Tensor:
    """Scores that give the label the probability LIKELY, and the others equal parts of the rest."""
    shares = torch.full((len(TASKS[task]),), (1 - LIKELY) / (len(TASKS[task]) - 1))
    shares[TASKS[task].index(label)] = LIKELY
    return shares.log()


def add_soft(files: list, samples: dict) -> None:
    """Adds teachers' scores; of several teachers, their mean."""
    given: dict = {}
    for file in files:
        soft = torch.load(file)
        for task, scores in soft["scores"].items():
            for text, row in zip(soft["texts"], scores):
                if text in samples:
                    given.setdefault((text, task), []).append(row)
        for text, scores in soft.get("tokens", {}).items():
            if text in samples and samples[text].tokens is not None:
                samples[text].token_soft = scores
    for (text, task), rows in given.items():
        samples[text].soft[task] = torch.stack(rows).mean(0)


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
