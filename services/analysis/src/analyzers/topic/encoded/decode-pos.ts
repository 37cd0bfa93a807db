import { argmax } from "../../../text/classification.js";
import type { PartOfSpeech } from "../../../text/tokens.js";
import type { RawToken } from "../../../text/tokenizer.js";
import { ENCODER_POS } from "./encoder-tags.js";

const OF_KIND: Partial<Record<RawToken["kind"], PartOfSpeech>> = {
  url: "X",
  email: "X",
  mention: "PROPN",
  hashtag: "X",
  emoji: "SYM",
  emoticon: "SYM",
};

/** The likeliest part of speech of each token; tokens specific to posts have the one of their kind. */
export function decodePos(tokens: readonly RawToken[], scores: readonly Float32Array[]): PartOfSpeech[] {
  return tokens.map(({ kind }, at) => OF_KIND[kind] ?? ENCODER_POS[argmax(scores[at] ?? [])] ?? "X");
}
