import type { ModelCard } from "./card.js";

/** The card of language. */
export const language: ModelCard = {
  analysis: "language",
  use: "Identifies the language of a post or sentence, so that results can say whether the model supports it. It covers 75 languages, and ten more by their script (dv or kn ml si lo bo my am km). It is not evidence of a writer's origin.",
  data: "77,136 texts of lingua's language test data (Apache-2.0; drawn from the Leipzig Corpora, CC BY) and of eld's benchmarks (tweets in en fr es it de nl; Apache-2.0). Some 5,000 English posts of the training sets sentiment-simple and sentiment-real, labeled `en`.",
  knownLimits:
    'Romanized Hindi, Arabic, Russian and the like are identified as some language in Latin script, sometimes with confidence ("kya kar rahe ho" as Sesotho). Unknown languages (Galician, Nepali, Hausa, Maltese) are identified as a related one. One-word texts are mostly `und`. For scripts that several languages share (Ethiopic), the largest is given.',
  engines: [
    {
      engine: "fast",
      languages: null,
      scores: [
        {
          metric: "accuracy",
          value: 0.985,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.976,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.004,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "accuracy",
          value: 0.975,
          rows: 2250,
          on: "sentences in 75 languages (2,250)",
        },
        {
          metric: "accuracy",
          value: 0.997,
          rows: 1790,
          on: "tweets in 6 languages (1,790)",
        },
      ],
    },
  ],
};
