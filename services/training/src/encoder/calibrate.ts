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
import { modelFolder, readModel } from "@hourglass/analysis/linear";
import { commandLine } from "../arguments.js";
import { fitTemperature } from "../linear/calibrate.js";
import { cardFigures } from "../linear/judge.js";
import { RECIPES } from "../recipes/index.js";
import type { Recipe } from "../linear/recipe.js";
import { say } from "../report.js";
import { accurateAnnotator, evaluateTopic } from "../topic/index.js";
import { scoreWithEncoder } from "./score-texts.js";

/**
 * Fits the temperature of every classification of the encoder on the development data, with the same code as the
 * service, and writes temperatures, figures and the resulting version into the encoder's card.
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
  const topicDev = await judgeTopic(dataDir);
  say(`topic: ${JSON.stringify(topicDev)}`);
  const calibrated = { ...card, tasks: { ...card.tasks, ...tasks }, topicDev };
  writeFileSync(file, `${JSON.stringify({ ...calibrated, version: versionOf(calibrated) }, null, 2)}\n`);
};

const calibrate = async (encoder: Encoder, recipe: Recipe, dataDir: string): Promise<EncoderTask> => {
  const task = encoder.card.tasks[recipe.analysis];
  const judged = await scoreWithEncoder(encoder, recipe.analysis, recipe.samples(dataDir, "dev"));
  const temperature = fitTemperature(judged) * (recipe.caution ?? 1);
  const rounded = Math.round(temperature * 1e3) / 1e3;
  return { ...task, temperature: rounded, dev: cardFigures(judged, task.labels, rounded) };
};

/** For noun chunks, only the sentences that were not used for training count. */
const TOPIC_FIGURES: ReadonlySet<string> = new Set(["entities F1", "noun chunks, held-out fifth, F1"]);

const judgeTopic = async (dataDir: string): Promise<Record<string, number>> => {
  const { metrics } = await evaluateTopic(dataDir, accurateAnnotator());
  const stated = metrics.filter(({ name }) => TOPIC_FIGURES.has(name));
  return Object.fromEntries(stated.map(({ name, value }) => [name, Math.round(value * 1e4) / 1e4]));
};

/** Changes with the weights, the vocabulary, the temperatures, and the linear models that contribute. */
const versionOf = ({ sha256, tasks }: EncoderCard): string => {
  const settings = Object.values(tasks).map(({ temperature, linearShare }) => [temperature, linearShare]);
  const linear = RECIPES.map(({ analysis }) => readModel(modelFolder(analysis)).card.version);
  const hash = createHash("sha256").update(JSON.stringify([sha256, settings, linear]));
  return `encoder-${hash.digest("hex").slice(0, 8)}`;
};

await main();
