import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  CARD_FILE,
  encodeWeights,
  FEATURIZER,
  type ModelCard,
  modelFolder,
  WEIGHTS_FILE,
} from "@hourglass/analysis/linear";
import type { Recipe } from "./recipe.js";
import { say } from "../report.js";
import { fitTemperature } from "./calibrate.js";
import { fitWeights } from "./fit-weights.js";
import { cardFigures, scoreSamples } from "./judge.js";
import { calibrationTexts } from "./unseen-sources.js";

/** Trains one model and writes its card and weights into the analyzer's model folder. */
export const trainLinear = (recipe: Recipe, dataDir: string): void => {
  const samples = recipe.samples(dataDir, "train");
  say(`${recipe.analysis}: training on ${samples.length} texts`);
  const weights = fitWeights(recipe, samples);
  const judged = scoreSamples(weights, recipe.samples(dataDir, "dev"), recipe.labels);
  const temperature = fitTemperature(calibrationTexts(recipe, samples, judged));
  const packed = gzipSync(encodeWeights(weights), { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const card: ModelCard = {
    type: recipe.analysis,
    version: `linear-${versionOf(sha256, temperature)}`,
    featurizer: FEATURIZER,
    labels: [...recipe.labels],
    temperature,
    sha256,
    rows: weights.buckets.length,
    training: {
      data: recipe.data,
      texts: samples.length,
      ...recipe.settings,
      ...(recipe.unseen === undefined ? {} : { unseenShare: recipe.unseen.share }),
    },
    dev: cardFigures(judged, recipe.labels, temperature),
  };
  write(recipe, card, packed);
  say(`${recipe.analysis}: ${JSON.stringify(card.dev)}, ${card.rows} rows, ${Math.round(packed.length / 1024)} KiB`);
};

const versionOf = (sha256: string, temperature: number): string =>
  createHash("sha256").update(`${sha256} ${temperature} ${FEATURIZER}`).digest("hex").slice(0, 8);

const write = ({ analysis }: Recipe, card: ModelCard, packed: Buffer): void => {
  const folder = modelFolder(analysis);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(WEIGHTS_FILE, folder), packed);
  writeFileSync(new URL(CARD_FILE, folder), `${JSON.stringify(card, null, 2)}\n`);
};
