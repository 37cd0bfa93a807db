import {
  type Encoder,
  type EncoderCard,
  encodersOf,
  type EncoderTask,
  MULTILINGUAL_FOLDER,
} from "@hourglass/analysis/encoder";
import { cardFigures, type ScoredSample } from "../../linear/judge.js";
import type { Recipe } from "../../linear/recipe.js";
import { RECIPES } from "../../recipes/index.js";
import { say } from "../../report.js";
import { foreignSamples } from "../../written-rows.js";
import { calibratedTask } from "../calibrated-task.js";
import { scoreWithEncoder } from "../score-texts.js";
import { writeCard } from "../write-card.js";
import { type LanguageFigures, onClearSentences } from "./clear-sentences.js";
import { f1 } from "../../topic/judge.js";
import { judgeNames } from "./evaluate-names.js";
import { multilingualTweets } from "./tweets.js";

/** A language is supported from these scores on: accuracy on clear sentences and, where there are tweets, macro-F1 on them. */
const MACRO_F1_MIN = 0.5;
const NAMES_F1_MIN = 0.6;
/** The tweets are in Latin letters, which are never taken for this language. */
const OTHER_SCRIPT: ReadonlySet<string> = new Set(["hi"]);
const ACCURACY_MIN: Readonly<Record<string, number>> = {
  "sentiment-simple": 0.75,
  "sentiment-real": 0.7,
  intention: 0.75,
  // Of 26 sentences two are spam: at most one error.
  "spam-detection": 0.96,
};

/**
 * Fits the temperatures of the encoder for other languages than English: that of sentiment-simple on tweets in those
 * languages, the others on the held-out rows that were written for training.
 */
export const calibrateMultilingual = async (dataDir: string): Promise<void> => {
  const { multilingual } = encodersOf();
  const tasks: Record<string, EncoderTask> = {};
  for (const recipe of RECIPES) {
    const { analysis } = recipe;
    const onTweets = analysis === "sentiment-simple";
    const samples = onTweets ? [...multilingualTweets(dataDir).values()].flat() : foreignSamples(analysis);
    const judged = await scoreWithEncoder(multilingual, analysis, samples);
    const task = multilingual.card.tasks[analysis];
    // The written rows are not of the training's sources alone, so no caution is added.
    const calibrated = onTweets
      ? onTweetsTask(task, recipe, judged)
      : calibratedTask(task, { ...recipe, caution: 1 }, judged);
    tasks[analysis] = await withLanguages(calibrated, recipe, multilingual);
    say(`${analysis}: ${JSON.stringify(tasks[analysis])}`);
  }
  const { card } = multilingual;
  writeCard(MULTILINGUAL_FOLDER, { ...card, tasks: { ...card.tasks, ...tasks }, ...(await namesFigures(dataDir)) });
};

/** F1 of names by language, and the languages that it supports. */
const namesFigures = async (dataDir: string): Promise<Pick<EncoderCard, "topicDev" | "topicLanguages">> => {
  const judged = await judgeNames(dataDir);
  if (judged.size === 0) return {};
  const figures = [...judged].map(
    ([language, { overall }]) => [language, Math.round(f1(overall) * 1e4) / 1e4] as const,
  );
  say(`names: ${JSON.stringify(figures)}`);
  return {
    topicDev: Object.fromEntries(figures),
    topicLanguages: figures.flatMap(([language, score]) => (score >= NAMES_F1_MIN ? language : [])),
  };
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
  return { ...task, devByLanguage: Object.fromEntries(figures) };
};

/** Adds the figures on clear sentences in each language, and the languages that the figures support. */
const withLanguages = async (task: EncoderTask, { analysis }: Recipe, encoder: Encoder): Promise<EncoderTask> => {
  const clear = await onClearSentences(encoder, analysis);
  const tweets = task.devByLanguage ?? {};
  const onTweets = (language: string): number =>
    OTHER_SCRIPT.has(language) ? 1 : (tweets[language]?.["macroF1"] ?? 1);
  const supports = (language: string, { accuracy }: LanguageFigures): boolean =>
    accuracy >= (ACCURACY_MIN[analysis] ?? 1) && onTweets(language) >= MACRO_F1_MIN;
  const languages = Object.entries(clear).flatMap(([language, figures]) =>
    supports(language, figures) ? language : [],
  );
  return { ...task, languages: languages.sort(), clearByLanguage: clear };
};
