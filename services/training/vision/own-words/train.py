"""Trains our own words on what the classifier says of pictures, and writes them as the product reads them.

Run:  python train.py DIR own-words.json   (needs numpy and scikit-learn; DIR has logits.txt and logits.bin)

A word is a logistic regression on the 1,000 logits. Printed for each word, by four parts of which each is scored by the
words of the other three: how many pictures of it score the least and more, and how many others do.
"""

import json
import pathlib
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

HERE = pathlib.Path(__file__).resolve().parent
#: The least score of each word: from which on at most a few of some 3,000 other pictures were called it.
LEAST = {
    "flower": 3, "leaf": 3, "windmill": 1, "pyramid": 2, "building": 2, "landscape": 2.6, "painting": 3,
    "planet": 1, "solar panel": 1, "chart": 2, "document": 2, "screenshot": 3.2, "drawing": 3.5,
}
#: Pictures of these words are neither right nor wrong for a word.
UNDECIDED = {
    "flower": {"leaf", "tree", "painting"}, "leaf": {"flower", "tree"}, "windmill": {"building"}, "pyramid": set(),
    "building": {"windmill", "statue", "pyramid", "tree"}, "landscape": {"outdoors"}, "painting": {"drawing"}, "planet": {"drawing"},
    "solar panel": {"building"}, "chart": {"diagram", "screenshot"}, "document": {"diagram", "screenshot"},
    "screenshot": {"diagram", "graphic", "chart", "document"}, "drawing": {"painting", "diagram", "planet"},
}
#: Of pictures of one word, every third is enough to tell other words from it.
THINNED = 3


def main(folder, target):
    names = (folder / "logits.txt").read_text().split("\n")
    logits = np.fromfile(folder / "logits.bin", dtype="<f4").reshape(len(names), -1)
    labels = {}
    for word, photos in json.loads((HERE / "labels.json").read_text()).items():
        for photo in photos:
            labels.setdefault(f"photos/{photo.replace('/', '__')}.jpg", set()).add(word)
    of = [labels.get(name, set() if name.startswith(("photos/", "plain/")) else {name.split("/")[0]}) for name in names]
    shared = np.array([name.startswith(("photos/", "plain/")) for name in names])
    mean, spread = logits.mean(0), logits.std(0)
    scaled = (logits - mean) / spread
    # Neighbors in the list are often alike, so they stay in one part.
    groups = np.arange(len(names)) // 10
    rows = {}
    for word, least in LEAST.items():
        right = np.array([word in each for each in of])
        counts = np.array([right[at] or (not each & UNDECIDED[word] and (shared[at] or at % THINNED == 0)) for at, each in enumerate(of)])
        at = np.flatnonzero(counts)
        scores = np.zeros(len(at))
        for learned, judged in GroupKFold(4).split(at, groups=groups[at]):
            scores[judged] = regression().fit(scaled[at[learned]], right[at[learned]]).decision_function(scaled[at[judged]])
        found, others = scores[right[at]] >= least, scores[~right[at]] >= least
        print(f"{word}: {found.sum()} of {len(found)} found, {others.sum()} of {len(others)} others")
        fitted = regression().fit(scaled[at], right[at])
        weights = fitted.coef_[0] / spread
        bias = fitted.intercept_[0] - (fitted.coef_[0] * mean / spread).sum()
        rows[word] = {"least": least, "bias": float(f"{bias:.5g}"), "weights": [float(f"{weight:.4g}") for weight in weights]}
    lines = (f"{json.dumps(word)}: {json.dumps(row, separators=(',', ': '))}" for word, row in rows.items())
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def regression():
    return LogisticRegression(C=0.002, max_iter=300, class_weight="balanced")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
