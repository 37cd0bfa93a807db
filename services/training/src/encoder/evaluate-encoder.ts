import { analyzeInline, type ClassifyingAnalysis, createDocument } from "@hourglass/analysis";
import {
  calibrationOf,
  createScores,
  type Encoder,
  encoderOf,
  encodersOf,
  encodingOf,
  featurize,
  prepareEncodings,
} from "@hourglass/analysis/training";
import { classifierMetrics, judge, leastMetrics, type ScoredSample } from "../classifiers/classifier-metrics.js";
import { falseAlarms } from "../classifiers/ordinary-posts.js";
import type { Recipe } from "../classifiers/recipes.js";
import { judgedSentiments, mainLabel, type Sample } from "../datasets.js";
import {
  accuracy,
  bootstrap,
  calibrationError,
  calibrationErrorByChance,
  calibrationInterval,
  type Judgment,
  macroF1,
  meanMacroF1Interval,
} from "../metrics.js";
import { type Evaluation, type Metric, shareMetric } from "../report.js";
import { foreignSamples, readWritten, readWrittenForUpperLayers } from "../written-rows.js";

/** Of the analyses without limits of their own: what the development data must show, whatever the card states. */
const LEAST: Partial<Record<ClassifyingAnalysis, { accuracy: number; macroF1: number }>> = {
  "sentiment-simple": { accuracy: 0.73, macroF1: 0.73 },
  "sentiment-real": { accuracy: 0.69, macroF1: 0.59 },
  intention: { accuracy: 0.86, macroF1: 0.84 },
};

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
  const judgeAll = async (posts: readonly Sample[]): Promise<Judgment[]> =>
    judge(await scoreWithEncoder(encoder, analysis, posts), labels, temperature);
  const judgments = judge(judged, labels, temperature);
  const least = LEAST[analysis];
  const further = [
    ...(least === undefined ? [] : leastMetrics(judgments, least)),
    ...(await writtenMetrics(encoder, analysis)),
    ...(analysis === "spam-detection" ? await falseAlarms(dataDir, judgeAll) : []),
  ];
  return { analysis, method: encoder.card.version, metrics: [...metrics, ...further], judgments };
};

/** On the held-out English rows that were written for training: those that the network has seen its like of, and the newer ones. */
const writtenMetrics = async (encoder: Encoder, analysis: ClassifyingAnalysis): Promise<Metric[]> => {
  const { labels, temperature } = encoder.card.tasks[analysis];
  const metrics: Metric[] = [];
  for (const [name, rows] of [
    ["written rows", readWritten()],
    ["rows written for upper layers", readWrittenForUpperLayers()],
  ] as const) {
    const samples = rows.flatMap((row): Sample[] => {
      const label = row.labels[analysis];
      if (row.language !== "en" || row.part !== "dev" || label === undefined) return [];
      return [{ text: row.text, shares: { [label]: 1 }, weight: 1, source: name }];
    });
    const judgments = judge(await scoreWithEncoder(encoder, analysis, samples), labels, temperature);
    const right = judgments.filter(({ predicted, truth }) => predicted === truth).length;
    metrics.push(shareMetric(`accuracy, ${name}`, right, judgments.length));
  }
  return metrics;
};

/** Batch size of a thread of the service. */
const BATCH = 32;

/** Scores every sample like the accurate engine, in batches of similar length. */
export const scoreWithEncoder = async (
  encoder: Encoder,
  analysis: ClassifyingAnalysis,
  samples: readonly Sample[],
): Promise<ScoredSample[]> => {
  const { labels } = encoder.card.tasks[analysis];
  const scoresOf = createScores(analysis, encoder.card);
  const order = samples.map((sample, index) => ({ sample, index }));
  order.sort((a, b) => a.sample.text.length - b.sample.text.length);
  const scored = new Array<ScoredSample>(samples.length);
  for (let at = 0; at < order.length; at += BATCH) {
    const batch = order.slice(at, at + BATCH);
    const documents = batch.map(({ sample }) => createDocument(sample.text));
    await prepareEncodings(documents, { english: encoder, multilingual: encoder });
    documents.forEach((document, i) => {
      const { sample, index } = batch[i]!;
      const scores = scoresOf(encodingOf(document).logits, () => featurize(document.text), sample.language ?? "");
      scored[index] = { scores, truth: labels.indexOf(mainLabel(sample)), sample };
    });
  }
  return scored;
};

/** The least mean macro-F1 over the languages, and what the calibration error may surely not exceed in any. */
const SENTIMENT_GOALS = { macroF1: 0.68, calibrationError: 0.05 };

/**
 * Evaluates sentiment-simple on posts in other languages than English as users get it: the language is found, and decides
 * which encoder reads the post.
 */
