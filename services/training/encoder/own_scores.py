"""Scores every training text with an encoder, for train.py --soft: what it knows is not lost when it trains on, or to a new one.

    python own_scores.py --data DIR --body DIR --pieces FILE --weights FILE [--tasks NAME …] [--tokens FILE] --out FILE
"""

import argparse

import torch

import data as sets
from model import TASKS, load_encoder
from scoring import score, score_tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "body", "pieces", "weights", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tasks", nargs="*", choices=list(TASKS), default=list(TASKS))
    parser.add_argument("--tokens", help="rows of the token heads: also score their words for noun chunks")
    parser.add_argument("--bf16", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(2)
    pieces = sets.read_pieces(args.pieces)
    rows = [row for folder in sets.FOLDERS.values() for row in sets.read_rows(args.data, folder, "train")]
    texts = list(dict.fromkeys(row["text"] for row in rows if row["text"] in pieces))
    model = load_encoder(args.body)
    model.load_state_dict(torch.load(args.weights))
    scores = score(model, [sets.Sample(text, *pieces[text]) for text in texts], args.bf16)
    found = {"texts": texts, "scores": {task: scores[task] for task in args.tasks}}
    if args.tokens:
        samples = {text: sets.Sample(text, *pieces[text]) for text in pieces}
        sets.add_tokens(args.tokens, samples.get)
        found["tokens"] = score_tokens(model, [sample for sample in samples.values() if sample.tokens is not None], args.bf16)
    torch.save(found, args.out)


if __name__ == "__main__":
    main()
