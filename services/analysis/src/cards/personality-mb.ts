import type { ModelCard } from "./card.js";

/** The card of personality-mb. */
export const personalityMb: ModelCard = {
  analysis: "personality-mb",
  use: "Unvalidated. There is no open data to train or measure it on (public sets leak the label or have no license). Do not base decisions about a person on it.",
  data: "no labeled data. Base rates of words are counted over the texts of `sentiment-simple`, `sentiment-real`, `topic-ner`.",
  knownLimits:
    "the MBTI itself has weak test–retest reliability; published correlations with words are small (.05 to .25) and depend on topic and medium. Short texts carry almost no evidence: a text that moves no preference by .02 gets the population's probabilities, so ISFJ, the most common type, and `supported: false`; so do most single posts. Texts in languages other than English get the base rates, and such results have `supported: false` and the population's probabilities (.507, .733, .598, .541). Type names in a text are ignored.",
  engines: [
    {
      engine: "fast",
      languages: ["en"],
      scores: [],
    },
  ],
};
