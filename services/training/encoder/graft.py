"""Grafts a network into an encoder's model.onnx, so that the encoder stays one network in one session.

    python graft.py --folder FOLDER --part FILE --name NAME --layer N

`part` is an ONNX network over an inner value of the encoder: its inputs are `states`, what leaves the encoder's layer N
(counted from 0) for every piece, and `attention_mask`. Each of its outputs replaces the encoder's of the same name, or is
a new one; what no output needs any more leaves the file. The part's values are named `NAME/…`. A part can be grafted
again under its name if it replaces all that the earlier one gives. From Python:

    network = onnx.load(folder / "model.onnx")
    graft(network, part, "tags", layer_output(network, 5))  # part: an onnx.ModelProto
    save(network, folder, card)  # card: the contents of model.json; its version is calibrate.ts's

A part names its layers by their numbers in the encoder (`qkv6_weights`, …, `layer6_gamma`), as graph.py does, so that
later trainings find what they start from (see constants.py).
"""

import argparse
import hashlib
import json
from pathlib import Path

import onnx
from onnx import TensorProto, helper

WEIGHTS, CARD = "model.onnx", "model.json"


def graft(network, part, name: str, states: str) -> None:
    """Grafts `part` into `network` over the inner value `states`."""
    given = [output.name for output in part.graph.output]
    detach(network, given)
    prune(network)
    check_free(network, name)
    own = {"states": states, "attention_mask": "attention_mask", "": "", **{output: output for output in given}}

    def named(value: str) -> str:
        return own.get(value, f"{name}/{value}")

    for node in part.graph.node:
        copy = network.graph.node.add()
        copy.CopyFrom(node)
        copy.name = f"{name}/{node.name}"
        copy.input[:] = [named(value) for value in node.input]
        copy.output[:] = [named(value) for value in node.output]
    for constant in part.graph.initializer:
        copy = network.graph.initializer.add()
        copy.CopyFrom(constant)
        copy.name = f"{name}/{constant.name}"
    for output in part.graph.output:
        place_output(network, output)
    prune(network)
    onnx.checker.check_model(network)


def layer_output(network, layer: int) -> str:
    """What leaves a layer of the encoder's own."""
    return next(node.output[0] for node in network.graph.node if f"layer{layer}_gamma" in node.input)


def producer(network, value: str):
    return next((node for node in network.graph.node if value in node.output), None)


def detach(network, outputs: list) -> None:
    """Removes what gives the outputs."""
    for output in outputs:
        node = producer(network, output)
        if node is None:
            continue
        if list(node.output) != [output]:
            raise ValueError(f"{output} comes from a node with several outputs")
        network.graph.node.remove(node)


def prune(network) -> None:
    """Removes nodes and constants that no output needs."""
    needed = {output.name for output in network.graph.output}
    kept = []
    for node in reversed(network.graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    keep_only(network.graph.node, kept[::-1])
    keep_only(network.graph.initializer, [constant for constant in network.graph.initializer if constant.name in needed])


def check_free(network, name: str) -> None:
    if any(node.name.startswith(f"{name}/") for node in network.graph.node):
        raise ValueError(f"the earlier part {name} gives more than the new one: name the new one otherwise")


def keep_only(field, kept: list) -> None:
    copies = [type(one).FromString(one.SerializeToString()) for one in kept]
    del field[:]
    field.extend(copies)


def place_output(network, output) -> None:
    for old in network.graph.output:
        if old.name == output.name:
            old.CopyFrom(output)
            return
    network.graph.output.append(output)


def with_inner(network, names: list) -> bytes:
    """The network with some of its inner values as further outputs, for training."""
    copy = onnx.ModelProto()
    copy.CopyFrom(network)
    for name in names:
        copy.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    return copy.SerializeToString()


def save(network, folder: Path, card: dict) -> None:
    """Writes the network and the card with its checksum."""
    onnx.save(network, str(folder / WEIGHTS))
    card["sha256"][WEIGHTS] = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    (folder / CARD).write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")


def main(args) -> None:
    folder = Path(args.folder)
    network = onnx.load(str(folder / WEIGHTS))
    graft(network, onnx.load(args.part), args.name, layer_output(network, args.layer))
    save(network, folder, json.loads((folder / CARD).read_text()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--part", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--layer", type=int, required=True)
    main(parser.parse_args())
