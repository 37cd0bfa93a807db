import type { Entity } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import type { NounChunk } from "./noun-chunks.js";

/** An engine's annotation of a text; topics are derived from it in the same way for every engine. */
export interface Annotation {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** In order, without overlap. */
  readonly entities: readonly Entity[];
  /** In any order; a chunk may lie inside another. */
  readonly chunks: readonly NounChunk[];
}

/** A topic at one place of the text, before repetitions are grouped. */
export interface Occurrence {
  readonly value: string;
  readonly type: "entity" | "noun-chunk";
  readonly tag: string;
  /** Index of the first and last token, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** Whether it comes from a hashtag, which covers one token. */
  readonly hashtag: boolean;
}

/** A run of tokens as written in the text, on one line. */
export function spelling(text: string, tokens: readonly Token[], first: number, last: number): string {
  return text
    .slice(tokens[first]?.start ?? 0, tokens[last]?.end ?? 0)
    .replace(/\s+/g, " ")
    .trim();
}
