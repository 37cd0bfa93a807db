import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { ClassifyingAnalysis } from "@hourglass/analysis";
import {
  argmax,
  CARD_FILE,
  type Encoder,
  ENCODER_FOLDER,
  type EncoderCard,
  encoderOf,
  encodersOf,
  type EncoderTask,
  modelFolder,
  MULTILINGUAL_FOLDER,
  readModel,
} from "@hourglass/analysis/training";
import { commandLine } from "../arguments.js";
import { cardFigures, fitTemperature, type ScoredSample } from "../classifiers/classifier-metrics.js";
import { type Recipe, RECIPES } from "../classifiers/recipes.js";
import { judgedSentiments, mainLabel, type Sample } from "../datasets.js";
import { f1, macroF1, sumOf } from "../metrics.js";
import { acceptedLabels, readProbes } from "../probes.js";
import { say } from "../report.js";
import { judgeForeignChunks, judgeForeignNames } from "../topic/foreign-topics.js";
import { accurateAnnotator, evaluateTopic } from "../topic/topic-metrics.js";
import { foreignSamples } from "../written-rows.js";
import { scoreWithEncoder } from "./evaluate-encoder.js";
import { supportedLanguages } from "./supported-languages.js";

/**
 * Fits the temperature of every classification of the English encoder on the development data, with the same code as
 * the service, and writes temperatures, figures and the resulting version into the encoder's card. With `multilingual`
 * as argument, it does so for the encoder of other languages; analyses as further arguments leave the others as they are.
 */
const main = async (): Promise<void> => {
  const { dataDir, analyses } = commandLine();
  const [named, others] = [new Set(analyses), analyses.filter((name) => name !== "multilingual")];
  const recipes = RECIPES.filter(({ analysis }) => others.length === 0 || named.has(analysis));
  if (named.has("multilingual")) return calibrateMultilingual(dataDir, recipes);
  const encoder = encoderOf();
  const tasks: Record<string, EncoderTask> = {};
  for (const recipe of recipes) {
    const { analysis } = recipe;
    const { bias: _, ...task } = encoder.card.tasks[analysis];
    // Emotions depend on the sentiment, which is calibrated before.
    const known = { ...encoder.card.tasks, ...tasks, [analysis]: task };
    const unbiased = { ...encoder, card: { ...encoder.card, tasks: known } };
    const judged = await scoreWithEncoder(unbiased, analysis, recipe.samples(dataDir, "dev"));
    const further = await scoreWithEncoder(unbiased, analysis, furtherSamples(recipe, dataDir, isEnglish));
    tasks[analysis] = calibratedTask(task, recipe, judged, further);
    say(`${analysis}: ${JSON.stringify(tasks[analysis])}`);
  }
  const { card } = encoder;
  const topicDev = others.length === 0 || named.has("topic") ? await judgeTopic(dataDir) : card.topicDev;
  say(`topic: ${JSON.stringify(topicDev)}`);
  writeCard(ENCODER_FOLDER, {
    ...card,
    tasks: { ...card.tasks, ...tasks },
    ...(topicDev === undefined ? {} : { topicDev }),
  });
};

const isEnglish = ({ language = "en" }: Sample): boolean => language === "en";

const furtherSamples = ({ further }: Recipe, dataDir: string, holds: (sample: Sample) => boolean): Sample[] =>
  (further?.(dataDir) ?? []).filter(holds);

/** For noun chunks, only the sentences that were not used for training count. */
const TOPIC_FIGURES: ReadonlySet<string> = new Set(["entities F1", "noun chunks, held-out fifth, F1"]);

const judgeTopic = async (dataDir: string): Promise<Record<string, number>> => {
  const { metrics } = await evaluateTopic(dataDir, accurateAnnotator());
  const stated = metrics.filter(({ name }) => TOPIC_FIGURES.has(name));
  return Object.fromEntries(stated.map(({ name, value }) => [name, Math.round(value * 1e4) / 1e4]));
};

/**
 * A classification of an encoder with the bias and the temperature that suit the samples and the further ones, and its
 * figures on the former.
 */
const calibratedTask = (
  task: EncoderTask,
  recipe: Recipe,
  judged: readonly ScoredSample[],
  further: readonly ScoredSample[] = [],
): EncoderTask => {
  const { biased: label, caution = 1 } = recipe;
  const at = label === undefined ? -1 : task.labels.indexOf(label);
  const bias = label === undefined ? 0 : biasOf(recipe, label, task.labels, judged, further);
  const add = (samples: readonly ScoredSample[]): ScoredSample[] =>
    samples.map((sample) => ({ ...sample, scores: biased(sample.scores, at, bias) }));
  const scored = add(judged);
  const temperature = Math.round(fitTemperature([...scored, ...add(further)]) * caution * 1e3) / 1e3;
  // The linear model's share of the scores has no bias.
  const rounded = Math.round((bias / (1 - (task.linearShare ?? 0))) * 1e3) / 1e3;
  return {
    ...task,
    temperature,
    ...(label === undefined ? {} : { bias: task.labels.map((_, i) => (i === at ? rounded : 0)) }),
    dev: cardFigures(scored, task.labels, temperature),
  };
};

