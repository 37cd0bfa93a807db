import { contractLabels } from "@hourglass/analysis";
import type { Sample } from "../sample.js";
import { lettersOf, type Part, readRows } from "../rows.js";
import { unmarkedDevelopmentTexts } from "../spam/ordinary-sets.js";
import { ordinaryPosts } from "./ordinary-posts.js";
import type { Recipe } from "../linear/recipe.js";

const readMarked = (dataDir: string, part: Part): Sample[] =>
  readRows(dataDir, "spam", part).map(({ text, label = "", source = "" }) => ({
    text,
    shares: { [label]: 1 },
    weight: 1,
    source,
  }));

export const spamDetection: Recipe = {
  analysis: "spam-detection",
  labels: contractLabels("spam-detection"),
  data: "spam; as ham sentiment-simple, topic-ner (btc), goemotions-raw, intention, langid",
  samples: (dataDir, part) => {
    const marked = readMarked(dataDir, part);
    if (part === "dev") return marked;
    const heldOut = [...readMarked(dataDir, "dev").map(({ text }) => text), ...unmarkedDevelopmentTexts(dataDir)];
    return [...marked, ...ordinaryPosts(dataDir, marked, new Set(heldOut.map(lettersOf)))];
  },
  settings: {
    occurrencesMin: 3,
    epochs: 20,
    rate: 0.1,
    decay: 1e-4,
    classPower: 0.9,
    smoothing: 0.05,
    rarity: 0,
    denseScale: 1,
    triples: false,
  },
  rowsMax: 60_000,
  biased: "spam",
};
