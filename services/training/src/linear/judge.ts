import { argmax, createScorer, featurize, softmax, type Weights } from "@hourglass/analysis/linear";
import { accuracy, calibrationError, type Judgement, macroF1 } from "../metrics.js";
import { fitTemperature, type Judged } from "./calibrate.js";
import { mainLabel, type Sample } from "../sample.js";

/** A model's judgements of samples at one temperature. */
export const judge = (judged: readonly ScoredSample[], labels: readonly string[], temperature: number): Judgement[] =>
  judged.map(({ scores, sample }) => {
    const probabilities = softmax(scores, temperature);
    const best = argmax(probabilities);
    return {
      predicted: labels[best] ?? "",
      prob: probabilities[best] ?? 0,
      truth: mainLabel(sample),
      source: sample.source,
    };
  });

export interface ScoredSample extends Judged {
  sample: Sample;
}

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

/** What the calibration errors of a card are measured on: the data at temperature 1, at the card's, and crossed. */
export const calibrationJudgements = (
  judged: readonly ScoredSample[],
  labels: readonly string[],
  temperature: number,
): Record<"calibrationErrorRaw" | "calibrationError" | "calibrationErrorCrossed", Judgement[]> => ({
  calibrationErrorRaw: judge(judged, labels, 1),
  calibrationError: judge(judged, labels, temperature),
  calibrationErrorCrossed: crossed(judged, labels),
});

/** The figures of a model card: calibration error before and after the temperature, and cross-validated. */
export const cardFigures = (
  judged: readonly ScoredSample[],
  labels: readonly string[],
  temperature: number,
): Record<string, number> => {
  const shipped = judge(judged, labels, temperature);
  const calibration = Object.entries(calibrationJudgements(judged, labels, temperature));
  return {
    rows: judged.length,
    accuracy: round(accuracy(shipped)),
    macroF1: round(macroF1(shipped)),
    ...Object.fromEntries(calibration.map(([name, judgements]) => [name, round(calibrationError(judgements))])),
  };
};

/**
 * Each half of the data judged at the temperature fitted on the other half: a temperature judged on the texts that it
 * was fitted on would look too good.
 */
const crossed = (judged: readonly ScoredSample[], labels: readonly string[]): Judgement[] => {
  const halves = [0, 1].map((half) => judged.filter((_, i) => i % 2 === half));
  return halves.flatMap((half, i) => judge(half, labels, fitTemperature(halves[1 - i] ?? [])));
};

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