/** The bias of a label that its recipe asks for. */
const biasOf = (
  { alarmsMax }: Recipe,
  label: string,
  labels: readonly string[],
  judged: readonly ScoredSample[],
  further: readonly ScoredSample[],
): number => {
  if (alarmsMax === undefined) return fitBias(judged, labels, label);
  const at = labels.indexOf(label);
  const without = further.filter(({ sample }) => mainLabel(sample) !== label);
  const shareAt = (bias: number): number =>
    without.filter(({ scores }) => argmax(biased(scores, at, bias)) === at).length / without.length;
  let bias = 0;
  while (shareAt(bias) > alarmsMax) bias = Math.round((bias - FINE_STEP) * 100) / 100;
  return bias;
};

const LARGEST = 1;
const STEP = 0.05;
const FINE_STEP = 0.01;

/** What, added to the scores of a label, gives the greatest macro-F1; the smallest such value. */
const fitBias = (judged: readonly ScoredSample[], labels: readonly string[], label: string): number => {
  const at = labels.indexOf(label);
  const scoreOf = (bias: number): number =>
    macroF1(
      judged.map(({ scores, sample }) => ({
        predicted: labels[argmax(biased(scores, at, bias))] ?? "",
        prob: 0,
        truth: mainLabel(sample),
        source: sample.source,
      })),
    );
  const steps = Math.round(LARGEST / STEP);
  let best = { bias: 0, score: scoreOf(0) };
  for (let step = 1; step <= steps; step++) {
    for (const bias of [step * STEP, -step * STEP]) {
      const score = scoreOf(bias);
      if (score > best.score) best = { bias: Math.round(bias * 100) / 100, score };
    }
  }
  return best.bias;
};

/** Scores with a bias for one label. */
const biased = (scores: Float64Array, at: number, bias: number): Float64Array =>
  scores.map((score, i) => (i === at ? score + bias : score));

/** From these scores on, a language is supported in names and in noun chunks. */
const NAMES_F1_MIN = 0.55;
const CHUNKS_F1_MIN = 0.6;

/**
 * Fits the temperatures of the encoder for other languages than English: that of sentiment-simple on tweets in those
 * languages, the others on the held-out rows that were written for training.
 */
const calibrateMultilingual = async (dataDir: string, recipes: readonly Recipe[]): Promise<void> => {
  const { multilingual } = encodersOf();
  const tasks: Record<string, EncoderTask> = {};
  for (const recipe of recipes) {
    const { analysis } = recipe;
    const onTweets = analysis === "sentiment-simple";
    const samples = onTweets ? [...judgedSentiments(dataDir).values()].flat() : foreignSamples(analysis);
    const { bias: _bias, byLanguage: _byLanguage, ...task } = multilingual.card.tasks[analysis];
    const { card } = multilingual;
    const unbiased = { ...multilingual, card: { ...card, tasks: { ...card.tasks, [analysis]: task } } };
    const judged = await scoreWithEncoder(unbiased, analysis, samples);
    const foreign = furtherSamples(recipe, dataDir, (sample) => !isEnglish(sample));
    const further = await scoreWithEncoder(unbiased, analysis, foreign);
    // The written rows are too few for a bias, and one for English texts does not hold in other languages.
    const { biased: _label, ...plain } = recipe;
    const own = onTweets || recipe.further !== undefined ? recipe : plain;
    // The written rows are not of the training's sources alone, so no caution is added.
    const calibrated = onTweets
      ? onTweetsTask(task, own, judged)
      : calibratedTask(task, { ...own, caution: 1 }, judged, further);
    const served = { ...multilingual, card: { ...card, tasks: { ...card.tasks, [analysis]: calibrated } } };
    tasks[analysis] = await withLanguages(calibrated, recipe, served);
    say(`${analysis}: ${JSON.stringify(tasks[analysis])}`);
  }
  const { card } = multilingual;
  writeCard(MULTILINGUAL_FOLDER, { ...card, tasks: { ...card.tasks, ...tasks }, ...(await topicFigures(dataDir)) });
};

/** F1 of noun chunks and of names by language, and the languages that they support. */
const topicFigures = async (dataDir: string): Promise<Pick<EncoderCard, "topicByLanguage" | "topicLanguages">> => {
  const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
  const figures: Record<string, Record<string, number>> = {};
  for (const [language, { byHead }] of await judgeForeignChunks(dataDir)) {
    figures[language] = { chunks: rounded(f1(sumOf(byHead))) };
  }
  for (const [language, byText] of await judgeForeignNames(dataDir)) {
    figures[language] = { ...figures[language], names: rounded(f1(sumOf(byText))) };
  }
  const isGood = ({ chunks = 1, names = 1 }: Record<string, number>): boolean =>
    chunks >= CHUNKS_F1_MIN && names >= NAMES_F1_MIN;
  say(`topic: ${JSON.stringify(figures)}`);
  return {
    topicByLanguage: figures,
    topicLanguages: Object.keys(figures)
      .filter((language) => isGood(figures[language] ?? {}))
      .sort(),
  };
};

