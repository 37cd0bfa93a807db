import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { argmax, softmax } from "@hourglass/analysis/training";
import { hasLink, mainLabel, type Sample } from "../datasets.js";
import { accuracy, bootstrap, calibrationError, calibrationInterval, type Judgment, macroF1 } from "../metrics.js";
import { type Metric, shareMetric } from "../report.js";

/** A classifier's judgments of the development data. */
interface JudgedClassifier {
  analysis: ClassifyingAnalysis;
  labels: readonly string[];
  temperature: number;
  judged: readonly ScoredSample[];
  /** Figures from the model card. */
  stated: Readonly<Record<string, number>>;
  textsPerSecond: number;
}

/** The figures of a classifier of any engine, compared with those of its card. */
export const classifierMetrics = (classifier: JudgedClassifier): Metric[] => {
  const { analysis, labels, temperature, judged, stated } = classifier;
  const figures = cardFigures(judged, labels, temperature);
  const judgments = judge(judged, labels, temperature);
  const intervals = bootstrap(judgments);
  return [
    { name: "texts", value: figures.rows ?? 0 },
    { ...promised("accuracy", figures, stated), interval: intervals.accuracy },
    { ...promised("macroF1", figures, stated), interval: intervals.macroF1 },
    ...Object.entries(calibrationJudgments(judged, labels, temperature)).map(([name, own]): Metric => ({
      ...promised(name, figures, stated),
      interval: calibrationInterval(own),
      better: "lower",
    })),
    ...bySource(judgments),
    ...(analysis === "spam-detection" ? spamMetrics(judged, judgments) : []),
    { name: "texts per second", value: classifier.textsPerSecond },
  ];
};

const promised = (
  name: string,
  figures: Readonly<Record<string, number>>,
  stated: Readonly<Record<string, number>>,
): Metric => ({
  name,
  value: figures[name] ?? 0,
  ...(stated[name] === undefined ? {} : { stated: stated[name] }),
});

const bySource = (judgments: readonly Judgment[]): Metric[] =>
  [...new Set(judgments.map(({ source }) => source))].sort().flatMap((source) => {
    const own = judgments.filter((judgment) => judgment.source === source);
    // Wilson's interval: resamples of a few rows without an error have none either.
    const metrics = [shareOf(`accuracy, ${source}`, own, isRight)];
    // For a source with only one label, accuracy says everything.
    if (new Set(own.map(({ truth }) => truth)).size > 1)
      metrics.push({ name: `macroF1, ${source}`, value: macroF1(own), interval: bootstrap(own).macroF1 });
    return metrics;
  });

/** On messages and comments of 2003 to 2014; what is found of them is given for less false alarms on those of today. */
const SPAM_LIMITS = { accuracy: 0.98, macroF1: 0.955 };
const SPAM_FOUND_MIN = 73 / 84;

const spamMetrics = (judged: readonly ScoredSample[], judgments: readonly Judgment[]): Metric[] => {
  const tweets = judgments.filter(({ source }) => source === "tweets-assumed-ham");
  const spam = judgments.filter(({ truth }) => truth === "spam");
  const linked = judgments.filter(({ truth }, i) => truth === "spam" && hasLink(judged[i]?.sample ?? { text: "" }));
  return [
    ...leastMetrics(judgments, SPAM_LIMITS),
    { ...shareOf("spam found", spam, isRight), limit: SPAM_FOUND_MIN },
    shareOf("spam with a link found", linked, isRight),
    shareOf("false alarms on ordinary tweets", tweets, (judgment) => !isRight(judgment)),
  ];
};

/** Accuracy and macro-F1, each with the least that it may be, whatever the card states. */
export const leastMetrics = (
  judgments: readonly Judgment[],
  limits: { accuracy: number; macroF1: number },
): Metric[] => {
  const intervals = bootstrap(judgments);
  return [
    { name: "accuracy, least", value: accuracy(judgments), interval: intervals.accuracy, limit: limits.accuracy },
    { name: "macroF1, least", value: macroF1(judgments), interval: intervals.macroF1, limit: limits.macroF1 },
  ];
};

const isRight = ({ predicted, truth }: Judgment): boolean => predicted === truth;

const shareOf = (name: string, judgments: readonly Judgment[], counts: (judgment: Judgment) => boolean): Metric =>
  shareMetric(name, judgments.filter(counts).length, judgments.length);

/** A model's judgments of samples at one temperature. */
export const judge = (judged: readonly ScoredSample[], labels: readonly string[], temperature: number): Judgment[] =>
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

/** What the calibration errors of a card are measured on: the data at temperature 1, at the card's, and crossed. */
const calibrationJudgments = (
  judged: readonly ScoredSample[],
  labels: readonly string[],
  temperature: number,
): Record<"calibrationErrorRaw" | "calibrationError" | "calibrationErrorCrossed", Judgment[]> => ({
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
  const calibration = Object.entries(calibrationJudgments(judged, labels, temperature));
  return {
    rows: judged.length,
    accuracy: round(accuracy(shipped)),
    macroF1: round(macroF1(shipped)),
    ...Object.fromEntries(calibration.map(([name, judgments]) => [name, round(calibrationError(judgments))])),
  };
};

/**
 * Each half of the data judged at the temperature fitted on the other half: a temperature judged on the texts that it
 * was fitted on would look too good.
 */
const crossed = (judged: readonly ScoredSample[], labels: readonly string[]): Judgment[] => {
  const halves = [0, 1].map((half) => judged.filter((_, i) => i % 2 === half));
  return halves.flatMap((half, i) => judge(half, labels, fitTemperature(halves[1 - i] ?? [])));
};

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/** A model's scores of a text, and the index of the right label. */
export interface Judged {
  scores: Float64Array;
  truth: number;
}

/** The temperature with the greatest likelihood, by golden-section search over its logarithm. */
export const fitTemperature = (judged: readonly Judged[]): number => {
  const loss = (logTemperature: number): number => {
    const temperature = Math.exp(logTemperature);
    return judged.reduce((sum, { scores, truth }) => {
      return sum - Math.log(Math.max(1e-12, softmax(scores, temperature)[truth] ?? 0));
    }, 0);
  };
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = Math.log(0.1);
  let high = Math.log(10);
  while (high - low > 1e-3) {
    const left = high - ratio * (high - low);
    const right = low + ratio * (high - low);
    if (loss(left) < loss(right)) high = right;
    else low = left;
  }
  return Math.round(Math.exp((low + high) / 2) * 1e3) / 1e3;
};
