import { ENCODER_POS, type Token } from "@hourglass/analysis/training";
import { placesOf, utf16Offsets } from "../datasets.js";
import type { Silver } from "./silver.js";
import type { ChunkSentence } from "./token-texts.js";

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

/** Label of a token whose label is unknown. */
const UNKNOWN = -1;

/** The index of a part of speech, `UNKNOWN` for any other name. */
const posLabel = (name: string): number => (ENCODER_POS as readonly string[]).indexOf(name);

/** The longest reaches that labels can express. */
const LEFT_MAX = 7;
const RIGHT_MAX = 3;
/** What the labels of a sentence are made from: the places of the product's tokens, and gold words with their tags. */
type Places = readonly Pick<Token, "start" | "end" | "kind">[];
type Tagged = Pick<ChunkSentence, "text" | "tokens" | "pos">;

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
export function labelsOf(pos: number[], chunks: readonly ChunkSpan[], rightMax = RIGHT_MAX): ChunkLabels {
  const left = pos.map(() => UNKNOWN);
  const right = pos.map(() => UNKNOWN);
  const bySize = [...chunks].sort((a, b) => a.last - a.first - (b.last - b.first));
  pos.forEach((label, at) => {
    if (!isNounLabel(label)) return;
    const chunk = bySize.find(({ first, last }) => first <= at && at <= last);
    if (!chunk) return;
    left[at] = Math.min(at - chunk.first, LEFT_MAX);
    right[at] = Math.min(chunk.last - at, rightMax);
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
const isNounLabel = (label: number): boolean => label === NOUN || label === PROPN;

/**
 * Gold parts of speech, mapped to the product's tokens; a token that contains several gold tokens has the tag of its
 * last noun or word.
 */
export function alignPos(tokens: Places, { text, tokens: words, pos }: Tagged): number[] {
  const spans = placesOf(text, words);
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

/** Name of a part-of-speech label. */
export const posName = (label: number): string => ENCODER_POS[label] ?? "";

/** Labels for parts of speech and noun chunks from a dependency parse, in the convention of the gold data. */
export function silverLabels(tokens: readonly Token[], silver: Silver): ChunkLabels {
  const pos = tokens.map((token, at) => posLabel(posOf(token, silver, at)));
  return labelsOf(pos, silverChunks(tokens, silver, pos));
}

const KIND_POS: Readonly<Partial<Record<Token["kind"], string>>> = {
  url: "PROPN",
  email: "PROPN",
  mention: "PROPN",
  hashtag: "PROPN",
  emoji: "SYM",
  emoticon: "SYM",
};

const SPELLING_POS: Readonly<Partial<Record<string, string>>> = { "+": "SYM", "<": "PUNCT", ">": "PUNCT" };

/** The parser's part of speech, corrected where its convention differs from the gold data's. */
function posOf(token: Token, silver: Silver, at: number): string {
  const tag = silver.tag[at] ?? "";
  const pos = silver.pos[at] ?? "X";
  const byKind = KIND_POS[token.kind];
  if (byKind) return byKind;
  if (token.kind === "punctuation") return pos === "SYM" || pos === "CCONJ" ? pos : "PUNCT";
  if (token.kind === "number") return "NUM";
  if (tag === "WRB") return "ADV";
  const bySpelling = SPELLING_POS[token.text];
  if (bySpelling) return bySpelling;
  if (pos === "PRON" && tag === "DT" && DETERMINERS.has(token.lower)) return "DET";
  return pos === "SPACE" ? "X" : pos;
}

const DETERMINERS = new Set(["all", "any", "each", "no", "a", "both"]);

/** Left dependents of a noun that belong to its chunk. */
const INSIDE = new Set(["det", "amod", "compound", "nummod", "poss", "nmod", "predet"]);
/** Nouns that are part of another noun's chunk and no chunk of their own. */
const INNER = new Set(["compound", "nmod"]);

function silverChunks(tokens: readonly Token[], silver: Silver, pos: readonly number[]): ChunkSpan[] {
  const reach = reachOf(silver);
  return pos.flatMap((label, at) => {
    if (!isNounLabel(label)) return [];
    const head = silver.head[at] ?? at;
    if (isTitle(tokens, pos, at)) return [{ first: leftEdge(tokens, { silver, reach }, at), last: at }];
    if ((head > at && INNER.has(silver.dep[at] ?? "")) || isJoined(tokens, pos, at)) return [];
    const joined = at >= 2 && isJoined(tokens, pos, at - 2);
    const first = Math.min(
      leftEdge(tokens, { silver, reach }, at),
      joined ? leftEdge(tokens, { silver, reach }, at - 2) : at,
    );
    return [{ first, last: rightEdge(tokens, { silver, pos }, at) }];
  });
}

const TITLE =
  /^(?:president|minister|secretary|senator|governor|judge|justice|general|colonel|captain|king|queen|prince|princess|pope|cleric|spokes(?:man|woman|person)|leader|coach|director|chairman|congressman|pm|ceo|analyst|advis[eo]r|author|actor|actress|singer|sheikh|sergeant|officer|professor|commander|premier|chancellor|mayor|chief)$/;

/** `President` is a chunk inside `President Bush`. */
function isTitle(tokens: readonly Token[], pos: readonly number[], at: number): boolean {
  const next = tokens[at + 1];
  return TITLE.test(tokens[at]?.lower ?? "") && pos[at + 1] === posLabel("PROPN") && next?.known === false;
}

/** `counter` in `counter-attack`. */
function isJoined(tokens: readonly Token[], pos: readonly number[], at: number): boolean {
  const hyphen = tokens[at + 1];
  const next = tokens[at + 2];
  return hyphen?.text === "-" && !hyphen.spaced && next?.spaced === false && isNounLabel(pos[at + 2] ?? -1);
}

/** The first and the last token in the subtree of each token, itself included. */
interface Reach {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

function reachOf({ head }: Silver): Reach {
  const low = head.map((_, at) => at);
  const high = head.map((_, at) => at);
  head.forEach((_, at) => {
    let up = at;
    // A parse is a tree whose root is its own head.
    for (let steps = 0; head[up] !== up && steps < head.length; steps++) {
      up = head[up] ?? up;
      low[up] = Math.min(low[up] ?? at, at);
      high[up] = Math.max(high[up] ?? at, at);
    }
  });
  return { low, high };
}

function leftEdge(tokens: readonly Token[], { silver, reach }: { silver: Silver; reach: Reach }, at: number): number {
  let edge = at;
  for (let child = at - 1; child >= 0; child--) {
    if (silver.head[child] !== at) continue;
    const dep = silver.dep[child] ?? "";
    if (dep === "punct") continue;
    if (!INSIDE.has(dep) || (reach.high[child] ?? child) < edge - 1 - gapBefore(tokens, edge)) break;
    edge =
      dep === "amod" || dep === "poss" || dep === "compound"
        ? (reach.low[child] ?? child)
        : lowOf(silver, reach, child);
  }
  return edge;
}

/** The start of a determiner or number, without adverbs that modify it (`only three months`). */
function lowOf(silver: Silver, reach: Reach, child: number): number {
  let low = reach.low[child] ?? child;
  while (low < child && silver.dep[low] === "advmod") low++;
  return low;
}

/** Hyphens and commas between modifiers do not end a chunk. */
function gapBefore(tokens: readonly Token[], edge: number): number {
  return tokens[edge - 1]?.kind === "punctuation" ? 1 : 0;
}

/** A number after a noun belongs to its chunk: `Section 7`; dates do not. */
function rightEdge(
  tokens: readonly Token[],
  { silver, pos }: { silver: Silver; pos: readonly number[] },
  at: number,
): number {
  const next = at + 1;
  const isNumber = pos[next] === posLabel("NUM") && silver.head[next] === at && silver.dep[next] === "nummod";
  return isNumber && !MONTH.test(tokens[at]?.lower ?? "") ? next : at;
}

const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:\.|uary|ruary|ch|il|e|y|ust|ember|ober)?$/;
