import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { type Metric, shareMetric } from "../evaluation.js";
import { bootstrap, calibrationInterval } from "../intervals.js";
import { calibrationJudgements, cardFigures, judge, type ScoredSample } from "./judge.js";
import { accuracy, type Judgement, macroF1 } from "../metrics.js";
import { hasLink } from "../rows.js";

/** A classifier's judgements of the development data. */
export interface JudgedClassifier {
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
  const judgements = judge(judged, labels, temperature);
  const intervals = bootstrap(judgements);
  return [
    { name: "texts", value: figures.rows ?? 0 },
    { ...promised("accuracy", figures, stated), interval: intervals.accuracy },
    { ...promised("macroF1", figures, stated), interval: intervals.macroF1 },
    ...Object.entries(calibrationJudgements(judged, labels, temperature)).map(([name, own]): Metric => ({
      ...promised(name, figures, stated),
      interval: calibrationInterval(own),
      better: "lower",
    })),
    ...bySource(judgements),
    ...(analysis === "spam-detection" ? spamMetrics(judged, judgements) : []),
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

const bySource = (judgements: readonly Judgement[]): Metric[] =>
  [...new Set(judgements.map(({ source }) => source))].sort().flatMap((source) => {
    const own = judgements.filter((judgement) => judgement.source === source);
    // Wilson's interval: resamples of a few rows without an error have none either.
    const metrics = [shareOf(`accuracy, ${source}`, own, isRight)];
    // For a source with only one label, accuracy says everything.
    if (new Set(own.map(({ truth }) => truth)).size > 1)
      metrics.push({ name: `macroF1, ${source}`, value: macroF1(own), interval: bootstrap(own).macroF1 });
    return metrics;
  });

/** Recall of spam by the engines before they were trained that links are ordinary: 75 and 76 of 84. */
const SPAM_LIMITS = { accuracy: 0.98, macroF1: 0.96, recall: 75 / 84 };

const spamMetrics = (judged: readonly ScoredSample[], judgements: readonly Judgement[]): Metric[] => {
  const tweets = judgements.filter(({ source }) => source === "tweets-assumed-ham");
  const spam = judgements.filter(({ truth }) => truth === "spam");
  const { accuracy: accuracyInterval, macroF1: macroF1Interval } = bootstrap(judgements);
  const linked = judgements.filter(({ truth }, i) => truth === "spam" && hasLink(judged[i]?.sample ?? { text: "" }));
  return [
    { name: "accuracy, least", value: accuracy(judgements), interval: accuracyInterval, limit: SPAM_LIMITS.accuracy },
    { name: "macroF1, least", value: macroF1(judgements), interval: macroF1Interval, limit: SPAM_LIMITS.macroF1 },
    { ...shareOf("spam found", spam, isRight), limit: SPAM_LIMITS.recall },
    shareOf("spam with a link found", linked, isRight),
    shareOf("false alarms on ordinary tweets", tweets, (judgement) => !isRight(judgement)),
  ];
};

const isRight = ({ predicted, truth }: Judgement): boolean => predicted === truth;

const shareOf = (name: string, judgements: readonly Judgement[], counts: (judgement: Judgement) => boolean): Metric =>
  shareMetric(name, judgements.filter(counts).length, judgements.length);
