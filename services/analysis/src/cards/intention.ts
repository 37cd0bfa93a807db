import type { ModelCard } from "./card.js";
import { writtenLanguagesWithout } from "./languages.js";

/** The card of intention. */
export const intention: ModelCard = {
  analysis: "intention",
  use: "the purpose of a post (assert, value, wish, propose …). Models `intention-encoder`, `intention-linear`.",
  data: "no corpus has these labels. `intention`, 17,924 texts: suggestions of SemEval-2019 task 9 (research use), GoEmotions, ISEAR guilt (research use), subjectivity data of Pang & Lee and TREC questions (no license stated), SemEval tweets and Amazon snippets. More than half are weak labels by regular expressions.",
  knownLimits:
    "forecast, inducement and palinode (81 rows) are based on patterns, so the models recognize phrases rather than meaning and are far weaker on unseen sources. assertion and valuation are hard to separate where a text reports an opinion.",
  engines: [
    {
      engine: "accurate",
      languages: writtenLanguagesWithout("th"),
      scores: [
        {
          metric: "accuracy",
          value: 0.868,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.875,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.038,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.068,
          interval: [0.041, 0.111],
          rows: 205,
          on: "intention",
        },
        {
          metric: "failures",
          value: 0.07,
          interval: [0.024, 0.186],
          rows: 43,
          on: "apologies of others, condolences, forecasts",
        },
        {
          metric: "failures",
          value: 0.079,
          interval: [0.056, 0.109],
          rows: 407,
          on: "28 languages, intention",
        },
      ],
    },
    {
      engine: "fast",
      languages: ["en"],
      scores: [
        {
          metric: "accuracy",
          value: 0.835,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.797,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.036,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.356,
          interval: [0.294, 0.424],
          rows: 205,
          on: "intention",
        },
        {
          metric: "failures",
          value: 0.742,
          interval: [0.697, 0.782],
          rows: 407,
          on: "28 languages, intention",
        },
      ],
    },
  ],
};
