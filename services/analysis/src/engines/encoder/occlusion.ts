import { argmax } from "../../text/argmax.js";
import { logOdds } from "../../text/classification.js";
import { type Features, featurize } from "../../text/ngrams/features.js";
import type { RawToken } from "../../text/tokenizer.js";
import type { TextDocument } from "../../types.js";
import { ENCODER_TASKS } from "./card.js";
import { type EncodedText, encodingOf, type Gap, withoutWindow } from "./encoder.js";
import type { Logits } from "./session.js";
import { sentencesOf, split, type TokenRange } from "./windows.js";

/** A part of a text, and the encoder's output for the text without it. */
interface Occlusion {
  /** UTF-16 offsets, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly logits: Logits;
  /** The n-grams of the text without the part. */
  readonly features: () => Features;
}

/** In texts of up to this many words, each word is left out once. */
const WORDS_MAX = 40;
/** In longer texts, this many clauses of the most important windows are left out first, */
const CLAUSES_MAX = 24;
const WINDOWS_MAX = 3;
/** and then this many words of the most important clauses. A text costs at most 48 windows in total. */
const CLAUSE_WORDS_TOTAL = 24;

const OCCLUSIONS = Symbol("occlusions");

/**
 * Computes the encoder's output for encoded documents without each of their parts, for all classifications and all
 * documents together. Parts are the words of short texts; for long ones the clauses, and the words of the most
 * important clauses.
 */
export const prepareOcclusions = async (documents: readonly TextDocument[]): Promise<void> => {
  const works = documents
    .filter((document) => keptOcclusions(document) === undefined)
    .map((document) => ({ document, encoded: encodingOf(document) }));
  const coarse = await occlude(works.map(({ encoded }) => coarseParts(encoded)));
  const refined = works.map(({ encoded }, i) => (isShort(encoded) ? [] : strongest(encoded, coarse[i]!)));
  const fine = await occlude(
    refined.map((parts, i) => parts.flatMap((part) => withinGap(part, wordsOf(works[i]!.encoded.tokens, part)))),
  );
  works.forEach(({ document }, i) => {
    const kept = [...coarse[i]!.filter((part) => !refined[i]!.includes(part)), ...fine[i]!];
    const ordered = kept.sort((a, b) => a.from - b.from);
    document.set(
      OCCLUSIONS,
      ordered.map((part) => toOcclusion(document.text, part)),
    );
  });
};

/** The parts of a document in order; throws if `prepareOcclusions` was not called for it. */
export const occlusionsOf = (document: TextDocument): readonly Occlusion[] => {
  const occlusions = keptOcclusions(document);
  if (occlusions === undefined) throw new Error("the text was not taken apart: call prepareOcclusions first");
  return occlusions;
};

const keptOcclusions = (document: TextDocument): readonly Occlusion[] | undefined =>
  document.once<readonly Occlusion[] | undefined>(OCCLUSIONS, () => undefined);

/** A gap that was tried. */
interface Tried extends Gap {
  readonly logits: Logits;
}

const occlude = async (gaps: readonly (readonly Gap[])[]): Promise<Tried[][]> => {
  const logits = new Map<Gap, Logits>();
  const all = gaps.flat();
  for (const encoder of new Set(all.map(({ encoded }) => encoded.encoder))) {
    const own = all.filter(({ encoded }) => encoded.encoder === encoder);
    const found = await encoder.encodeGaps(own);
    own.forEach((gap, i) => logits.set(gap, found[i]!));
  }
  return gaps.map((own) => own.map((gap) => ({ ...gap, logits: logits.get(gap)! })));
};

const wholeOf = ({ tokens }: EncodedText): TokenRange => ({ from: 0, to: tokens.length });

const isShort = (encoded: EncodedText): boolean => wordsOf(encoded.tokens, wholeOf(encoded)).length <= WORDS_MAX;

const coarseParts = (encoded: EncodedText): Gap[] => {
  const { tokens, windows } = encoded;
  const partsOf = (at: number, cut: (window: TokenRange) => TokenRange[]): Gap[] =>
    cut(windows[at]!).map((part) => ({ ...part, encoded, window: at }));
  if (isShort(encoded)) return windows.flatMap((_, at) => partsOf(at, (window) => wordsOf(tokens, window)));
  const chosen = strongestWindows(encoded);
  const share = Math.floor(CLAUSES_MAX / chosen.length);
  return chosen.flatMap((at) => partsOf(at, (window) => joinEvenly(clausesOf(tokens, window), share)));
};

const strongestWindows = (encoded: EncodedText): number[] => {
  if (encoded.windows.length === 1) return [0];
  const variants = encoded.windows.map((_, at) => withoutWindow(encoded, at));
  return rank(effectOn(encoded, variants)).slice(0, WINDOWS_MAX);
};

