/**
 * What the sequence tagger tells apart. Its training data knows neither GPE, LOC and FAC nor ORG and NORP apart, so a
 * place is PLACE here; word lists refine both afterwards.
 */
export const ENTITY_CLASSES = ["PERSON", "PLACE", "ORG", "PRODUCT", "WORK_OF_ART"] as const;

/** A class of the sequence tagger. */
export type EntityClass = (typeof ENTITY_CLASSES)[number];

/** Tag 0 is "outside"; class `c` begins with tag `1 + 2c` and goes on with tag `2 + 2c`. */
export const TAG_COUNT = 1 + 2 * ENTITY_CLASSES.length;

/** The tag that begins a class, given its index. */
export const beginTag = (classIndex: number): number => 1 + 2 * classIndex;

/** Whether one tag may stand before another: an inside tag follows its own begin or inside. `-1` is the start. */
export const mayFollow = (before: number, tag: number): boolean =>
  tag === 0 || tag % 2 === 1 || before === tag || before === tag - 1;
