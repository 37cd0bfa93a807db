import type { Token } from "../../../text/tokens.js";
import { featuresOf, type TokenFeatures } from "./features.js";
import { readTaggerModel, type TaggerModel } from "./model-file.js";
import { beginTag, ENTITY_CLASSES, mayFollow, TAG_COUNT, type EntityClass } from "./tags.js";

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
