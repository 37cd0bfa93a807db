import type { PartOfSpeech } from "../../../text/tokens.js";
import type { EntityType } from "../../../text/entity.js";

/** What the encoder says of each token of a text, in unnormalised scores; the arrays run in parallel. */
export interface TokenScores {
  /** One row per token, a score per tag of `entityTag`. */
  readonly entity: readonly Float32Array[];
  /** A score per part of speech of `ENCODER_POS`. */
  readonly pos: readonly Float32Array[];
  /** A score per number of tokens that the noun chunk of a noun reaches to its left, and to its right. */
  readonly left: readonly Float32Array[];
  readonly right: readonly Float32Array[];
}

/** Entity types in the order of the encoder's tags: 0 is outside, type `t` begins with `1 + 2t` and goes on with `2 + 2t`. */
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

/** The tags by their place, as the encoder's card names them. */
export const ENCODER_TAG_NAMES: readonly string[] = [
  "O",
  ...ENCODER_ENTITIES.flatMap((type) => [`B-${type}`, `I-${type}`]),
];

/** The tag that begins a type; the next one goes on with it. */
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