/** The most important clauses, limited by the number of words that may still be tried. */
const strongest = (encoded: EncodedText, clauses: readonly Tried[]): Tried[] => {
  const effects = effectOn(
    encoded,
    clauses.map(({ logits }) => logits),
  );
  const chosen: Tried[] = [];
  let words = 0;
  for (const at of rank(effects)) {
    const clause = clauses[at]!;
    const more = wordsOf(encoded.tokens, clause).length;
    if (words + more > CLAUSE_WORDS_TOTAL) continue;
    words += more;
    chosen.push(clause);
  }
  return chosen;
};

const withinGap = ({ encoded, window }: Gap, parts: readonly TokenRange[]): Gap[] =>
  parts.map((part) => ({ ...part, encoded, window }));

/**
 * How much each variant of a text changes the likeliest label of the classification that it changes most, from 0 to 1.
 */
const effectOn = ({ logits }: EncodedText, variants: readonly Logits[]): number[] => {
  const effects = variants.map(() => 0);
  for (const task of ENCODER_TASKS) {
    const label = argmax(logits[task]);
    const before = logOdds(logits[task], label);
    const changes = variants.map((variant) => Math.abs(before - logOdds(variant[task], label)));
    const most = Math.max(...changes, Number.MIN_VALUE);
    changes.forEach((change, i) => (effects[i] = Math.max(effects[i] ?? 0, change / most)));
  }
  return effects;
};

/** Indices in descending order of the values. */
const rank = (values: readonly number[]): number[] =>
  values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);

const toOcclusion = (text: string, { encoded: { tokens }, from, to, logits }: Tried): Occlusion => {
  const start = tokens[from]?.start ?? 0;
  const end = tokens[to - 1]?.end ?? 0;
  let features: Features | undefined;
  return { start, end, logits, features: () => (features ??= featurize(text.slice(0, start) + text.slice(end))) };
};

/** Maximum number of words of a clause that is left out as a whole. */
const CLAUSE_WORDS_MAX = 12;

/**
 * The words within a range: tokens that a reader would call a word, with their clitics; `!` and `?` count, other marks
 * do not.
 */
const wordsOf = (tokens: readonly RawToken[], { from, to }: TokenRange): TokenRange[] =>
  split({ from, to }, (i) => !continues(tokens, i)).filter((word) => speaks(tokens[word.from]));

/**
 * The sentences of a range; long ones are cut at commas and similar marks, and none is longer than `CLAUSE_WORDS_MAX`.
 */
const clausesOf = (tokens: readonly RawToken[], range: TokenRange): TokenRange[] =>
  sentencesOf(tokens, range)
    .flatMap((sentence) => {
      if (wordsOf(tokens, sentence).length <= CLAUSE_WORDS_MAX) return [sentence];
      return split(
        sentence,
        (i) => tokens[i - 1]?.kind === "punctuation" && CLAUSE_END.test(tokens[i - 1]?.text ?? ""),
      );
    })
    .flatMap((clause) => cutEvenly(tokens, clause))
    .filter((clause) => wordsOf(tokens, clause).length > 0);

/** Joins neighbors until at most `count` are left. */
const joinEvenly = (parts: readonly TokenRange[], count: number): TokenRange[] => {
  const joined: TokenRange[] = [];
  parts.forEach(({ from, to }, i) => {
    const group = Math.floor((i * Math.min(count, parts.length)) / parts.length);
    joined[group] = { from: joined[group]?.from ?? from, to };
  });
  return joined;
};

const CLAUSE_END = /^(?:[,;:–—]|-{2,}|\.{2,})$/;

const cutEvenly = (tokens: readonly RawToken[], clause: TokenRange): TokenRange[] => {
  const words = wordsOf(tokens, clause);
  const parts = Math.ceil(words.length / CLAUSE_WORDS_MAX);
  if (parts <= 1) return [clause];
  const starts = new Set<number>();
  for (let part = 1; part < parts; part++) starts.add(words[Math.round((part * words.length) / parts)]?.from ?? -1);
  return split(clause, (i) => starts.has(i));
};

/** Whether a token belongs to the word before it: `n't`, `'s`. */
const continues = (tokens: readonly RawToken[], i: number): boolean => {
  const [before, token] = [tokens[i - 1], tokens[i]];
  return before?.kind === "word" && token?.kind === "word" && !token.spaced && !token.newLine;
};

const speaks = (token: RawToken | undefined): boolean =>
  token !== undefined && (token.kind !== "punctuation" || /[!?]/.test(token.text));
