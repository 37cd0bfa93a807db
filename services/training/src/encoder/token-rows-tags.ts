/** Entity types in the order of the tags of the encoder. */
export const ENTITY_TYPES = [
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
] as const;

/** An entity type of the interface. */
export type RowType = (typeof ENTITY_TYPES)[number];

/** Tag of a token outside all entities; type `t` begins with tag `1 + 2t` and goes on with tag `2 + 2t`. */
export const OUTSIDE = 0;

/** Number of entity tags. */
export const TAG_COUNT = 1 + 2 * ENTITY_TYPES.length;

/** Every entity tag: what a token of which nothing is known may have. */
export const ANY_TAG: readonly number[] = Array.from({ length: TAG_COUNT }, (_, tag) => tag);

/** Names of the entity tags, by their index. */
export const TAG_NAMES: readonly string[] = ["O", ...ENTITY_TYPES.flatMap((type) => [`B-${type}`, `I-${type}`])];

/** Parts of speech of Universal Dependencies in the order of the encoder's labels. */
export const POS_LABELS = [
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
] as const;

/** Label of what is not known of a token. */
export const UNKNOWN = -1;

/** The tag that begins a type. */
export const beginTag = (type: RowType): number => 1 + 2 * ENTITY_TYPES.indexOf(type);

/** Whether a name is that of an entity type of the interface. */
export const isRowType = (name: string): name is RowType => (ENTITY_TYPES as readonly string[]).includes(name);

/** The index of a part of speech, `UNKNOWN` for any other name. */
export const posLabel = (name: string): number => (POS_LABELS as readonly string[]).indexOf(name);

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
