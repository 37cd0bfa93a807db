import type { ModelCard } from "./card.js";
import { WRITTEN_LANGUAGES } from "./languages.js";

/** The card of spam-detection. */
export const spamDetection: ModelCard = {
  analysis: "spam-detection",
  use: "unwanted advertising and fraud in messages and comments. Models `spam-detection-encoder`, `spam-detection-linear`.",
  data: '`spam`, 6,920 texts: UCI SMS Spam Collection and YouTube Spam Collection, four of five videos (both CC BY 4.0); SemEval tweets, assumed to be ham. Since ham with a link or a call to action is rare there, some 9,600 ordinary posts of other sets are added as ham with 30 % of the weight: tweets and news with links (SemEval, Broad Twitter Corpus), appeals for help and invitations, Reddit comments, proposals, reviews, news. Some of these, and some spam, get an artificial lead-in ("Check this out:") or link, so that neither is evidence by itself. These posts were not annotated.',
  knownLimits:
    "the data are British text messages of 2006 and comments of 2013 to 2015; campaigns change, and comments on unseen videos are harder than these. A link still makes spam more likely: one in forty ordinary posts with a link is classified as spam, one in a hundred without. Phishing that looks like an ordinary message is missed.",
  engines: [
    {
      engine: "accurate",
      languages: WRITTEN_LANGUAGES,
      scores: [
        {
          metric: "accuracy",
          value: 0.983,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.964,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.007,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.003,
          interval: [0.001, 0.01],
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
          value: 0.983,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.964,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.007,
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
