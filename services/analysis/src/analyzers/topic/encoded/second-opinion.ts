import type { Token } from "../../../text/tokens.js";
import { ENCODER_ENTITIES, ENCODER_TAG_COUNT, encoderBeginTag } from "./encoder-tags.js";
import type { EntityType } from "../../../text/entity.js";
import { featuresOf } from "../tagger/features.js";
import { scoreToken, taggerModel } from "../tagger/tagger.js";
import { beginTag, ENTITY_CLASSES, type EntityClass, TAG_COUNT } from "../tagger/tags.js";

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
export function addSecondOpinion(tokens: readonly Token[], scores: Float64Array, weight: number): void {
  const model = taggerModel();
  const own = new Float64Array(TAG_COUNT);
  featuresOf(tokens).forEach((features, at) => {
    scoreToken(model, features, own);
    own[0] = (own[0] ?? 0) + model.outsideBias;
    normalise(own);
    const unknown = ((own.at(0) ?? FLOOR) + FLOOR) / 2;
    for (let tag = 0; tag < ENCODER_TAG_COUNT; tag++) {
      const index = at * ENCODER_TAG_COUNT + tag;
      const opinion = own[TAGGER_TAGS[tag] ?? -1] ?? unknown;
      scores[index] = (scores[index] ?? 0) + weight * opinion;
    }
  });
}

/** Turns scores into log probabilities, bounded below by the floor. */
function normalise(scores: Float64Array): void {
  let top = -Infinity;
  for (const score of scores) top = Math.max(top, score);
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - top);
  const total = top + Math.log(sum);
  for (let tag = 0; tag < scores.length; tag++) scores[tag] = Math.max((scores[tag] ?? 0) - total, FLOOR);
}
