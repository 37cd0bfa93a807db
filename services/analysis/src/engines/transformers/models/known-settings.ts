import type { ModelSettings } from "./model-settings.js";

/** Settings that the folders of known models lack. An operator's hourglass.json takes precedence. */
export const KNOWN_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  "Xenova/twitter-roberta-base-sentiment-latest": { handles: "@user", links: "http" },
  "Xenova/twitter-roberta-base-sentiment": {
    handles: "@user",
    links: "http",
    labels: { LABEL_0: "negative", LABEL_1: "neutral", LABEL_2: "positive" },
  },
  "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX": { labels: { LABEL_0: "ham", LABEL_1: "spam" } },
};
