import type { ModelCard } from "./card.js";
import { WRITTEN_LANGUAGES } from "./languages.js";

/** The card of spam-detection. */
export const spamDetection: ModelCard = {
  analysis: "spam-detection",
  use: "unwanted advertising and fraud in messages and comments. Models `spam-detection-encoder`, `spam-detection-linear`.",
  data: "`spam`, 6,920 texts: UCI SMS Spam Collection and YouTube Spam Collection, four of five videos (both CC BY 4.0), and SemEval tweets, assumed to be ham. `spam-modern`, 4,186 messages and posts of 2018 to 2026 (mostly English and Thai; MIT and CC BY 4.0). 3,770 lines that a large language model wrote for this project in English and the 28 languages, their companies, addresses and amounts filled by rule. Since ham with a link is rare there, some 9,600 ordinary posts of other sets are added as ham with 30 % of the weight, their links exchanged for those of many sites and shorteners. So are some 5,500 tweets and sentences in other languages.",
  knownLimits:
    "the modern data are English, Thai and Russian; campaigns change within weeks. One in eight notices of companies is called spam, mostly those with a shortened or unknown link; one in 48 ordinary posts with a link is, one in 290 without. Crypto posts and scams told as a personal story are often missed. Advertising by a shop is spam here even for its customers.",
  engines: [
    {
      engine: "accurate",
      languages: WRITTEN_LANGUAGES,
      scores: [
        {
          metric: "accuracy",
          value: 0.982,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.96,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.01,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.001,
          interval: [0, 0.008],
          rows: 728,
          on: "28 languages, spam-detection",
        },
        {
          metric: "failures",
          value: 0.018,
          interval: [0.003, 0.094],
          rows: 56,
          on: "28 languages, advertising not found",
        },
      ],
    },
    {
      engine: "fast",
      languages: ["en"],
      scores: [
        {
          metric: "accuracy",
          value: 0.982,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.96,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.014,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.077,
          interval: [0.06, 0.099],
          rows: 728,
          on: "28 languages, spam-detection",
        },
        {
          metric: "failures",
          value: 1.0,
          interval: [0.936, 1.0],
          rows: 56,
          on: "28 languages, advertising not found",
        },
      ],
    },
  ],
};
