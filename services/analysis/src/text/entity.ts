/** The entity types of the interface. */
export type EntityType =
  "PERSON" | "NORP" | "FAC" | "ORG" | "GPE" | "LOC" | "PRODUCT" | "EVENT" | "WORK_OF_ART" | "LAW" | "LANGUAGE";

/** A named thing; `first` and `last` are token indexes, both inclusive. */
export interface Entity {
  readonly first: number;
  readonly last: number;
  readonly type: EntityType;
  /** How sure the tagger is of it, 0 to 1, where it can tell. */
  readonly prob?: number;
}
