import { contractLabels } from "@hourglass/analysis";
import { readRows } from "../rows.js";
import type { Recipe } from "../linear/recipe.js";

/** Weight of labels from regular expressions over the text, which are less reliable than annotated ones. */
const WEAK = 0.7;

export const intention: Recipe = {
  analysis: "intention",
  labels: contractLabels("intention"),
  data: "intention",
  samples: (dataDir, part) =>
    readRows(dataDir, "intention", part).map(({ text, label = "", source = "", quality = "" }) => ({
      text,
      shares: { [label]: 1 },
      weight: quality === "weak" ? WEAK : 1,
      source: quality === "weak" ? `${source} (weak)` : source,
    })),
  settings: {
    occurrencesMin: 2,
    epochs: 8,
    rate: 0.3,
    decay: 1e-4,
    classPower: 0.5,
    smoothing: 0.05,
    rarity: 0,
    denseScale: 1,
    triples: true,
  },
  rowsMax: 80_000,
  unseen: { sources: ["goemotions", "subj-", "amazon", "trec"], share: 0.5 },
  caution: 1.2,
};
