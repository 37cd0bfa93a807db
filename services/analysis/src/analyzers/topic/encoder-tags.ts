import { argmax } from "../../text/argmax.js";
import type { EntityType } from "../../text/gazetteers.js";
import type { RawToken } from "../../text/tokenizer.js";
import type { PartOfSpeech } from "../../text/tokens.js";

/** The encoder's output for each token of a text, in unnormalized scores; the arrays are parallel. */
export interface TokenScores {
  /** One row per token, a score per tag of `entityTag`. */
  readonly entity: readonly Float32Array[];
  /** A score per part of speech of `ENCODER_POS`. */
  readonly pos: readonly Float32Array[];
  /** A score for each number of tokens that a noun's chunk reaches to the left, and to the right. */
  readonly left: readonly Float32Array[];
  readonly right: readonly Float32Array[];
  /**
   * A score for each number of characters of a word before its noun, and after it: Arabic prefixes, Korean particles,
   * Turkish endings. Empty rows from an encoder that does not tell.
   */
  readonly before: readonly Float32Array[];
  readonly after: readonly Float32Array[];
}

/**
 * Entity types in the order of the encoder's tags: 0 is outside, type `t` has the begin tag `1 + 2t` and the inside tag
 * `2 + 2t`.
 */
export const ENCODER_ENTITIES: readonly EntityType[] = [
  "PERSON",
  "NORP",
  "FAC",
  "ORG",
  "GPE",
  "LOC",
  "PRODUCT",
  "EVENT",
  "WORK_OF_ART",
  "LAW",
  "LANGUAGE",
];

export const ENCODER_TAG_COUNT = 1 + 2 * ENCODER_ENTITIES.length;

/** The tags in order, with the names of the encoder's card. */
export const ENCODER_TAG_NAMES: readonly string[] = [
  "O",
  ...ENCODER_ENTITIES.flatMap((type) => [`B-${type}`, `I-${type}`]),
];

/** The begin tag of a type; its inside tag is the next one. */
export const encoderBeginTag = (type: EntityType): number => 1 + 2 * ENCODER_ENTITIES.indexOf(type);

/** Parts of speech in the order of the encoder's scores. */
export const ENCODER_POS: readonly PartOfSpeech[] = [
  "ADJ",
  "ADP",
  "ADV",
  "AUX",
  "CCONJ",
  "DET",
  "INTJ",
  "NOUN",
  "NUM",
  "PART",
  "PRON",
  "PROPN",
  "PUNCT",
  "SCONJ",
  "SYM",
  "VERB",
  "X",
];

const OF_KIND: Partial<Record<RawToken["kind"], PartOfSpeech>> = {
  url: "X",
  email: "X",
  mention: "PROPN",
  hashtag: "X",
  emoji: "SYM",
  emoticon: "SYM",
};

/** The likeliest part of speech of each token; tokens specific to posts have the one of their kind. */
export function decodePos(tokens: readonly RawToken[], scores: readonly Float32Array[]): PartOfSpeech[] {
  return tokens.map(({ kind }, at) => OF_KIND[kind] ?? ENCODER_POS[argmax(scores[at] ?? [])] ?? "X");
}
