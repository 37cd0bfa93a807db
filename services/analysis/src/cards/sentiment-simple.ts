import type { ModelCard } from "./card.js";
import { WRITTEN_LANGUAGES } from "./languages.js";

/** The card of sentiment-simple. */
export const sentimentSimple: ModelCard = {
  analysis: "sentiment-simple",
  use: "whether a post is positive, negative or neutral about its subject. Models `sentiment-simple-encoder`, `sentiment-simple-linear`.",
  data: "`sentiment-simple`, 68,027 texts: SemEval-2013 to 2016 tweets (annotations CC BY 3.0, tweets under the platform's terms), the VADER ground truth (MIT; valence ≥ .5 positive, ≤ −.5 negative), Stanford Sentiment Treebank (research use, no explicit license). The encoder is also trained on the 1,839 English tweets of `sentiment-multilingual`, of which 717 are among these.",
  knownLimits:
    'irony (below), quoted opinions, opinions about two things at once, neutral reports of bad news (often negative), comparisons ("lasts twice as long as the old one" may be negative), slang with rare words. Enthusiastic spam is positive.',
  engines: [
    {
      engine: "accurate",
      languages: WRITTEN_LANGUAGES,
      scores: [
        {
          metric: "accuracy",
          value: 0.739,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.739,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.04,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.081,
          interval: [0.053, 0.123],
          rows: 234,
          on: "negation and condition",
        },
        {
          metric: "failures",
          value: 0.14,
          interval: [0.084, 0.225],
          rows: 93,
          on: "minimal pairs of these",
        },
        {
          metric: "failures",
          value: 0.062,
          interval: [0.037, 0.103],
          rows: 210,
          on: "words of misleading polarity, invariances",
        },
        {
          metric: "failures",
          value: 0.35,
          interval: [0.181, 0.567],
          rows: 20,
          on: "sarcasm",
        },
        {
          metric: "failures",
          value: 0.2,
          interval: [0.081, 0.416],
          rows: 20,
          on: "sarcasm, wrong with a certainty above .9",
        },
        {
          metric: "failures",
          value: 0.222,
          interval: [0.149, 0.318],
          rows: 90,
          on: "comparison, slang, conditions, facts",
        },
        {
          metric: "failures",
          value: 0.116,
          interval: [0.06, 0.212],
          rows: 69,
          on: "short texts: sentiment-simple above .6",
        },
        {
          metric: "failures",
          value: 0.064,
          interval: [0.048, 0.085],
          rows: 672,
          on: "28 languages, sentiment-simple",
        },
      ],
    },
    {
      engine: "fast",
      languages: ["en"],
      scores: [
        {
          metric: "accuracy",
          value: 0.685,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.678,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.016,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.367,
          interval: [0.308, 0.431],
          rows: 234,
          on: "negation and condition",
        },
        {
          metric: "failures",
          value: 0.57,
          interval: [0.468, 0.666],
          rows: 93,
          on: "minimal pairs of these",
        },
        {
          metric: "failures",
          value: 0.367,
          interval: [0.304, 0.434],
          rows: 210,
          on: "words of misleading polarity, invariances",
        },
        {
          metric: "failures",
          value: 1.0,
          interval: [0.839, 1.0],
          rows: 20,
          on: "sarcasm",
        },
        {
          metric: "failures",
          value: 0.4,
          interval: [0.219, 0.613],
          rows: 20,
          on: "sarcasm, wrong with a certainty above .9",
        },
        {
          metric: "failures",
          value: 0.362,
          interval: [0.259, 0.48],
          rows: 69,
          on: "short texts: sentiment-simple above .6",
        },
        {
          metric: "failures",
          value: 0.71,
          interval: [0.674, 0.743],
          rows: 672,
          on: "28 languages, sentiment-simple",
        },
      ],
    },
  ],
};
