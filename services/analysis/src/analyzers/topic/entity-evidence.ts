import { type EntityType, findHits, type Gazetteer, type GazetteerHit, isIn } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { ENCODER_ENTITIES, ENCODER_TAG_COUNT, encoderBeginTag } from "./encoder-tags.js";
import { findPatterns, isHoliday, trustedType } from "./entity-rules.js";
import { featuresOf } from "./tagger-features.js";
import { beginTag, ENTITY_CLASSES, type EntityClass, scoreToken, TAG_COUNT, taggerModel } from "./tagger.js";

/**
 * Weights of lists, patterns and the fast engine's tagger relative to the encoder, in units of log probability per
 * token. Tuned on train and dev.
 */
const EVIDENCE = {
  /** Added to "no entity" everywhere; negative values find more entities. */
  outside: -0.2,
  /** For a type that a list alone is trusted with in this context. */
  trusted: 3.5,
  /** For well-known days (`Christmas`), which the training data do not mark. */
  holiday: 9,
  /** For each type whose list contains a capitalized phrase. */
  listed: 0.8,
  /** Share of `listed` for a single dictionary word, and for a phrase without capitals. */
  commonShare: 0.4,
  plainShare: 0.2,
  /** For phrases that end or begin like an event or a law. */
  pattern: 1.5,
  /** Share of the log probabilities of the fast engine's tagger. */
  secondOpinion: 0.5,
};

const LIST_TYPES: readonly (readonly [Gazetteer, readonly EntityType[]])[] = [
  ["first-names", ["PERSON"]],
  ["persons", ["PERSON"]],
  ["countries", ["GPE"]],
  ["regions", ["GPE"]],
  ["cities", ["GPE"]],
  ["locations", ["LOC"]],
  ["facilities", ["FAC"]],
  ["organizations", ["ORG"]],
  ["nationalities", ["NORP"]],
  ["languages", ["LANGUAGE"]],
  ["events", ["EVENT"]],
  ["laws", ["LAW"]],
  ["products", ["PRODUCT"]],
  ["works", ["WORK_OF_ART"]],
];

/**
 * Adds the evidence of word lists and patterns to `scores`: one row of log probabilities per token, `ENCODER_TAG_COUNT`
 * wide.
 */
export function addEvidence(tokens: readonly Token[], scores: Float64Array): void {
  for (let at = 0; at < tokens.length; at++) add(scores, at * ENCODER_TAG_COUNT, EVIDENCE.outside);
  addSecondOpinion(tokens, scores, EVIDENCE.secondOpinion);
  for (const hit of findHits(tokens)) {
    const trusted = trustedType(tokens, hit);
    const weight = EVIDENCE.listed * shareOf(tokens, hit);
    for (const type of typesOf(hit)) addSpan(scores, { ...hit, type }, weight);
    if (trusted)
      addSpan(scores, { ...hit, type: trusted }, isHoliday(tokens, hit) ? EVIDENCE.holiday : EVIDENCE.trusted);
  }
  for (const pattern of findPatterns(tokens)) addSpan(scores, pattern, EVIDENCE.pattern);
}

function typesOf(hit: GazetteerHit): EntityType[] {
  return LIST_TYPES.flatMap(([list, types]) => (isIn(hit, list) ? types : []));
}

/** Lower-case names are often common words, and so are capitalized words that are in the dictionary. */
function shareOf(tokens: readonly Token[], { first, last }: GazetteerHit): number {
  const token = tokens[first];
  if (!token || !/^[\p{Lu}\p{N}]/u.test(token.text)) return EVIDENCE.plainShare;
  return first === last && token.known ? EVIDENCE.commonShare : 1;
}

function addSpan(
  scores: Float64Array,
  { first, last, type }: { first: number; last: number; type: EntityType },
  weight: number,
): void {
  const begin = encoderBeginTag(type);
  for (let at = first; at <= last; at++) add(scores, at * ENCODER_TAG_COUNT + begin + (at === first ? 0 : 1), weight);
}

function add(scores: Float64Array, index: number, value: number): void {
  scores[index] = (scores[index] ?? 0) + value;
}

/** Lower bound of the log probabilities: the fast tagger's certainty that something is no name is often wrong. */
const FLOOR = -4;

const CLASS_OF: Readonly<Partial<Record<EntityType, EntityClass>>> = {
  PERSON: "PERSON",
  GPE: "PLACE",
  LOC: "PLACE",
  FAC: "PLACE",
  ORG: "ORG",
  PRODUCT: "PRODUCT",
  WORK_OF_ART: "WORK_OF_ART",
};

/** The fast tagger's tag for each tag of the encoder; -1 if it does not know the type. */
const TAGGER_TAGS: Int8Array = taggerTags();

function taggerTags(): Int8Array {
  const tags = new Int8Array(ENCODER_TAG_COUNT).fill(-1);
  tags[0] = 0;
  for (const type of ENCODER_ENTITIES) {
    const entityClass = CLASS_OF[type];
    if (entityClass === undefined) continue;
    const begin = beginTag(ENTITY_CLASSES.indexOf(entityClass));
    tags[encoderBeginTag(type)] = begin;
    tags[encoderBeginTag(type) + 1] = begin + 1;
  }
  return tags;
}

/**
 * Adds the fast tagger's log probabilities, multiplied by `weight`, to `scores` (a row of `ENCODER_TAG_COUNT` log
 * probabilities per token); its errors differ from the encoder's. Types that it does not know get a value between
 * "none" and the floor.
 */
function addSecondOpinion(tokens: readonly Token[], scores: Float64Array, weight: number): void {
  const model = taggerModel();
  const own = new Float64Array(TAG_COUNT);
  featuresOf(tokens).forEach((features, at) => {
    scoreToken(model, features, own);
    own[0] = (own[0] ?? 0) + model.outsideBias;
    normalize(own);
    const unknown = ((own.at(0) ?? FLOOR) + FLOOR) / 2;
    for (let tag = 0; tag < ENCODER_TAG_COUNT; tag++) {
      const index = at * ENCODER_TAG_COUNT + tag;
      const opinion = own[TAGGER_TAGS[tag] ?? -1] ?? unknown;
      scores[index] = (scores[index] ?? 0) + weight * opinion;
    }
  });
}

/** Turns scores into log probabilities, bounded below by the floor. */
function normalize(scores: Float64Array): void {
  let top = -Infinity;
  for (const score of scores) top = Math.max(top, score);
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - top);
  const total = top + Math.log(sum);
  for (let tag = 0; tag < scores.length; tag++) scores[tag] = Math.max((scores[tag] ?? 0) - total, FLOOR);
}