/**
 * The classification calibrated on posts in other languages than English, with its figures in each. The bias holds for the
 * languages of the posts alone: clear sentences in others do not need it. The temperature is that of each language.
 */
const onTweetsTask = (given: EncoderTask, recipe: Recipe, judged: readonly ScoredSample[]): EncoderTask => {
  const { bias = [], dev } = calibratedTask(given, recipe, judged);
  const { biased: _label, ...unbiased } = recipe;
  const { temperature } = calibratedTask(given, unbiased, judged);
  const encoderShare = 1 - (given.linearShare ?? 0);
  const languages = [...new Set(judged.map(({ sample }) => sample.source))];
  const calibrated = languages.map((language) => {
    const own = judged.flatMap((sample) => {
      const scores = sample.scores.map((score, label) => score + encoderShare * (bias[label] ?? 0));
      return sample.sample.source === language ? { ...sample, scores } : [];
    });
    const fitted = Math.round(fitTemperature(own) * 1e3) / 1e3;
    const { rows = 0, accuracy = 0, macroF1 = 0, calibrationError = 0 } = cardFigures(own, given.labels, fitted);
    return { language, fitted, figures: { rows, accuracy, macroF1, calibrationError } };
  });
  return {
    ...given,
    temperature,
    byLanguage: Object.fromEntries(calibrated.map(({ language, fitted }) => [language, { temperature: fitted, bias }])),
    ...(dev === undefined ? {} : { dev }),
    devByLanguage: Object.fromEntries(calibrated.map(({ language, figures }) => [language, figures])),
  };
};

/** Adds the figures on clear sentences in each language, and the languages that the figures support. */
const withLanguages = async (task: EncoderTask, { analysis }: Recipe, encoder: Encoder): Promise<EncoderTask> => {
  const clear = await onClearSentences(encoder, analysis);
  const figures = { ...task, clearByLanguage: clear };
  return { ...figures, languages: supportedLanguages(analysis, figures) };
};

/** Figures on the sentences of a language. */
interface LanguageFigures {
  rows: number;
  accuracy: number;
  [name: string]: number;
}

/** The share of right labels of an encoder on the hand-made clear sentences, by language. It is measured, never fitted. */
const onClearSentences = async (
  encoder: Encoder,
  analysis: ClassifyingAnalysis,
): Promise<Record<string, LanguageFigures>> => {
  const samples = readProbes().flatMap((set) =>
    set.rows.flatMap((row): Sample[] => {
      const accepted = acceptedLabels(row, set, analysis);
      if (row.lang === undefined || accepted.length === 0) return [];
      return [
        {
          text: row.text,
          shares: Object.fromEntries(accepted.map((label) => [label, 1])),
          weight: 1,
          source: row.lang,
          language: row.lang,
        },
      ];
    }),
  );
  const { labels } = encoder.card.tasks[analysis];
  const figures: Record<string, LanguageFigures> = {};
  for (const { scores, sample } of await scoreWithEncoder(encoder, analysis, samples)) {
    const own = (figures[sample.source] ??= { rows: 0, accuracy: 0 });
    own.rows++;
    if ((labels[argmax(scores)] ?? "") in sample.shares) own.accuracy++;
  }
  for (const own of Object.values(figures)) own.accuracy = Math.round((own.accuracy / own.rows) * 1e4) / 1e4;
  return figures;
};

/** Writes the card of an encoder with the version that follows from its contents. */
const writeCard = (folder: URL, card: EncoderCard): void =>
  writeFileSync(new URL(CARD_FILE, folder), `${JSON.stringify({ ...card, version: versionOf(card) }, null, 2)}\n`);

/** Changes with the weights, the vocabulary, the settings of each task, and the linear models that contribute. */
const versionOf = ({ sha256, tasks }: EncoderCard): string => {
  const settings = Object.values(tasks).map(({ temperature, linearShare, byLanguage, contradiction }) => [
    temperature,
    linearShare,
    ...(byLanguage === undefined ? [] : [byLanguage]),
    ...(contradiction === undefined ? [] : [contradiction]),
  ]);
  const linear = RECIPES.map(({ analysis }) => {
    const { linear: folder = analysis } = tasks[analysis];
    return readModel(modelFolder(folder)).card.version;
  });
  const hash = createHash("sha256").update(JSON.stringify([sha256, settings, linear]));
  return `encoder-${hash.digest("hex").slice(0, 8)}`;
};

await main();
