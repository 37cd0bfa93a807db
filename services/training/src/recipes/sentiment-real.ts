import { readRows } from "../rows.js";
import type { Recipe } from "./recipe.js";

/** How far each kind of label is trusted; none was annotated with these twenty labels in mind. */
const TRUST: Readonly<Record<string, number>> = {
  "mapped-good": 1,
  "mapped-fair": 0.9,
  "mapped-weak": 0.8,
  "weak-keyword": 0.5,
};

export const sentimentReal: Recipe = {
  analysis: "sentiment-real",
  labels: [
    "acceptance_self",
    "acceptance",
    "anger",
    "annoyance",
    "anxiety",
    "calmness",
    "contentment",
    "disgust_self",
    "disgust",
    "dislike_self",
    "dislike",
    "eagerness",
    "fear",
    "joy",
    "melancholy",
    "pleasantness_self",
    "pleasantness",
    "responsiveness",
    "sadness",
    "serenity",
  ],
  data: "sentiment-real",
  samples: (dataDir, part) =>
    readRows(dataDir, "sentiment-real", part).map(({ text, label = "", source = "", quality = "" }) => ({
      text,
      shares: { [label]: 1 },
      weight: TRUST[quality] ?? 1,
      source: `${source} ${quality}`,
    })),
  settings: {
    occurrencesMin: 2,
    epochs: 8,
    rate: 0.1,
    decay: 1e-4,
    classPower: 0.5,
    smoothing: 0.05,
    rarity: 0.5,
    denseScale: 1,
  },
  rowsMax: 45_000,
};
