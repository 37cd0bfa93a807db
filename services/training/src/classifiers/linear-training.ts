import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  CARD_FILE,
  createScorer,
  encodeWeights,
  featurize,
  FEATURIZER,
  type LinearModel,
  type ModelCard,
  modelFolder,
  readModel,
  type Weights,
  WEIGHTS_FILE,
} from "@hourglass/analysis/training";
import { mainLabel, type Sample } from "../datasets.js";
import type { Judgment } from "../metrics.js";
import { type Evaluation, say } from "../report.js";
import { cardFigures, classifierMetrics, fitTemperature, judge, type ScoredSample } from "./classifier-metrics.js";
import { fitWeights } from "./linear-regression.js";
import { falseAlarms } from "./ordinary-posts.js";
import type { Recipe } from "./recipes.js";

/** Trains one model and writes its card and weights into the analyzer's model folder. */
export const trainLinear = (recipe: Recipe, dataDir: string): void => {
  const samples = recipe.samples(dataDir, "train");
  say(`${recipe.analysis}: training on ${samples.length} texts`);
  const weights = fitWeights(recipe, samples);
  const judged = scoreSamples(weights, recipe.samples(dataDir, "dev"), recipe.labels);
  const further = (recipe.further?.(dataDir) ?? []).filter(({ language = "en" }) => language === "en");
  const developed = [...judged, ...scoreSamples(weights, further, recipe.labels)];
  const temperature = fitTemperature(calibrationTexts(recipe, samples, developed));
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

const write = ({ analysis, folder: name = analysis }: Recipe, card: ModelCard, packed: Buffer): void => {
  const folder = modelFolder(name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(WEIGHTS_FILE, folder), packed);
  writeFileSync(new URL(CARD_FILE, folder), `${JSON.stringify(card, null, 2)}\n`);
};

/** Development texts and, if the recipe requires it, texts of sources that the judging model was not trained on. */
const calibrationTexts = (
  recipe: Recipe,
  samples: readonly Sample[],
  developed: readonly ScoredSample[],
): ScoredSample[] => {
  const { unseen } = recipe;
  if (unseen === undefined) return [...developed];
  const foreign = unseen.sources.flatMap((source) => judgeWithout(recipe, samples, source));
  const wanted = Math.round((developed.length * unseen.share) / (1 - unseen.share));
  const stride = Math.max(1, foreign.length / wanted);
  const chosen = Array.from({ length: Math.min(wanted, foreign.length) }, (_, i) => foreign[Math.floor(i * stride)]);
  return [...developed, ...chosen.filter((sample) => sample !== undefined)];
};

const judgeWithout = (recipe: Recipe, samples: readonly Sample[], source: string): ScoredSample[] => {
  const others = samples.filter((sample) => !sample.source.startsWith(source));
  const own = samples.filter((sample) => sample.source.startsWith(source));
  return scoreSamples(fitWeights(recipe, others), own, recipe.labels);
};

/** Evaluates the committed fast model of a recipe on the development data and compares it with its card. */
export const evaluateLinear = async (recipe: Recipe, dataDir: string): Promise<Evaluation> => {
  const model = readModel(modelFolder(recipe.analysis));
  const samples = recipe.samples(dataDir, "dev");
  const { labels, temperature, dev, version } = model.card;
  const judged = scoreSamples(model.weights, samples, labels);
  const { analysis } = recipe;
  const metrics = classifierMetrics({
    analysis,
    labels,
    temperature,
    judged,
    stated: dev,
    textsPerSecond: speed(model, samples),
  });
  const judgeAll = (posts: readonly Sample[]): Promise<Judgment[]> =>
    Promise.resolve(judge(scoreSamples(model.weights, posts, labels), labels, temperature));
  return {
    analysis,
    method: version,
    metrics: analysis === "spam-detection" ? [...metrics, ...(await falseAlarms(dataDir, judgeAll))] : metrics,
    judgments: judge(judged, labels, temperature),
  };
};

/** Scores every sample with the weights in their shipped form. */
export const scoreSamples = (
  weights: Weights,
  samples: readonly Sample[],
  labels: readonly string[],
): ScoredSample[] => {
  const score = createScorer(weights);
  return samples.map((sample) => ({
    scores: score(featurize(sample.text)),
    truth: labels.indexOf(mainLabel(sample)),
    sample,
  }));
};

/** Features and scores together, on this thread. */
const speed = ({ weights }: LinearModel, samples: readonly Sample[]): number => {
  const score = createScorer(weights);
  const start = performance.now();
  for (const { text } of samples) score(featurize(text));
  return (samples.length * 1000) / (performance.now() - start);
};
