import { readCardFile, readWeights, shipped } from "../../models/shipped-models.js";
import type { Token } from "../../text/tokens.js";
import { FEATURE_BUCKETS, FEATURE_VERSION, featuresOf, type TokenFeatures } from "./tagger-features.js";

/** A run of tokens of one class; `first` and `last` are token indexes, both inclusive. */
export interface EntitySpan {
  readonly first: number;
  readonly last: number;
  readonly entityClass: EntityClass;
}

/** Finds the entities of a text by the best tag sequence (Viterbi) under the model. Linear in the tokens. */
export function tagEntities(tokens: readonly Token[], model: TaggerModel = taggerModel()): EntitySpan[] {
  if (tokens.length === 0) return [];
  return spansOf(bestPath(featuresOf(tokens), tokens, model));
}

/** The analyzer's own model, read and verified on first use. */
export function taggerModel(): TaggerModel {
  loaded ??= readTaggerModel();
  return loaded;
}

let loaded: TaggerModel | undefined;
const IMPOSSIBLE = -1e9;

/** Fills `scores` with the score of each tag for one token, from its features alone. */
export function scoreToken({ weights, scale }: TaggerModel, features: TokenFeatures, scores: Float64Array): void {
  scores.fill(0);
  for (const part of [features.lexical, features.general]) {
    for (const feature of part) {
      const row = feature * TAG_COUNT;
      for (let tag = 0; tag < TAG_COUNT; tag++) scores[tag] = (scores[tag] ?? 0) + (weights[row + tag] ?? 0);
    }
  }
  for (let tag = 0; tag < TAG_COUNT; tag++) scores[tag] = (scores[tag] ?? 0) * scale;
}

function bestPath(features: readonly TokenFeatures[], tokens: readonly Token[], model: TaggerModel): Int8Array {
  const count = features.length;
  const back = new Int8Array(count * TAG_COUNT);
  const own = new Float64Array(TAG_COUNT);
  let best = new Float64Array(TAG_COUNT).fill(IMPOSSIBLE);
  let next = new Float64Array(TAG_COUNT);
  features.forEach((feature, at) => {
    scoreToken(model, feature, own);
    restrict(own, tokens[at], model.outsideBias);
    step(model, { at, own, best, next, back });
    [best, next] = [next, best];
  });
  const path = new Int8Array(count);
  path[count - 1] = indexOfMax(best);
  for (let at = count - 1; at > 0; at--) path[at - 1] = back[at * TAG_COUNT + (path[at] ?? 0)] ?? 0;
  return path;
}

/** Handles, addresses and emoji are never entities. */
function restrict(own: Float64Array, token: Token | undefined, outsideBias: number): void {
  own[0] = (own[0] ?? 0) + outsideBias;
  if (token?.kind === "word" || token?.kind === "number" || token?.kind === "hashtag") return;
  if (token?.kind === "punctuation" || token?.kind === "symbol") return;
  own.fill(IMPOSSIBLE, 1);
}

interface Step {
  at: number;
  own: Float64Array;
  best: Float64Array;
  next: Float64Array;
  back: Int8Array;
}

function step({ transitions }: TaggerModel, { at, own, best, next, back }: Step): void {
  for (let tag = 0; tag < TAG_COUNT; tag++) {
    if (at === 0) {
      next[tag] = mayFollow(-1, tag) ? (own[tag] ?? 0) : IMPOSSIBLE;
      continue;
    }
    let top = IMPOSSIBLE * 2;
    for (let before = 0; before < TAG_COUNT; before++) {
      if (!mayFollow(before, tag)) continue;
      const score = (best[before] ?? 0) + (transitions[before * TAG_COUNT + tag] ?? 0);
      if (score > top) {
        top = score;
        back[at * TAG_COUNT + tag] = before;
      }
    }
    next[tag] = top + (own[tag] ?? 0);
  }
}

function indexOfMax(values: Float64Array): number {
  let index = 0;
  for (let at = 1; at < values.length; at++) if ((values[at] ?? 0) > (values[index] ?? 0)) index = at;
  return index;
}

function spansOf(path: Int8Array): EntitySpan[] {
  const spans: EntitySpan[] = [];
  for (let at = 0; at < path.length; at++) {
    const tag = path[at] ?? 0;
    if (tag === 0 || tag % 2 === 0) continue;
    const classIndex = (tag - 1) / 2;
    let last = at;
    while (path[last + 1] === beginTag(classIndex) + 1) last++;
    const entityClass = ENTITY_CLASSES[classIndex];
    if (entityClass) spans.push({ first: at, last, entityClass });
    at = last;
  }
  return spans;
}

