/** The entity types of the interface. */
export type EntityType =
  "PERSON" | "NORP" | "FAC" | "ORG" | "GPE" | "LOC" | "PRODUCT" | "EVENT" | "WORK_OF_ART" | "LAW" | "LANGUAGE";

/** A named entity; `first` and `last` are token indexes, both inclusive. */
export interface Entity {
  readonly first: number;
  readonly last: number;
  readonly type: EntityType;
  /** The tagger's confidence, 0 to 1, if it has one. */
  readonly prob?: number;
}
