"""Averages the weights of runs of which one began from the other, or all from the same: the mean keeps most of what each knows.

    python average.py --runs SHARE FILE [SHARE FILE …] --out FILE
"""

import argparse

import torch


def average(runs: list) -> dict:
    """Weighted mean of state dictionaries, [(share, state)]; whole numbers are those of the first."""
    total = sum(share for share, _ in runs)
    return {
        name: sum(share / total * state[name] for share, state in runs) if first.is_floating_point() else first
        for name, first in runs[0][1].items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", nargs="+", required=True, metavar="SHARE FILE", help="each run's share, and its weights")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    torch.save(average([(float(share), torch.load(file)) for share, file in zip(args.runs[::2], args.runs[1::2])]), args.out)
