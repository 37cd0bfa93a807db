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

/** The figures of a model card: calibration error before and after the temperature, and cross-validated. */
export const cardFigures = (
  judged: readonly ScoredSample[],
  labels: readonly string[],
  temperature: number,
): Record<string, number> => {
  const shipped = judge(judged, labels, temperature);
  return {
    rows: judged.length,
    accuracy: round(accuracy(shipped)),
    macroF1: round(macroF1(shipped)),
    calibrationErrorRaw: round(calibrationError(judge(judged, labels, 1))),
    calibrationError: round(calibrationError(shipped)),
    calibrationErrorCrossed: round(crossCalibrationError(judged, labels)),
  };
};

/**
 * Calibration error with each half of the data judged at the temperature fitted on the other half: a temperature judged
 * on the texts that it was fitted on would look too good.
 */
const crossCalibrationError = (judged: readonly ScoredSample[], labels: readonly string[]): number => {
  const halves = [0, 1].map((half) => judged.filter((_, i) => i % 2 === half));
  const judgements = halves.flatMap((half, i) => judge(half, labels, fitTemperature(halves[1 - i] ?? [])));
  return calibrationError(judgements);
};

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
