import type { ModelAnalysis } from "../text/model-analysis.js";
import type { ModelSettings } from "./model-settings.js";

/** The model of each analysis where none is configured. */
export const DEFAULT_MODELS: Readonly<Record<ModelAnalysis, string>> = {
  "sentiment-simple": "Xenova/twitter-roberta-base-sentiment-latest",
  "sentiment-real": "SamLowe/roberta-base-go_emotions-onnx",
  topic: "Xenova/bert-base-NER",
  "spam-detection": "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX",
  intention: "Xenova/nli-deberta-v3-xsmall",
};

/** What the folders of known models do not say of themselves. A hourglass.json of the operator goes before it. */
export const KNOWN_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  "Xenova/twitter-roberta-base-sentiment-latest": { handles: "@user", links: "http" },
  "Xenova/twitter-roberta-base-sentiment": {
    handles: "@user",
    links: "http",
    labels: { LABEL_0: "negative", LABEL_1: "neutral", LABEL_2: "positive" },
  },
  "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX": { labels: { LABEL_0: "ham", LABEL_1: "spam" } },
};
