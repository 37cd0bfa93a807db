/** How a pasted text becomes several: each line, what stands between empty lines, all of it, or a column of a table. */
export const SPLITS = ["lines", "blocks", "whole", "column"] as const;
export type Split = (typeof SPLITS)[number];

export interface SplitTexts {
  readonly texts: readonly string[];
  /** Texts that say nothing. */
  readonly emptyCount: number;
}

const LINE = /\r\n|\r|\n/;
const EMPTY_LINES = /(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)\s*/;

/** The texts of an input, without surrounding space; columns are split by `table-text.ts`. */
export function splitTexts(input: string, how: Exclude<Split, "column">): SplitTexts {
  if (how === "whole") return withoutEmpty([input]);
  const { texts, emptyCount } = withoutEmpty(input.split(how === "lines" ? LINE : EMPTY_LINES));
  // The end of the last line is no text, and between blocks nothing is missing.
  return { texts, emptyCount: how === "lines" ? emptyCount - trailingLines(input) : 0 };
}

/** Leaves out texts without any character but space. */
export function withoutEmpty(all: readonly string[]): SplitTexts {
  const texts = all.map((text) => text.trim()).filter((text) => text !== "");
  return { texts, emptyCount: all.length - texts.length };
}

function trailingLines(input: string): number {
  const end = input.slice(input.trimEnd().length);
  return end.split(LINE).length - (input.trim() === "" ? 0 : 1);
}

export interface TooLong {
  /** From 0. */
  readonly index: number;
  readonly characters: number;
  readonly start: string;
}

const START_LENGTH = 40;

/** The texts that have more characters, counted as code points, than the server takes. */
export function tooLong(texts: readonly string[], most: number): TooLong[] {
  return texts.flatMap((text, index) => {
    // A character has one or two code units.
    if (text.length <= most) return [];
    const characters = countCharacters(text);
    return characters <= most ? [] : [{ index, characters, start: text.slice(0, START_LENGTH) }];
  });
}

function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/** How many texts say the same as an earlier one. */
export function countRepeated(texts: readonly string[]): number {
  return texts.length - new Set(texts).size;
}

/** Bytes of a request as JSON; exact only where it may matter. */
export function bodyBytes(contents: readonly (string | number)[], most: number): number {
  const units = contents.reduce<number>((sum, content) => sum + String(content).length + 4, 0);
  // A code unit takes at most six bytes, as an escape.
  return units * 6 <= most ? units : new TextEncoder().encode(JSON.stringify(contents)).length;
}
