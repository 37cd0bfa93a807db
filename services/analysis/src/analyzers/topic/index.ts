import type { Analyzer } from "../../analyzer.js";
import { tokensOf } from "../../text/tokens.js";
import { wink } from "../../text/wink.js";
import { taggerModel } from "./tagger.js";
import { topicsOf } from "./topics.js";

/** The `topic` analyzer; loads wink-nlp and the entity tagger, so create it where it runs. */
export const createTopic = (): Analyzer<"topic"> => {
  wink();
  const { version } = taggerModel();
  return {
    type: "topic",
    engine: "builtin",
    version: `wink-${version}`,
    analyze: (document) => topicsOf(document.text, tokensOf(document)),
  };
};
