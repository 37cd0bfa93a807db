import type { Token } from "@hourglass/analysis/topic";
import { POS_LABELS, posLabel, UNKNOWN } from "./tags.js";
import type { ChunkSentence } from "./texts.js";

/**
 * Training labels of a text for the noun chunk heads, one per token. For every NOUN and PROPN token, `left` and `right`
 * are the numbers of tokens of the smallest chunk around it on either side. A noun inside a chunk that ends with
 * another noun therefore has the same chunk as that one, so that no label for "not a head" is needed.
 */
export interface ChunkLabels {
  readonly pos: number[];
  readonly left: number[];
  readonly right: number[];
}

/** A noun chunk; `first` and `last` are token indexes, both inclusive. */
export interface ChunkSpan {
  readonly first: number;
  readonly last: number;
}

/** The longest reaches that labels can express. */
export const LEFT_MAX = 7;
export const RIGHT_MAX = 3;

/** Labels of a sentence with gold chunks. */
export function goldLabels(tokens: readonly Token[], sentence: ChunkSentence): ChunkLabels {
  const pos = alignPos(tokens, sentence);
  return labelsOf(pos, goldChunks(tokens, sentence));
}

/** The gold chunks of a sentence, mapped to the product's tokens by overlap. */
export function goldChunks(tokens: readonly Token[], { text, label }: ChunkSentence): ChunkSpan[] {
  const offsets = utf16Offsets(text);
  return label.flatMap((chunk) => {
    const start = offsets[chunk.start] ?? 0;
    const end = offsets[chunk.end] ?? text.length;
    const first = tokens.findIndex((token) => token.end > start);
    const last = tokens.findLastIndex((token) => token.start < end);
    return first < 0 || last < first ? [] : [{ first, last }];
  });
}

/** The labels of the given chunks. */
export function labelsOf(pos: number[], chunks: readonly ChunkSpan[]): ChunkLabels {
  const left = pos.map(() => UNKNOWN);
  const right = pos.map(() => UNKNOWN);
  const bySize = [...chunks].sort((a, b) => a.last - a.first - (b.last - b.first));
  pos.forEach((label, at) => {
    if (!isNounLabel(label)) return;
    const chunk = bySize.find(({ first, last }) => first <= at && at <= last);
    if (!chunk) return;
    left[at] = Math.min(at - chunk.first, LEFT_MAX);
    right[at] = Math.min(chunk.last - at, RIGHT_MAX);
  });
  return { pos, left, right };
}

/** The chunks of labels: those of nouns with no other noun to their right in the chunk. */
export function composeChunks({ pos, left, right }: ChunkLabels): ChunkSpan[] {
  return pos.flatMap((label, at) => {
    const before = left[at] ?? UNKNOWN;
    const after = right[at] ?? UNKNOWN;
    if (!isNounLabel(label) || before === UNKNOWN || after === UNKNOWN) return [];
    const inner = after === RIGHT_MAX || pos.slice(at + 1, at + 1 + after).some(isNounLabel);
    return inner ? [] : [{ first: Math.max(0, at - before), last: Math.min(pos.length - 1, at + after) }];
  });
}

const NOUN = posLabel("NOUN");
const PROPN = posLabel("PROPN");

/** Whether a label is NOUN or PROPN. */
export const isNounLabel = (label: number): boolean => label === NOUN || label === PROPN;

/**
 * Gold parts of speech, mapped to the product's tokens; a token that contains several gold tokens has the tag of its
 * last noun or word.
 */
function alignPos(tokens: readonly Token[], { text, tokens: words, pos }: ChunkSentence): number[] {
  const spans = wordSpans(text, words);
  const wholes = new Set(spans.map((span) => (span ? `${span.start}:${span.end}` : "")));
  return tokens.map((token) => {
    // A full stop that gold keeps with its abbreviation, or a slash that gold keeps in its date.
    if (token.kind === "punctuation" && !wholes.has(`${token.start}:${token.end}`)) return posLabel("PUNCT");
    const tags = pos.filter((_, at) => {
      const span = spans[at];
      return span !== undefined && span.start < token.end && span.end > token.start;
    });
    const tag = tags.length < 2 ? tags[0] : (tags.findLast(isNoun) ?? tags.findLast(isWord) ?? tags[0]);
    return tag === undefined ? UNKNOWN : posLabel(tag);
  });
}

const isNoun = (tag: string): boolean => tag === "NOUN" || tag === "PROPN";
const isWord = (tag: string): boolean => tag !== "PUNCT" && tag !== "SYM";

function wordSpans(text: string, words: readonly string[]): ({ start: number; end: number } | undefined)[] {
  let from = 0;
  return words.map((word) => {
    const start = text.indexOf(word, from);
    if (start < 0) return undefined;
    from = start + word.length;
    return { start, end: from };
  });
}

function utf16Offsets(text: string): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    offsets.push(offset);
    offset += character.length;
  }
  return [...offsets, offset];
}

/** Name of a part-of-speech label. */
export const posName = (label: number): string => POS_LABELS[label] ?? "";
