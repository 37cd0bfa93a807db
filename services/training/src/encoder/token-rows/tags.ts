import {
  ENCODER_ENTITIES,
  ENCODER_POS,
  ENCODER_TAG_COUNT,
  encoderBeginTag,
  type EntityType,
} from "@hourglass/analysis/topic";

export {
  ENCODER_ENTITIES as ENTITY_TYPES,
  ENCODER_POS as POS_LABELS,
  ENCODER_TAG_NAMES as TAG_NAMES,
} from "@hourglass/analysis/topic";

/** An entity type of the interface. */
export type RowType = EntityType;

/** Tag of a token outside all entities; type `t` has the begin tag `1 + 2t` and the inside tag `2 + 2t`. */
export const OUTSIDE = 0;

/** Number of entity tags. */
export const TAG_COUNT = ENCODER_TAG_COUNT;

/** Every entity tag: the possible tags of a token without evidence. */
export const ANY_TAG: readonly number[] = Array.from({ length: TAG_COUNT }, (_, tag) => tag);

/** Label of a token whose label is unknown. */
export const UNKNOWN = -1;

/** The begin tag of a type. */
export const beginTag = encoderBeginTag;

/** Whether a name is that of an entity type of the interface. */
export const isRowType = (name: string): name is RowType => (ENCODER_ENTITIES as readonly string[]).includes(name);

/** The index of a part of speech, `UNKNOWN` for any other name. */
export const posLabel = (name: string): number => (ENCODER_POS as readonly string[]).indexOf(name);

/** Gives the tokens from `first` to `last` the tags of any of the types. */
export function markSpan(
  allowed: (readonly number[])[],
  { first, last }: { first: number; last: number },
  types: readonly RowType[],
): void {
  const begins = types.map(beginTag);
  const insides = begins.map((tag) => tag + 1);
  for (let at = first; at <= last; at++) allowed[at] = at === first ? begins : insides;
}
