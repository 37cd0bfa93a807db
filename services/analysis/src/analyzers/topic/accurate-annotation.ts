import type { RawToken } from "../../text/tokenizer.js";
import { tokensWithTags } from "../../text/tokens.js";
import type { Annotation } from "./annotation.js";
import { decodeChunks } from "./encoded/decode-chunks.js";
import { decodeEntities } from "./encoded/decode-entities.js";
import { decodePos } from "./encoded/decode-pos.js";
import type { TokenScores } from "./encoded/encoder-tags.js";
import type { EvidenceSettings } from "./encoded/entity-evidence.js";
import { mendBorders } from "./lists/entity-borders.js";

/** Tokens of a text with the encoder's scores for each. */
export interface EncodedTokens extends TokenScores {
  readonly tokens: readonly RawToken[];
}

/** The encoder's annotation of a text. */
export function annotateEncoded(text: string, encoded: EncodedTokens, settings?: EvidenceSettings): Annotation {
  const tokens = tokensWithTags(encoded.tokens, decodePos(encoded.tokens, encoded.pos));
  return {
    text,
    tokens,
    entities: mendBorders(tokens, decodeEntities(tokens, encoded.entity, settings)),
    chunks: decodeChunks(tokens, encoded),
  };
}
