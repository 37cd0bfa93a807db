import { readFileSync, writeFileSync } from "node:fs";
import type { Token } from "@hourglass/analysis/training";

/** A text in tokens. */
interface Tokenized {
  readonly tokens: readonly Token[];
}

/** The silver labeler's output for a text; one entry per token, `head` a token index, `ents` [first, last, type]. */
export interface Silver {
  readonly tag: readonly string[];
  readonly pos: readonly string[];
  readonly dep: readonly string[];
  readonly head: readonly number[];
  readonly ents: readonly (readonly [first: number, last: number, type: string])[];
}

/** Writes the tokens of the texts for `silver.py`, one line each. */
export function writeSilverInput(texts: readonly Tokenized[], file: string): void {
  const lines = texts.map(({ tokens }) => {
    const spaces = tokens.map((_, at) => tokens[at + 1]?.spaced ?? false);
    return JSON.stringify({ words: tokens.map(({ text, kind }) => wordOf(text, kind)), spaces });
  });
  writeFileSync(file, `${lines.join("\n")}\n`);
}

/** Reads the output of `silver.py` for the same texts; throws if it belongs to other texts. */
export function readSilver(texts: readonly Tokenized[], file: string): Silver[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  if (lines.length !== texts.length)
    throw new Error(`${file} holds ${lines.length} texts instead of ${texts.length}: run silver.py on the texts again`);
  return lines.map((line, at) => {
    const silver = JSON.parse(line) as Silver;
    if (silver.pos.length !== texts[at]?.tokens.length)
      throw new Error(`${file}: line ${at + 1} is of another text: run silver.py on the texts again`);
    return silver;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** Spellings that occur in the labeler's own training data. */
function wordOf(text: string, kind: string): string {
  if (kind === "hashtag") return text.slice(1);
  return ENTITIES[text] ?? text.replaceAll("’", "'");
}
