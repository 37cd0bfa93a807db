import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { contractLabels } from "@hourglass/analysis/training";
import { foreignSentiments, lettersOf, type Part, readRows, type Sample } from "../datasets.js";
import { readWritten, readWrittenSpam } from "../written-rows.js";
import { readMarked, readModern, spamSamples } from "./spam-samples.js";

/** Hyperparameters of a model; every value was chosen on the development data. */
export interface FitSettings {
  /** N-grams in fewer training texts are ignored. */
  occurrencesMin: number;
  epochs: number;
  rate: number;
  /** Weight decay per update. */
  decay: number;
  /** 0 keeps the class frequencies, 1 gives all classes the same total weight. */
  classPower: number;
  /** Label smoothing: share of the truth spread over all labels. */
  smoothing: number;
  /** Emphasis on rare n-grams: power of their inverse document frequency. */
  rarity: number;
  /** Whether word triples are used; they capture set phrases, but mislead if there are few texts per phrase. */
  triples: boolean;
  /** Whether what addresses show is used. */
  addresses: boolean;
}

/** The definition of one model: the source of its samples and its hyperparameters. */
export interface Recipe {
  analysis: ClassifyingAnalysis;
  /** Folder of the model; that of the analysis if omitted. */
  folder?: string;
  labels: readonly string[];
  /** Description of the data in the model card. */
  data: string;
  samples(dataDir: string, part: Part): Sample[];
  settings: FitSettings;
  /** Number of n-grams that the shipped model keeps. */
  rowsMax: number;
  /**
   * The development data comes from the training sources, unlike real posts. If that makes a model overconfident, the
   * temperature is fitted on a mix: this share of it are training texts of these sources (prefixes of their names),
   * judged by models that were trained without the source.
   */
  unseen?: { sources: readonly string[]; share: number };
  /**
   * A label that the encoder finds too seldom or too often: a bias for it is fitted on the development data, for the
   * greatest macro-F1.
   */
  biased?: string;
  /**
   * Further development texts in all languages, besides those of `samples`: temperatures and biases are fitted on both.
   */
  further?: (dataDir: string) => Sample[];
  /**
   * The bias of the label `biased` is the largest at which no more than this share of the further texts without it get
   * it; for the greatest macro-F1 if omitted.
   */
  alarmsMax?: number;
  /**
   * Factor for the encoder's temperature that was fitted on the development data: above 1 if posts are harder than the
   * development data, on which the fitted temperature would be overconfident.
   */
  caution?: number;
}

const sentimentSimple: Recipe = {
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
    triples: false,
    addresses: false,
  },
  rowsMax: 100_000,
  biased: "neutral",
};

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

const sentimentReal: Recipe = {
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
    triples: false,
    addresses: false,
  },
  rowsMax: 45_000,
  unseen: { sources: ["isear", "tweeteval-emotion"], share: 0.5 },
  caution: 1.15,
};

/** Weight of labels from regular expressions over the text, which are less reliable than annotated ones. */
const WEAK = 0.7;

const intention: Recipe = {
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
    triples: true,
    addresses: false,
  },
  rowsMax: 80_000,
  unseen: { sources: ["goemotions", "subj-", "amazon", "trec"], share: 0.5 },
  caution: 1.2,
};

const spamDetection: Recipe = {
  analysis: "spam-detection",
  labels: contractLabels("spam-detection"),
  data: "spam, spam-modern, written; as ham sentiment-simple, topic-ner (btc), goemotions-raw, intention, langid, sentiment-multilingual",
  samples: (dataDir, part) => (part === "dev" ? readMarked(dataDir, part) : spamSamples(dataDir)),
  settings: {
    occurrencesMin: 3,
    epochs: 20,
    rate: 0.1,
    decay: 1e-4,
    classPower: 0.9,
    smoothing: 0.05,
    rarity: 0,
    triples: false,
    addresses: true,
  },
  rowsMax: 90_000,
  biased: "spam",
  further: (dataDir) => [...readModern(dataDir, "dev"), ...readWrittenSpam("dev")],
  alarmsMax: 0.027,
};

/** The second opinion beside the encoder for other languages; the engine `fast` reads English alone. */
export const SENTIMENT_ELSEWHERE: Recipe = {
  ...sentimentSimple,
  folder: "sentiment-multilingual",
  data: "sentiment-multilingual, sentiment-multilingual-more, written",
  samples: (dataDir, part) =>
    part === "dev" ? foreignSentiments(dataDir, part) : [...foreignSentiments(dataDir, part), ...writtenSentiments()],
  settings: { ...sentimentSimple.settings, occurrencesMin: 2 },
};

const writtenSentiments = (): Sample[] =>
  readWritten().flatMap(({ text, language, part, labels }) => {
    const label = labels["sentiment-simple"];
    if (language === "en" || part !== "train" || label === undefined) return [];
    return [{ text, shares: { [label]: 1 }, weight: 1, source: "written", language }];
  });

/** All linear models of the engine `fast`, in the order of training and evaluation. */
export const RECIPES: readonly Recipe[] = Object.values({
  "sentiment-simple": sentimentSimple,
  "sentiment-real": sentimentReal,
  intention,
  "spam-detection": spamDetection,
} satisfies Readonly<Record<ClassifyingAnalysis, Recipe>>);
