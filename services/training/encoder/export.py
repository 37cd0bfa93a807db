"""Writes the trained encoder as an ONNX file that onnxruntime runs fast on one CPU thread.

    export(model, folder, calibration) -> folder/model.onnx (int8) and the figures of `Exported`
    write_card(folder, version, linear_shares) -> folder/model.json with the checksums of what lies beside it

    python export.py --weights FILE --body DIR --data DIR --pieces FILE --folder DIR --version V

does both: the weights as train.py wrote them, the folder with tokenizer.json in it. calibrate.ts fits the temperatures, which are 1 here.
`model` is an `Encoder` of model.py. Outputs are [batch, labels] per task, [batch, pieces, tags] per token head.
`calibration` holds some hundred texts as they will be run: (input_ids, token_type_ids) with the pieces at both ends, two
lists of integers per text.

The graph is written by hand (see graph.py) because its form decides the speed; how the weights become int8, and why the
activations have fixed scales, stands in quantize.py.
"""

import argparse
import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch

import data as sets
from graph import Encoder, Head, Layer, write_graph
from model import ENTITY_TAGS, POS_TAGS, TASKS, TOKEN_HEADS, load_encoder
from quantize import quantize

PIECES_MAX = 128
FORMAT = 1
# How much the fast engine's linear model counts beside the encoder. Chosen on the development data, where .1 to .4 do alike, and on
# the held-out rows written for training, where less is better: words alone say little of negation. That of spam is set by hand.
LINEAR_SHARES = {"sentiment-simple": 0.15, "sentiment-real": 0.3, "intention": 0.2, "spam-detection": 0.85}


@dataclass
class Exported:
    """What the export did: size in MB, and how far the outputs are from torch's (relative root mean square)."""

    megabytes: float
    float_error: dict[str, float]
    int8_error: dict[str, float]
    sites: dict[str, float]


