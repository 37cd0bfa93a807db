import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A loaded third-party library for comparison. */
export type Library = (text: string) => unknown;

/** The used part of vader-sentiment, which has no types. */
interface Vader {
  SentimentIntensityAnalyzer: { polarity_scores(text: string): unknown };
}

/** The used part of wink-nlp, whose own types bind helpers to `this`. */
interface Wink {
  readonly its: Readonly<Record<"sentiment" | "pos" | "value" | "type", unknown>>;
  readDoc(text: string): {
    out(helper: unknown): unknown;
    tokens(): { out(helper: unknown): unknown };
    entities(): { out(helper: unknown): unknown };
  };
}

/** Sentiment by vader-sentiment. */
export function loadVader(): Library {
  const { SentimentIntensityAnalyzer } = require("vader-sentiment") as Vader;
  return (text) => SentimentIntensityAnalyzer.polarity_scores(text);
}

/** Sentiment by wink-nlp, with only the required part of its pipeline. */
export function loadWinkSentiment(): Library {
  const nlp = loadWink(["sbd", "negation", "sentiment"]);
  return (text) => nlp.readDoc(text).out(nlp.its.sentiment);
}

/** Parts of speech and entities by wink-nlp, its closest equivalent to topics. */
export function loadWinkTopics(): Library {
  const nlp = loadWink(["sbd", "pos", "ner"]);
  return (text) => {
    const document = nlp.readDoc(text);
    return [document.tokens().out(nlp.its.pos), document.entities().out(nlp.its.type)];
  };
}

function loadWink(pipe: string[]): Wink {
  const create = require("wink-nlp") as (model: unknown, pipe: string[]) => Wink;
  return create(require("wink-eng-lite-web-model"), pipe);
}
