import { createScorer, featurize, type LinearModel, modelFolder, readModel } from "@hourglass/analysis/linear";
import { classifierMetrics } from "./classifier-metrics.js";
import type { Evaluation } from "../evaluation.js";
import type { Judgement } from "../metrics.js";
import type { Recipe } from "./recipe.js";
import { falseAlarms } from "../spam/false-alarms.js";
import { judge, scoreSamples } from "./judge.js";
import type { Sample } from "../sample.js";

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
  const judgeAll = (posts: readonly Sample[]): Promise<Judgement[]> =>
    Promise.resolve(judge(scoreSamples(model.weights, posts, labels), labels, temperature));
  return {
    analysis,
    method: version,
    metrics: analysis === "spam-detection" ? [...metrics, ...(await falseAlarms(dataDir, judgeAll))] : metrics,
    judgements: judge(judged, labels, temperature),
  };
};

/** Features and scores together, on this thread. */
const speed = ({ weights }: LinearModel, samples: readonly Sample[]): number => {
  const score = createScorer(weights);
  const start = performance.now();
  for (const { text } of samples) score(featurize(text));
  return (samples.length * 1000) / (performance.now() - start);
};
