import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  CARD_FILE,
  encodeWeights,
  FEATURIZER,
  LANGUAGE_MODEL_FOLDER,
  type LanguageCard,
  type LanguageWeights,
  WEIGHTS_FILE,
} from "@hourglass/analysis/language";
import { fitTemperature } from "../linear/calibrate.js";
import { say } from "../report.js";
import { fitLanguages, type LanguageSettings } from "./fit.js";
import { calibrationSamples, judgeAll, languageFigures, scoreLanguages } from "./judge.js";
import { buildLanguageMatrix } from "./matrix.js";
import { packLanguages } from "./pack.js";
import { englishPosts, type LanguageSample, languageSamples, trainingSamples } from "./samples.js";
import { ENGLISH_POSTS, LANGUAGE_SETTINGS } from "./settings.js";

/** Trains the language model and writes its card and weights into the model folder of the detector. */
export const trainLanguage = (dataDir: string): void => {
  const samples = trainingSamples(dataDir, ENGLISH_POSTS);
  const labels = [...new Set(samples.map(({ label }) => label))].sort();
  say(`language: training on ${samples.length} texts in ${labels.length} languages`);
  const weights = fitLanguageWeights(samples, labels, LANGUAGE_SETTINGS);
  const packed = gzipSync(encodeWeights(weights), { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const card: LanguageCard = {
    type: "language",
    version: `ngrams-${sha256.slice(0, 8)}`,
    featurizer: FEATURIZER,
    labels,
    temperature: 1,
    sha256,
    rows: weights.buckets.length,
    entries: weights.entries.length,
    training: { data: "langid, sentiment-simple, sentiment-real", texts: samples.length, ...LANGUAGE_SETTINGS },
    dev: {},
  };
  const dev = languageSamples(dataDir, "dev");
  card.temperature = fitTemperature(scoreLanguages({ card, weights }, calibrationSamples(dev)));
  const figures = languageFigures(judgeAll({ card, weights }, dev, englishPosts(dataDir, "dev")));
  card.dev = Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]));
  write(card, packed);
  say(`language: ${JSON.stringify(card.dev)}, ${card.rows} rows, ${Math.round(packed.length / 1024)} KiB`);
};

/** Fits the weights of the shipped format to samples. */
export const fitLanguageWeights = (
  samples: readonly LanguageSample[],
  labels: readonly string[],
  settings: LanguageSettings,
): LanguageWeights => {
  const matrix = buildLanguageMatrix(samples, labels, settings.occurrencesMin);
  return packLanguages(matrix, fitLanguages(matrix, labels.length, settings), settings.weightMin);
};

const write = (card: LanguageCard, packed: Buffer): void => {
  mkdirSync(LANGUAGE_MODEL_FOLDER, { recursive: true });
  writeFileSync(new URL(WEIGHTS_FILE, LANGUAGE_MODEL_FOLDER), packed);
  writeFileSync(new URL(CARD_FILE, LANGUAGE_MODEL_FOLDER), `${JSON.stringify(card, null, 2)}\n`);
};
