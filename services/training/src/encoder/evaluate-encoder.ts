import { encoderOf } from "@hourglass/analysis/encoder";
import { classifierMetrics } from "../linear/classifier-metrics.js";
import type { Evaluation } from "../evaluation.js";
import { judge } from "../linear/judge.js";
import type { Sample } from "../sample.js";
import type { Judgement } from "../metrics.js";
import type { Recipe } from "../linear/recipe.js";
import { falseAlarms } from "../spam/false-alarms.js";
import { scoreWithEncoder } from "./score-texts.js";

/** Evaluates the encoder on the development data of an analysis and compares it with its card. */
export const evaluateEncoder = async (recipe: Recipe, dataDir: string): Promise<Evaluation> => {
  const encoder = encoderOf();
  const { analysis } = recipe;
  const { labels, temperature, dev } = encoder.card.tasks[analysis];
  const samples = recipe.samples(dataDir, "dev");
  // Loads the network.
  await scoreWithEncoder(encoder, analysis, samples.slice(0, 64));
  const begun = performance.now();
  const judged = await scoreWithEncoder(encoder, analysis, samples);
  const textsPerSecond = (samples.length * 1000) / (performance.now() - begun);
  const metrics = classifierMetrics({ analysis, labels, temperature, judged, stated: dev ?? {}, textsPerSecond });
  const judgeAll = async (posts: readonly Sample[]): Promise<Judgement[]> =>
    judge(await scoreWithEncoder(encoder, analysis, posts), labels, temperature);
  return {
    analysis,
    method: encoder.card.version,
    metrics: analysis === "spam-detection" ? [...metrics, ...(await falseAlarms(dataDir, judgeAll))] : metrics,
    judgements: judge(judged, labels, temperature),
  };
};
