import type { TextualDescriptor } from "../descriptor.js";
import type { EncoderTaskName } from "../engines/encoder/card.js";
import type { LabelSet } from "../text/classification.js";
import type { Classification } from "../types.js";

/** An analysis whose result is one of its labels: the engines are the same for all of them. */
const classifier = <T extends EncoderTaskName>(
  labels: LabelSet<T>,
  defaultModel: string,
): TextualDescriptor<T, Classification> => ({
  type: labels.analysis,
  kind: "textual",
  labels,
  engines: {
    fast: async () => (await import("../engines/linear/linear-classifier.js")).createLinearAnalyzer(labels),
    accurate: async () => (await import("../engines/encoder/encoder-classifier.js")).createEncoderAnalyzer(labels),
    models: async (settings) =>
      (await import("../engines/hf-text/model-classifier.js")).createModelClassifier(labels, settings),
  },
  defaultEngine: "accurate",
  defaultModel,
});

export const SENTIMENT_SIMPLE_LABELS: LabelSet<"sentiment-simple"> = {
  analysis: "sentiment-simple",
  // Of the posts only: the reviews of the training data were selected for having an opinion.
  priors: { positive: 0.408, neutral: 0.43, negative: 0.162 },
  aliases: {
    pos: "positive",
    neu: "neutral",
    neg: "negative",
    "1_star": "negative",
    "2_stars": "negative",
    "3_stars": "neutral",
    "4_stars": "positive",
    "5_stars": "positive",
  },
  hypotheses: {
    positive: "The author feels positive about it.",
    neutral: "The author is neutral about it.",
    negative: "The author feels negative about it.",
  },
};

export const sentimentSimple = classifier(SENTIMENT_SIMPLE_LABELS, "Xenova/twitter-roberta-base-sentiment-latest");

export const SENTIMENT_REAL_LABELS: LabelSet<"sentiment-real"> = {
  analysis: "sentiment-real",
  priors: {
    acceptance: 0.0896,
    acceptance_self: 0.003,
    anger: 0.0912,
    annoyance: 0.0594,
    anxiety: 0.01,
    calmness: 0.0103,
    contentment: 0.0059,
    disgust: 0.0473,
    disgust_self: 0.0291,
    dislike: 0.0537,
    dislike_self: 0.0495,
    eagerness: 0.0786,
    fear: 0.0453,
    joy: 0.1404,
    melancholy: 0.0378,
    pleasantness: 0.088,
    pleasantness_self: 0.0042,
    responsiveness: 0.0689,
    sadness: 0.0837,
    serenity: 0.0041,
  },
  // The emotions of GoEmotions, mapped as in the training data.
  aliases: {
    admiration: "pleasantness",
    amusement: "joy",
    approval: "acceptance",
    caring: "acceptance",
    confusion: null,
    curiosity: "responsiveness",
    desire: "eagerness",
    disappointment: "melancholy",
    disapproval: "dislike",
    embarrassment: "dislike_self",
    excitement: "eagerness",
    gratitude: "pleasantness",
    grief: "sadness",
    love: "pleasantness",
    nervousness: "anxiety",
    neutral: null,
    optimism: "eagerness",
    pride: "pleasantness_self",
    realization: null,
    relief: "calmness",
    remorse: "dislike_self",
    surprise: null,
  },
  hypotheses: {
    acceptance: "The author accepts or approves of something.",
    acceptance_self: "The author accepts himself or herself.",
    anger: "The author is angry.",
    annoyance: "The author is annoyed.",
    anxiety: "The author is anxious.",
    calmness: "The author is calm.",
    contentment: "The author is content.",
    disgust: "The author is disgusted by something.",
    disgust_self: "The author is disgusted by himself or herself.",
    dislike: "The author dislikes something.",
    dislike_self: "The author is ashamed or regrets what he or she did.",
    eagerness: "The author is eager or excited.",
    fear: "The author is afraid.",
    joy: "The author is joyful.",
    melancholy: "The author is disappointed or melancholic.",
    pleasantness: "The author likes, loves or admires something.",
    pleasantness_self: "The author is proud of himself or herself.",
    responsiveness: "The author is curious.",
    sadness: "The author is sad.",
    serenity: "The author is at peace.",
  },
};

export const sentimentReal = classifier(SENTIMENT_REAL_LABELS, "SamLowe/roberta-base-go_emotions-onnx");

export const SPAM_DETECTION_LABELS: LabelSet<"spam-detection"> = {
  analysis: "spam-detection",
  priors: { spam: 0.1513, ham: 0.8487 },
  aliases: { not_spam: "ham", non_spam: "ham", no_spam: "ham" },
  hypotheses: {
    spam: "This is unwanted advertising or a scam.",
    ham: "This is an ordinary message.",
  },
};

export const spamDetection = classifier(
  SPAM_DETECTION_LABELS,
  "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX",
);

export const INTENTION_LABELS: LabelSet<"intention"> = {
  analysis: "intention",
  priors: {
    assertion: 0.1571,
    valuation: 0.1568,
    palinode: 0.0045,
    contrition: 0.0531,
    forecast: 0.1503,
    wish: 0.1281,
    proposal: 0.1515,
    inducement: 0.0743,
    none: 0.1244,
  },
  aliases: {},
  hypotheses: {
    assertion: "The author states a fact.",
    valuation: "The author gives an opinion or judges something.",
    palinode: "The author takes back something that he or she said before.",
    contrition: "The author apologises.",
    forecast: "The author predicts what will happen.",
    wish: "The author wishes for something.",
    proposal: "The author suggests something.",
    inducement: "The author urges somebody to do something.",
    none: "The author asks a question.",
  },
};

export const intention = classifier(INTENTION_LABELS, "Xenova/nli-deberta-v3-xsmall");
