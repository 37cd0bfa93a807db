import { ENCODER_FOLDER, type EncoderTask, encoderOf } from "@hourglass/analysis/encoder";
import { commandLine } from "../arguments.js";
import { RECIPES } from "../recipes/index.js";
import { say } from "../report.js";
import { accurateAnnotator, evaluateTopic } from "../topic/index.js";
import type { ScoredSample } from "../linear/judge.js";
import type { Recipe } from "../linear/recipe.js";
import { calibratedTask } from "./calibrated-task.js";
import { biased, fitBias } from "./fit-bias.js";
import { calibrateMultilingual } from "./multilingual/calibrate-multilingual.js";
import { scoreWithEncoder } from "./score-texts.js";
import { writeCard } from "./write-card.js";

/**
 * Fits the temperature of every classification of the English encoder on the development data, with the same code as
 * the service, and writes temperatures, figures and the resulting version into the encoder's card. With `multilingual`
 * as argument, it does so for the encoder of other languages.
 */
const main = async (): Promise<void> => {
  const { dataDir, analyses } = commandLine();
  if (analyses.includes("multilingual")) return calibrateMultilingual(dataDir);
  const encoder = encoderOf();
  const tasks: Record<string, EncoderTask> = {};
  for (const recipe of RECIPES) {
    const { analysis } = recipe;
    const { bias: _, ...task } = encoder.card.tasks[analysis];
    const unbiased = { ...encoder, card: { ...encoder.card, tasks: { ...encoder.card.tasks, [analysis]: task } } };
    const judged = await scoreWithEncoder(unbiased, analysis, recipe.samples(dataDir, "dev"));
    tasks[analysis] = calibratedTask(...withBias(task, recipe, judged));
    say(`${analysis}: ${JSON.stringify(tasks[analysis])}`);
  }
  const topicDev = await judgeTopic(dataDir);
  say(`topic: ${JSON.stringify(topicDev)}`);
  const { card } = encoder;
  writeCard(ENCODER_FOLDER, { ...card, tasks: { ...card.tasks, ...tasks }, topicDev });
};

/** The classification and its scores with the bias that suits the samples, if its recipe asks for one. */
const withBias = (
  task: EncoderTask,
  recipe: Recipe,
  judged: readonly ScoredSample[],
): Parameters<typeof calibratedTask> => {
  if (recipe.biased === undefined) return [task, recipe, judged];
  const at = task.labels.indexOf(recipe.biased);
  // The linear model's share of the scores has no bias.
  const share = 1 - (task.linearShare ?? 0);
  const bias = fitBias(judged, task.labels, recipe.biased);
  const scored = judged.map((sample) => ({ ...sample, scores: biased(sample.scores, at, bias) }));
  const rounded = Math.round((bias / share) * 1e3) / 1e3;
  return [{ ...task, bias: task.labels.map((_, i) => (i === at ? rounded : 0)) }, recipe, scored];
};

/** For noun chunks, only the sentences that were not used for training count. */
const TOPIC_FIGURES: ReadonlySet<string> = new Set(["entities F1", "noun chunks, held-out fifth, F1"]);

const judgeTopic = async (dataDir: string): Promise<Record<string, number>> => {
  const { metrics } = await evaluateTopic(dataDir, accurateAnnotator());
  const stated = metrics.filter(({ name }) => TOPIC_FIGURES.has(name));
  return Object.fromEntries(stated.map(({ name, value }) => [name, Math.round(value * 1e4) / 1e4]));
};

await main();
