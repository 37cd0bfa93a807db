import { readRows } from "../rows.js";
import type { Recipe } from "./recipe.js";

export const spamDetection: Recipe = {
  analysis: "spam-detection",
  labels: ["spam", "ham"],
  data: "spam",
  samples: (dataDir, part) =>
    readRows(dataDir, "spam", part).map(({ text, label = "", source = "" }) => ({
      text,
      shares: { [label]: 1 },
      weight: 1,
      source,
    })),
  settings: {
    occurrencesMin: 2,
    epochs: 10,
    rate: 0.1,
    decay: 1e-4,
    classPower: 0.3,
    smoothing: 0.02,
    rarity: 0,
    denseScale: 1,
    triples: false,
  },
  rowsMax: 60_000,
};
