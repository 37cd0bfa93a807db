import { argmax } from "@hourglass/analysis/linear";
import type { ScoredSample } from "../linear/judge.js";
import { macroF1 } from "../metrics.js";
import { mainLabel } from "../sample.js";

const LARGEST = 1;
const STEP = 0.05;

/** What, added to the scores of a label, gives the greatest macro-F1; the smallest such value. */
export const fitBias = (judged: readonly ScoredSample[], labels: readonly string[], label: string): number => {
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
export const biased = (scores: Float64Array, at: number, bias: number): Float64Array =>
  scores.map((score, i) => (i === at ? score + bias : score));
