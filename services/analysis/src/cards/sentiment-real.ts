import type { ModelCard } from "./card.js";
import { writtenLanguagesWithout } from "./languages.js";

/** The card of sentiment-real. */
export const sentimentReal: ModelCard = {
  analysis: "sentiment-real",
  use: "the closest of the twenty labels of the Hourglass of Emotions. Models `sentiment-real-encoder`, `sentiment-real-linear`.",
  data: "no corpus has these labels; all are mapped from others or weak keyword labels. `sentiment-real`, 28,833 texts: GoEmotions (Apache-2.0, CC BY 4.0), ISEAR (research use), SemEval-2018 emotion tweets (research use), keyword tweets. The encoder is also trained on the 28 labels of `goemotions-raw` (43,391 texts), the linear model on its mixed ones.",
  knownLimits:
    'there is no neutral label; a text without emotion gets some label with a low probability (postings then have none). Serenity, contentment, acceptance_self and pleasantness_self are based on some hundred keyword rows; calmness and anxiety have little data. 36 short development texts ("thank you") also occur in the fast model\'s training data.',
  engines: [
    {
      engine: "accurate",
      languages: writtenLanguagesWithout("de", "he"),
      scores: [
        {
          metric: "accuracy",
          value: 0.695,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.595,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.041,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.174,
          interval: [0.129, 0.23],
          rows: 213,
          on: "emotions about oneself, quiet emotions, situations",
        },
        {
          metric: "failures",
          value: 0.029,
          interval: [0.008, 0.1],
          rows: 69,
          on: "short texts: sentiment-real above .6",
        },
        {
          metric: "failures",
          value: 0.165,
          interval: [0.132, 0.204],
          rows: 407,
          on: "28 languages, sentiment-real",
        },
      ],
    },
    {
      engine: "fast",
      languages: ["en"],
      scores: [
        {
          metric: "accuracy",
          value: 0.658,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "macro_f1",
          value: 0.537,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "calibration_error",
          value: 0.129,
          on: "development data, on which the models were tuned",
        },
        {
          metric: "failures",
          value: 0.756,
          interval: [0.694, 0.809],
          rows: 213,
          on: "emotions about oneself, quiet emotions, situations",
        },
        {
          metric: "failures",
          value: 0.203,
          interval: [0.125, 0.312],
          rows: 69,
          on: "short texts: sentiment-real above .6",
        },
        {
          metric: "failures",
          value: 0.693,
          interval: [0.646, 0.736],
          rows: 407,
          on: "28 languages, sentiment-real",
        },
      ],
    },
  ],
};
