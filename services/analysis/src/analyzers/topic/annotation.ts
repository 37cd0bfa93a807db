import type { Token } from "../../text/tokens.js";
import type { Entity } from "../../text/entity.js";
import type { NounChunk } from "./noun-chunks.js";

/** An engine's annotation of a text; topics are derived from it in the same way for every engine. */
export interface Annotation {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** In order, without overlap. */
  readonly entities: readonly Entity[];
  /** In any order; a chunk may lie inside another. */
  readonly chunks: readonly NounChunk[];
}