/**
 * The classes of the sequence tagger. Its training data separates neither GPE, LOC and FAC nor ORG and NORP, so places
 * are PLACE here; word lists refine both afterwards.
 */
export const ENTITY_CLASSES = ["PERSON", "PLACE", "ORG", "PRODUCT", "WORK_OF_ART"] as const;

/** A class of the sequence tagger. */
export type EntityClass = (typeof ENTITY_CLASSES)[number];

/** Tag 0 is "outside"; class `c` has the begin tag `1 + 2c` and the inside tag `2 + 2c`. */
export const TAG_COUNT = 1 + 2 * ENTITY_CLASSES.length;

/** The begin tag of a class, given its index. */
export const beginTag = (classIndex: number): number => 1 + 2 * classIndex;

/** Whether one tag may precede another: an inside tag follows its own begin or inside tag. `-1` is the start. */
export const mayFollow = (before: number, tag: number): boolean =>
  tag === 0 || tag % 2 === 1 || before === tag || before === tag - 1;

/** Folder of the model; the same from the sources and from the build. */
export const MODEL_FOLDER = shipped("topic/");

/** Contents of `model.json` for the entity tagger. */
export interface TaggerCard {
  type: "topic";
  version: string;
  /** Version of the features the weights were trained with. */
  features: number;
  labels: string[];
  /** Of the weights file on disk. */
  sha256: string;
  /** Value of one unit of a weight. */
  scale: number;
  /** Added to the score of "no entity" at every token; negative values find more entities. */
  outsideBias: number;
  /** Score of each pair of neighboring tags, row by row. */
  transitions: number[];
  training: Record<string, string | number>;
  /** Figures on the development data. */
  dev: Record<string, number>;
}

/** The tagger in memory. */
export interface TaggerModel {
  readonly version: string;
  /** `FEATURE_BUCKETS` rows of one value per tag, in units of `scale`. */
  readonly weights: Int8Array;
  readonly scale: number;
  readonly outsideBias: number;
  readonly transitions: Float64Array;
}

/** Reads the card of the model in a folder. */
export function readTaggerCard(folder: URL = MODEL_FOLDER): TaggerCard {
  const card: unknown = readCardFile(folder);
  if (!isCard(card)) throw new Error("the model card of topic lacks its labels, checksum or transitions");
  if (card.features !== FEATURE_VERSION || card.labels.join() !== ENTITY_CLASSES.join()) {
    throw new Error("the model of topic was trained with other features or labels than this code has: train it again");
  }
  return card;
}

/** Reads and verifies the model in a folder; throws with the reason if it is missing, damaged or outdated. */
export function readTaggerModel(folder: URL = MODEL_FOLDER): TaggerModel {
  const card = readTaggerCard(folder);
  const bytes = readWeights(folder, card, "the model of topic");
  if (bytes.length !== FEATURE_BUCKETS * TAG_COUNT || card.transitions.length !== TAG_COUNT * TAG_COUNT) {
    throw new Error("the model of topic does not fit its card: the number of weights differs");
  }
  return {
    version: card.version,
    weights: decodeColumns(bytes),
    scale: card.scale,
    outsideBias: card.outsideBias,
    transitions: Float64Array.from(card.transitions),
  };
}

/** Weights tag by tag, the order that compresses best. */
export function encodeColumns(weights: Int8Array): Buffer {
  const bytes = Buffer.alloc(weights.length);
  for (let row = 0; row < FEATURE_BUCKETS; row++) {
    for (let tag = 0; tag < TAG_COUNT; tag++) {
      bytes.writeInt8(weights[row * TAG_COUNT + tag] ?? 0, tag * FEATURE_BUCKETS + row);
    }
  }
  return bytes;
}

function decodeColumns(bytes: Buffer): Int8Array {
  const weights = new Int8Array(bytes.length);
  for (let tag = 0; tag < TAG_COUNT; tag++) {
    for (let row = 0; row < FEATURE_BUCKETS; row++) {
      // Two's complement: bytes above 127 are negative.
      weights[row * TAG_COUNT + tag] = bytes[tag * FEATURE_BUCKETS + row] ?? 0;
    }
  }
  return weights;
}

function isCard(value: unknown): value is TaggerCard {
  if (typeof value !== "object" || value === null) return false;
  const card = value as Partial<TaggerCard>;
  return Array.isArray(card.labels) && typeof card.sha256 === "string" && Array.isArray(card.transitions);
}
