import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createVocabulary, MULTILINGUAL_FOLDER, TOKENIZER_FILE } from "@hourglass/analysis/encoder";
import type { EntityRow, Mention } from "../../topic/rows.js";
import { acceptedTags } from "./entities.js";
import { OUTSIDE } from "./tags.js";
import type { TokenRow } from "./token-rows.js";

/** The types that Universal NER marks, by its names. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  PER: ["PERSON"],
  LOC: ["GPE", "LOC", "FAC"],
  ORG: ["ORG"],
};
const ANNOTATED = Object.values(TYPES).flat();
/** Sentences taken from each language for training. */
const SENTENCES_MAX = 1600;
const WEIGHT = 1;

/** Sentences of Universal NER in a language, with their entities. */
export interface UnerPart {
  /** ISO 639-1. */
  language: string;
  rows: EntityRow[];
}

/** Reads `<language>_<treebank>-ud-<part>.iob2` of Universal NER for every language in a folder. */
export const readUner = (folder: string, part: "train" | "dev"): UnerPart[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(`-${part}.iob2`))
    .sort()
    .map((name) => {
      const language = name.slice(0, 2);
      const sentences = readFileSync(join(folder, name), "utf8").split(/\n\s*\n/);
      return { language, rows: sentences.flatMap((sentence) => rowOf(sentence, `uner-${language}`)) };
    });

/** Rows for the entity head of the multilingual encoder: half of the sentences with entities first, then others. */
export const unerTokenRows = (folder: string): TokenRow[] => {
  const tokenizer = readFileSync(new URL(TOKENIZER_FILE, MULTILINGUAL_FOLDER), "utf8");
  const { cut } = createVocabulary(JSON.parse(tokenizer) as object);
  return readUner(folder, "train").flatMap(({ rows }) => {
    const named = rows.filter(({ mentions }) => mentions.length > 0).slice(0, SENTENCES_MAX * 0.7);
    const others = rows.filter(({ mentions }) => mentions.length === 0).slice(0, SENTENCES_MAX - named.length);
    return [...named, ...others].map((row): TokenRow => {
      const tokens = cut(row.text).tokens;
      const accepted = acceptedTags(tokens, row);
      // A word that is spelt small is no name of a type that the corpus does not mark.
      const entity = accepted.map((tags, at) =>
        tags[0] === OUTSIDE && /^\p{Ll}/u.test(tokens[at]?.text ?? "") ? [OUTSIDE] : tags,
      );
      return {
        text: row.text,
        split: "train",
        source: row.source,
        tokens: tokens.map(({ start, end }) => [start, end] as const),
        entity,
        pos: null,
        left: null,
        right: null,
        weight: WEIGHT,
        chunkWeight: 0,
      };
    });
  });
};

const rowOf = (sentence: string, source: string): EntityRow[] => {
  const lines = sentence.split("\n");
  const text = lines.find((line) => line.startsWith("# text = "))?.slice("# text = ".length);
  if (text === undefined) return [];
  const mentions: Mention[] = [];
  let at = 0;
  for (const line of lines) {
    const [, form = "", tag = "O"] = line.split("\t");
    if (line.startsWith("#") || form === "") continue;
    const start = text.indexOf(form, at);
    if (start < 0) return [];
    at = start + form.length;
    const last = mentions.at(-1);
    if (tag.startsWith("I-") && last !== undefined) last.end = at;
    else if (tag !== "O") mentions.push({ start, end: at, types: [...(TYPES[tag.slice(2)] ?? [])] });
  }
  return [
    { text, mentions: mentions.filter(({ types }) => types.length > 0), annotated: ANNOTATED, ignored: [], source },
  ];
};
