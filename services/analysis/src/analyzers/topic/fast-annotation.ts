import type { Token } from "../../text/tokens.js";
import type { Annotation } from "./annotation.js";
import { findEntities } from "./entities.js";
import { mendBorders } from "./lists/entity-borders.js";
import { findNounChunks } from "./noun-chunks.js";

/** The fast engine's annotation: entities by features and word lists, chunks by rules over wink's parts of speech. */
export function annotateFast(text: string, tokens: readonly Token[]): Annotation {
  return { text, tokens, entities: mendBorders(tokens, findEntities(tokens)), chunks: findNounChunks(tokens) };
}