export const evaluateMultilingual = async (dataDir: string): Promise<Evaluation> => {
  const { card } = encodersOf().multilingual;
  const metrics: Metric[] = [];
  const served: Judgment[][] = [];
  const alone: Judgment[][] = [];
  let seconds = 0;
  for (const [language, samples] of judgedSentiments(dataDir)) {
    const begun = performance.now();
    const answers = await judgeAsServed(samples);
    const judgments = answers.map(({ judgment }) => judgment);
    seconds += (performance.now() - begun) / 1000;
    served.push(judgments);
    alone.push(await judgeAlone(samples));
    // Results that are not supported, as for another language by mistake, stay near the priors: they claim nothing.
    const supported = answers.flatMap(({ judgment, supported: claims }) => (claims ? [judgment] : []));
    const calibration = calibrationMetric(supported);
    metrics.push(
      {
        name: `macroF1, ${language} (${samples.length})`,
        value: macroF1(judgments),
        interval: bootstrap(judgments).macroF1,
      },
      shareMetric(`supported, ${language}`, supported.length, judgments.length),
      { name: `calibrationError, ${language}`, ...calibration },
      {
        name: `calibrationError, ${language}, at least`,
        value: calibration.interval?.[0] ?? 0,
        limit: SENTIMENT_GOALS.calibrationError,
        better: "lower",
      },
    );
  }
  const all = served.flat();
  return {
    analysis: "sentiment-simple, other languages",
    method: card.version,
    metrics: [
      { name: "macroF1, mean of the languages", ...meanMacroF1(served), limit: SENTIMENT_GOALS.macroF1 },
      { name: "macroF1, mean, by this encoder alone", ...meanMacroF1(alone) },
      { name: "accuracy", value: accuracy(all), interval: bootstrap(all).accuracy },
      { name: "calibrationError", ...calibrationMetric(all) },
      ...metrics,
      { name: "texts per second", value: all.length / seconds },
    ],
  };
};

const meanMacroF1 = (groups: readonly Judgment[][]): Pick<Metric, "value" | "interval"> => ({
  value: groups.reduce((sum, judgments) => sum + macroF1(judgments), 0) / (groups.length || 1),
  interval: meanMacroF1Interval(groups),
});

/** The calibration error with its interval. */
const calibrationMetric = (judgments: readonly Judgment[]): Pick<Metric, "value" | "interval" | "better"> => ({
  value: calibrationError(judgments),
  interval: calibrationInterval(judgments),
  better: "lower",
});

/** By the multilingual encoder, whatever the language. */
const judgeAlone = async (samples: readonly Sample[]): Promise<Judgment[]> => {
  const { multilingual } = encodersOf();
  const task = multilingual.card.tasks["sentiment-simple"];
  const scored = await scoreWithEncoder(multilingual, "sentiment-simple", samples);
  return scored.flatMap((one) => judge([one], task.labels, calibrationOf(task, one.sample.source).temperature));
};

/** A judgment, and whether its result claims to be worth something. */
interface Answer {
  judgment: Judgment;
  supported: boolean;
}

const judgeAsServed = async (samples: readonly Sample[]): Promise<Answer[]> => {
  const entries = await analyzeInline(
    samples.map(({ text }) => text),
    ["sentiment-simple"],
  );
  return entries.map(({ results, supported }, i) => {
    const sample = samples[i]!;
    const { value = "", prob = 0 } = results["sentiment-simple"] ?? {};
    const judgment = { predicted: value, prob, truth: mainLabel(sample), source: sample.source };
    return { judgment, supported: supported["sentiment-simple"] === true };
  });
};

/**
 * Evaluates the encoder for other languages on the held-out rows that were written for training. They are few, so the
 * error that a perfectly calibrated model would show on as many is given beside the calibration error.
 */
export const evaluateWritten = async (analysis: ClassifyingAnalysis): Promise<Evaluation> => {
  const { multilingual } = encodersOf();
  const { labels, temperature, dev = {} } = multilingual.card.tasks[analysis];
  const samples = foreignSamples(analysis);
  const judgments = judge(await scoreWithEncoder(multilingual, analysis, samples), labels, temperature);
  const intervals = bootstrap(judgments);
  const stated = (name: string): { stated?: number } => (dev[name] === undefined ? {} : { stated: dev[name] });
  return {
    analysis: `${analysis}, other languages`,
    method: multilingual.card.version,
    metrics: [
      { name: "texts", value: judgments.length },
      { name: "accuracy", value: accuracy(judgments), interval: intervals.accuracy, ...stated("accuracy") },
      { name: "macroF1", value: macroF1(judgments), interval: intervals.macroF1, ...stated("macroF1") },
      { name: "calibrationError", ...calibrationMetric(judgments), ...stated("calibrationError") },
      { name: "calibrationError by chance", ...calibrationErrorByChance(judgments), better: "lower" },
    ],
  };
};
