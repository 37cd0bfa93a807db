import { encodersOf, type EncoderTask, MULTILINGUAL_FOLDER } from "@hourglass/analysis/encoder";
import { cardFigures, type ScoredSample } from "../../linear/judge.js";
import type { Recipe } from "../../linear/recipe.js";
import { RECIPES } from "../../recipes/index.js";
import { say } from "../../report.js";
import { calibratedTask } from "../calibrated-task.js";
import { scoreWithEncoder } from "../score-texts.js";
import { writeCard } from "../write-card.js";
import { multilingualTweets } from "./tweets.js";

/** A language is supported from this score on. */
const MACRO_F1_MIN = 0.5;

/**
 * Fits the temperatures of the encoder for other languages than English: that of sentiment-simple on tweets in those
 * languages, the others on the English development data, the only ones there are.
 */
export const calibrateMultilingual = async (dataDir: string): Promise<void> => {
  const { multilingual } = encodersOf();
  const tasks: Record<string, EncoderTask> = {};
  for (const recipe of RECIPES) {
    const { analysis } = recipe;
    const onTweets = analysis === "sentiment-simple";
    const samples = onTweets ? [...multilingualTweets(dataDir).values()].flat() : recipe.samples(dataDir, "dev");
    const judged = await scoreWithEncoder(multilingual, analysis, samples);
    const task = multilingual.card.tasks[analysis];
    tasks[analysis] = onTweets
      ? onTweetsTask(task, recipe, judged)
      : { ...calibratedTask(task, recipe, judged), languages: [] };
    say(`${analysis}: ${JSON.stringify(tasks[analysis])}`);
  }
  const { card } = multilingual;
  writeCard(MULTILINGUAL_FOLDER, { ...card, tasks: { ...card.tasks, ...tasks } });
};

/** The classification calibrated on tweets in other languages than English, with its figures in each language. */
const onTweetsTask = (given: EncoderTask, recipe: Recipe, judged: readonly ScoredSample[]): EncoderTask => {
  const foreign = judged.filter(({ sample }) => sample.source !== "en");
  const task = calibratedTask(given, recipe, foreign);
  const languages = [...new Set(judged.map(({ sample }) => sample.source))];
  const figures = languages.map((language) => {
    const own = judged.filter(({ sample }) => sample.source === language);
    const {
      rows = 0,
      accuracy = 0,
      macroF1 = 0,
      calibrationError = 0,
    } = cardFigures(own, task.labels, task.temperature);
    return [language, { rows, accuracy, macroF1, calibrationError }] as const;
  });
  const supported = figures.filter(([language, { macroF1 }]) => language !== "en" && macroF1 >= MACRO_F1_MIN);
  return { ...task, languages: supported.map(([language]) => language), devByLanguage: Object.fromEntries(figures) };
};
