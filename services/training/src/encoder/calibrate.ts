import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import {
  CARD_FILE,
  type Encoder,
  type EncoderCard,
  ENCODER_FOLDER,
  type EncoderTask,
  encoderOf,
} from "@hourglass/analysis/encoder";
import { commandLine } from "../arguments.js";
import { fitTemperature } from "../linear/calibrate.js";
import { cardFigures } from "../linear/judge.js";
import { RECIPES } from "../recipes/index.js";
import type { Recipe } from "../recipes/recipe.js";
import { say } from "../report.js";
import { scoreWithEncoder } from "./score-texts.js";

/**
 * Fits the temperature of every classification of the encoder on the development data, as the service runs it, and writes
 * temperatures, figures and the version that follows from them into the encoder's card.
 */
const main = async (): Promise<void> => {
  const { dataDir } = commandLine();
  const encoder = encoderOf();
  const tasks: Record<string, EncoderTask> = {};
  for (const recipe of RECIPES) {
    tasks[recipe.analysis] = await calibrate(encoder, recipe, dataDir);
    say(`${recipe.analysis}: ${JSON.stringify(tasks[recipe.analysis])}`);
  }
  const file = new URL(CARD_FILE, ENCODER_FOLDER);
  const card = JSON.parse(readFileSync(file, "utf8")) as EncoderCard;
  const calibrated = { ...card, tasks: { ...card.tasks, ...tasks } };
  writeFileSync(file, `${JSON.stringify({ ...calibrated, version: versionOf(calibrated) }, null, 2)}\n`);
};

const calibrate = async (encoder: Encoder, recipe: Recipe, dataDir: string): Promise<EncoderTask> => {
  const { labels } = encoder.card.tasks[recipe.analysis];
  const judged = await scoreWithEncoder(encoder, recipe.analysis, recipe.samples(dataDir, "dev"));
  const temperature = fitTemperature(judged) * (recipe.caution ?? 1);
  const rounded = Math.round(temperature * 1e3) / 1e3;
  return { labels, temperature: rounded, dev: cardFigures(judged, labels, rounded) };
};

/** Changes with the weights, the vocabulary and the temperatures. */
const versionOf = ({ sha256, tasks }: EncoderCard): string => {
  const temperatures = Object.values(tasks).map(({ temperature }) => temperature);
  return `encoder-${createHash("sha256")
    .update(JSON.stringify([sha256, temperatures]))
    .digest("hex")
    .slice(0, 8)}`;
};

await main();
