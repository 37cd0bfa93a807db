import { type Token, tokensOf } from "../../text/tokens.js";
import { wink } from "../../text/wink.js";
import type { Analyzer, Topic } from "../../types.js";
import type { Annotation } from "./annotation.js";
import { findEntities } from "./entities.js";
import { correctBorders } from "./entity-borders.js";
import { trustedIn } from "./topic-languages.js";
import { findNounChunks } from "./noun-chunks.js";
import { taggerModel } from "./tagger.js";
import { topicsOf } from "./topics.js";

/** Increment with every change of rules or word lists, which the tagger's version does not cover. */
const RULES_VERSION = 7;

/**
 * The fast `topic` analyzer. It loads wink-nlp and the entity tagger on creation, so create it in the thread that uses
 * it.
 */
export const createTopic = (): Analyzer<"topic", Topic[]> => {
  wink();
  const { version } = taggerModel();
  return {
    type: "topic",
    engine: "fast",
    model: { id: "topic-crf", version: `${RULES_VERSION}-${version.replace(/^crf-/, "")}` },
    languages: new Set(["en"]),
    analyze: (document, { explain }) => {
      const { annotation, chunks } = trustedIn(document.language, annotateFast(document.text, tokensOf(document)));
      return topicsOf(annotation, { explain, chunks });
    },
  };
};

/** The fast engine's annotation: entities by features and word lists, chunks by rules over wink's parts of speech. */
export function annotateFast(text: string, tokens: readonly Token[]): Annotation {
  return { text, tokens, entities: correctBorders(tokens, findEntities(tokens)), chunks: findNounChunks(tokens) };
}
