import type { RawToken } from "../../text/tokenizer.js";
import { tokensWithTags } from "../../text/tokens.js";
import type { Annotation } from "./annotation.js";
import { decodeChunks } from "./decode-chunks.js";
import { decodeEntities } from "./decode-entities.js";
import { decodePos } from "./decode-pos.js";
import type { TokenScores } from "./encoder-tags.js";
import type { EvidenceSettings } from "./entity-evidence.js";

/** Tokens of a text with what the encoder says of each. */
export interface EncodedTokens extends TokenScores {
  readonly tokens: readonly RawToken[];
}

/** What the encoder sees in a text. */
export function annotateEncoded(text: string, encoded: EncodedTokens, settings?: EvidenceSettings): Annotation {
  const tokens = tokensWithTags(encoded.tokens, decodePos(encoded.tokens, encoded.pos));
  return {
    text,
    tokens,
    entities: decodeEntities(tokens, encoded.entity, settings),
    chunks: decodeChunks(tokens, encoded),
  };
}
