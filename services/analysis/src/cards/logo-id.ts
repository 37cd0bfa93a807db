import type { ModelCard } from "./card.js";

/** The card of logo-id. */
export const logoId: ModelCard = {
  analysis: "logo-id",
  use: "which brands a picture shows, by their printed names and by the marks that a company has added. Model `logo-id-words`, version 2. A mark without a name (an apple, a swoosh) is found only if the company has added it. The result does not tell whether a product is genuine.",
  data: "the recognized lines are compared with 4,089 brands in 4,123 spellings (`services/analysis/models/logo-id/brands.txt`), ignoring case, spaces, accents and connecting punctuation: 1,081 lines written for this project (`services/training/vision/well-known-brands.txt`), and of two public lists the names that have no other meaning and at least five letters: the titles of simple-icons 16.37 (CC0), and the 2,164 brands of name-suggestion-index 8.0.20260918 (September 2026, BSD-3-Clause; from OpenStreetMap: shops, restaurants, hotels, banks, vehicles, fuel) that are worldwide or in four countries or more.",
  knownLimits:
    "a brand name on a shirt, a poster or a screen counts as shown; a shop with a brand's name is taken for the brand. A name can be correct but belong to another brand (Delta, Polo).",
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "recall",
          value: 0.958,
          interval: [0.798, 0.993],
          rows: 24,
          on: "eight brands drawn half as wide as the picture",
        },
        {
          metric: "false_positives",
          value: 0.0,
          interval: [0.0, 0.114],
          rows: 30,
          on: "brands found on 30 held-out photos without any",
        },
        {
          metric: "false_positives",
          value: 0.0,
          interval: [0.0, 0.012],
          rows: 325,
          on: "false brands on 325 photos that nothing was tuned on",
        },
      ],
    },
  ],
};
