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