def export(model, folder, calibration, check=48):
    """Writes `folder/model.onnx`; `check` texts of the calibration measure the error against torch."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    encoder = read_encoder(model)
    sites, errors = quantize(encoder, record(model.body, calibration))
    texts = calibration[:: max(1, len(calibration) // check)][:check]
    wanted = torch_outputs(model, texts)
    plain = folder / "model.float.onnx"
    write_graph(encoder, plain, None)
    float_error = difference(run(plain, texts), wanted)
    plain.unlink()
    path = folder / "model.onnx"
    write_graph(encoder, path, sites)
    int8_error = difference(run(path, texts), wanted)
    return Exported(round(path.stat().st_size / 1e6, 2), float_error, int8_error, errors)


def calibration_texts(data, pieces, model, count=400, seed=7):
    """Training texts of all sets, for the multilingual encoder mostly in other languages, cut and framed as they will be run."""
    rng = random.Random(seed)
    texts = []
    names = [*sets.FOLDERS.values(), *[sets.MULTILINGUAL] * (0 if model.packed_words is None else len(sets.FOLDERS))]
    for name in names:
        known = [pieces[row["text"]] for row in sets.read_rows(data, name, "train") if row["text"] in pieces]
        texts += rng.sample(known, min(count // len(names), len(known)))
    rng.shuffle(texts)
    inner = sets.PIECES_MAX - 2
    start, end = model.frame
    return [([start, *ids[:inner], end], [0, *shapes[:inner], 0]) for ids, shapes, _ in texts]


def write_card(folder, version, linear_shares):
    """`linear_shares`: how much the linear models count in each."""
    folder = Path(folder)
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")}
    card = {
        "format": FORMAT,
        "version": version,
        "sha256": sums,
        "tasks": {task: {"labels": labels, "temperature": 1.0, "linearShare": linear_shares[task]} for task, labels in TASKS.items()},
        "tags": {"entity": ENTITY_TAGS, "pos": POS_TAGS, "left": TOKEN_HEADS["left"], "right": TOKEN_HEADS["right"]},
    }
    (folder / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")


def read_encoder(model):
    """The weights of the module as arrays; matrices as [inputs, outputs]."""
    state = {name: value.detach().float().numpy() for name, value in model.body.state_dict().items()}
    layers = [read_layer(state, f"encoder.layer.{i}.") for i in range(model.body.config.num_hidden_layers)]
    return Encoder(
        words=state["embeddings.word_embeddings.weight"],
        packed_words=model.packed_words,
        positions=state["embeddings.position_embeddings.weight"][:PIECES_MAX],
        types=state["embeddings.token_type_embeddings.weight"],
        norm=norm_of(state, "embeddings.LayerNorm"),
        heads_per_layer=model.body.config.num_attention_heads,
        epsilon=model.body.config.layer_norm_eps,
        layers=layers,
        tasks={output_name(name): read_head(head) for name, head in model.heads.items()},
        tokens={output_name(name): linear_of(head) for name, head in model.tokens.items()},
    )


def read_layer(state, prefix):
    attention = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
    return Layer(
        qkv=(
            np.concatenate([state[f"{part}.weight"].T for part in attention], axis=1),
            np.concatenate([state[f"{part}.bias"] for part in attention]),
        ),
        out=matrix_of(state, f"{prefix}attention.output.dense"),
        out_norm=norm_of(state, f"{prefix}attention.output.LayerNorm"),
        up=matrix_of(state, f"{prefix}intermediate.dense"),
        down=matrix_of(state, f"{prefix}output.dense"),
        down_norm=norm_of(state, f"{prefix}output.LayerNorm"),
    )


def matrix_of(state, name):
    return state[f"{name}.weight"].T.copy(), state[f"{name}.bias"]


def norm_of(state, name):
    return state[f"{name}.weight"], state[f"{name}.bias"]


def linear_of(linear):
    return linear.weight.detach().float().numpy().T.copy(), linear.bias.detach().float().numpy()


def read_head(head):
    first, second = [part for part in head.modules() if isinstance(part, torch.nn.Linear)]
    return Head(*linear_of(first), *linear_of(second))


def output_name(name):
    return {"spam_detection": "spam"}.get(name.replace("-", "_"), name.replace("-", "_"))


def record(body, calibration):
    """What flows into every matrix on the calibration texts: {site: [rows, inputs]}, at most 6,000 rows a site."""
    rows, hooks = {}, []

    def watch(module, site):
        keep = rows.setdefault(site, [])
        hooks.append(module.register_forward_pre_hook(lambda _, given: keep.append(given[0].reshape(-1, given[0].shape[-1]))))

    for i, layer in enumerate(body.encoder.layer):
        watch(layer.attention.self.query, f"qkv{i}")
        watch(layer.attention.output.dense, f"out{i}")
        watch(layer.intermediate.dense, f"up{i}")
        watch(layer.output.dense, f"down{i}")
    pieces = 0
    with torch.inference_mode():
        for ids, types in calibration:
            body(torch.tensor([ids]), token_type_ids=torch.tensor([types]), attention_mask=torch.ones(1, len(ids)))
            pieces += len(ids)
            if pieces > 6000:
                break
    for hook in hooks:
        hook.remove()
    return {site: torch.cat(kept).float().numpy() for site, kept in rows.items()}


def torch_outputs(model, texts):
    found = []
    with torch.inference_mode():
        for ids, types in texts:
            mask = torch.ones(1, len(ids))
            hidden = model.body(torch.tensor([ids]), token_type_ids=torch.tensor([types]), attention_mask=mask)[0]
            pooled = torch.cat([hidden[:, 0], hidden.mean(1)], 1)
            outputs = {output_name(name): head(pooled) for name, head in model.heads.items()}
            outputs |= {output_name(name): head(hidden) for name, head in model.tokens.items()}
            found.append({name: value[0].numpy() for name, value in outputs.items()})
    return found


def run(path, texts):
    """Runs the texts as one padded batch, as the service does, and cuts the padding off again."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    width = max(len(ids) for ids, _ in texts)
    feed = {name: np.zeros((len(texts), width), np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, (ids, types) in enumerate(texts):
        feed["input_ids"][row, : len(ids)] = ids
        feed["token_type_ids"][row, : len(ids)] = types
        feed["attention_mask"][row, : len(ids)] = 1
    names = [output.name for output in session.get_outputs()]
    values = session.run(names, feed)
    return [
        {name: value[row][: len(ids)] if value.ndim == 3 else value[row] for name, value in zip(names, values)}
        for row, (ids, _) in enumerate(texts)
    ]


def difference(found, wanted):
    errors = {}
    for name in wanted[0]:
        off = sum(float(((f[name] - w[name]) ** 2).sum()) for f, w in zip(found, wanted))
        size = sum(float((w[name] ** 2).sum()) for w in wanted)
        errors[name] = round((off / size) ** 0.5, 5)
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("weights", "body", "data", "pieces", "folder", "version"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    model = load_encoder(args.body)
    model.load_state_dict(torch.load(args.weights))
    print(export(model, args.folder, calibration_texts(args.data, sets.read_pieces(args.pieces), model)))
    # The linear models only read English.
    write_card(args.folder, args.version, LINEAR_SHARES if model.packed_words is None else dict.fromkeys(TASKS, 0))


if __name__ == "__main__":
    main()
