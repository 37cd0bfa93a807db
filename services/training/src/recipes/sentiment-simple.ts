import { contractLabels } from "@hourglass/analysis";
import { readRows } from "../rows.js";
import type { Recipe } from "../linear/recipe.js";

export const sentimentSimple: Recipe = {
  analysis: "sentiment-simple",
  labels: contractLabels("sentiment-simple"),
  data: "sentiment-simple",
  samples: (dataDir, part) =>
    readRows(dataDir, "sentiment-simple", part).map(({ text, label = "", source = "" }) => ({
      text,
      shares: { [label]: 1 },
      weight: 1,
      source,
    })),
  settings: {
    occurrencesMin: 3,
    epochs: 8,
    rate: 0.1,
    decay: 1e-4,
    classPower: 0.3,
    smoothing: 0.05,
    rarity: 0,
    denseScale: 1,
    triples: false,
  },
  rowsMax: 100_000,
  biased: "neutral",
};
