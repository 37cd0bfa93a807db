import type { Token } from "../../text/tokens.js";
import type { Entity } from "../../text/entity.js";
import type { NounChunk } from "./noun-chunks.js";

/** What an engine sees in a text; topics are made of it in the same way whichever engine it was. */
export interface Annotation {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** In order, without overlap. */
  readonly entities: readonly Entity[];
  /** In any order; a chunk may lie inside another. */
  readonly chunks: readonly NounChunk[];
}
