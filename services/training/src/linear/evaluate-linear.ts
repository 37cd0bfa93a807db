import { createScorer, featurize, type LinearModel, modelFolder, readModel } from "@hourglass/analysis/linear";
import type { Evaluation, Metric } from "../evaluation.js";
import { accuracy, macroF1, type Judgement } from "../metrics.js";
import type { Recipe } from "../recipes/recipe.js";
import { cardFigures, judge, scoreSamples } from "./judge.js";
import type { Sample } from "./sample.js";

/** Evaluates the committed model of a recipe on the development data and holds it against its card. */
export const evaluateLinear = (recipe: Recipe, dataDir: string): Evaluation => {
  const model = readModel(modelFolder(recipe.analysis));
  const samples = recipe.samples(dataDir, "dev");
  const { labels, temperature, dev, version } = model.card;
  const judged = scoreSamples(model.weights, samples, labels);
  const figures = cardFigures(judged, labels, temperature);
  const judgements = judge(judged, labels, temperature);
  return {
    analysis: recipe.analysis,
    method: version,
    metrics: [
      { name: "texts", value: figures.rows ?? 0 },
      promised("accuracy", figures, dev),
      promised("macroF1", figures, dev),
      { ...promised("calibrationErrorRaw", figures, dev), better: "lower" },
      { ...promised("calibrationError", figures, dev), better: "lower" },
      { ...promised("calibrationErrorCrossed", figures, dev), better: "lower" },
      ...bySource(judgements),
      ...(recipe.analysis === "spam-detection" ? falseAlarms(judgements) : []),
      { name: "texts per second", value: speed(model, samples) },
    ],
  };
};

const promised = (name: string, figures: Record<string, number>, stated: Record<string, number>): Metric => ({
  name,
  value: figures[name] ?? 0,
  ...(stated[name] === undefined ? {} : { stated: stated[name] }),
});

const bySource = (judgements: readonly Judgement[]): Metric[] =>
  [...new Set(judgements.map(({ source }) => source))].sort().flatMap((source) => {
    const own = judgements.filter((judgement) => judgement.source === source);
    const metrics = [{ name: `accuracy, ${source} (${own.length})`, value: accuracy(own) }];
    // Of a source with one label only, accuracy already says all.
    if (new Set(own.map(({ truth }) => truth)).size > 1)
      metrics.push({ name: `macroF1, ${source}`, value: macroF1(own) });
    return metrics;
  });

const falseAlarms = (judgements: readonly Judgement[]): Metric[] => {
  const tweets = judgements.filter(({ source }) => source === "tweets-assumed-ham");
  return [{ name: "false alarms on ordinary tweets", value: 1 - accuracy(tweets) }];
};

/** Features and scores together, on this thread. */
const speed = ({ weights }: LinearModel, samples: readonly Sample[]): number => {
  const score = createScorer(weights);
  const start = performance.now();
  for (const { text } of samples) score(featurize(text));
  return (samples.length * 1000) / (performance.now() - start);
};
