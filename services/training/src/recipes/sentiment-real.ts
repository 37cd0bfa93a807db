import { contractLabels } from "@hourglass/analysis";
import type { Sample } from "../sample.js";
import { lettersOf, type Part, readRows } from "../rows.js";
import type { Recipe } from "../linear/recipe.js";

/** Weight of each kind of label; none was annotated with these twenty labels in mind. */
const TRUST: Readonly<Record<string, number>> = {
  "mapped-good": 1,
  "mapped-fair": 0.9,
  "mapped-weak": 0.8,
  "weak-keyword": 0.5,
};

/**
 * GoEmotions names, mapped as in the data set (its single-label rows show the mapping). Emotions without a counterpart
 * (surprise, confusion, realization) and neutral are left out.
 */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  approval: "acceptance",
  caring: "acceptance",
  amusement: "joy",
  joy: "joy",
  annoyance: "annoyance",
  disapproval: "dislike",
  curiosity: "responsiveness",
  admiration: "pleasantness",
  gratitude: "pleasantness",
  love: "pleasantness",
  anger: "anger",
  optimism: "eagerness",
  excitement: "eagerness",
  desire: "eagerness",
  sadness: "sadness",
  grief: "sadness",
  disappointment: "melancholy",
  disgust: "disgust",
  fear: "fear",
  nervousness: "anxiety",
  remorse: "dislike_self",
  embarrassment: "dislike_self",
  relief: "calmness",
  pride: "pleasantness_self",
};

/**
 * Weight of rows with several emotions, which the mapped data set leaves out: each emotion gets its share of the truth.
 */
const MIXED_TRUST = 0.7;

const mixedEmotions = (dataDir: string, known: ReadonlySet<string>): Sample[] =>
  readRows(dataDir, "goemotions-raw", "train").flatMap(({ text, labels = [] }) => {
    const mapped = labels.flatMap((label) => COUNTERPARTS[label] ?? []);
    if (labels.length < 2 || mapped.length === 0 || known.has(lettersOf(text))) return [];
    const shares: Record<string, number> = {};
    for (const label of mapped) shares[label] = (shares[label] ?? 0) + 1 / mapped.length;
    return [{ text, shares, weight: MIXED_TRUST, source: "goemotions mixed" }];
  });

const readSamples = (dataDir: string, part: Part): Sample[] =>
  readRows(dataDir, "sentiment-real", part).map(({ text, label = "", source = "", quality = "" }) => ({
    text,
    shares: { [label]: 1 },
    weight: TRUST[quality] ?? 1,
    source: `${source} ${quality}`,
  }));

export const sentimentReal: Recipe = {
  analysis: "sentiment-real",
  labels: contractLabels("sentiment-real"),
  data: "sentiment-real, goemotions-raw",
  samples: (dataDir, part) => {
    const rows = readSamples(dataDir, part);
    if (part === "dev") return rows;
    const known = new Set([...rows, ...readSamples(dataDir, "dev")].map(({ text }) => lettersOf(text)));
    return [...rows, ...mixedEmotions(dataDir, known)];
  },
  settings: {
    occurrencesMin: 2,
    epochs: 8,
    rate: 0.3,
    decay: 1e-4,
    classPower: 0.4,
    smoothing: 0.1,
    rarity: -0.2,
    denseScale: 1,
    triples: false,
  },
  rowsMax: 45_000,
  unseen: { sources: ["isear", "tweeteval-emotion"], share: 0.5 },
  caution: 1.15,
};
