import { analyzeInline } from "@hourglass/analysis";
import { encodersOf } from "@hourglass/analysis/encoder";
import type { Evaluation, Metric } from "../../evaluation.js";
import { bootstrap } from "../../intervals.js";
import { accuracy, calibrationError, type Judgement, macroF1 } from "../../metrics.js";
import { mainLabel, type Sample } from "../../sample.js";
import { multilingualTweets } from "./tweets.js";

/**
 * Evaluates sentiment-simple on tweets in eight languages as users get it: the language is found, and decides which
 * encoder reads the tweet.
 */
export const evaluateMultilingual = async (dataDir: string): Promise<Evaluation> => {
  const { card } = encodersOf().multilingual;
  const stated = card.tasks["sentiment-simple"].devByLanguage ?? {};
  const metrics: Metric[] = [];
  const all: Judgement[] = [];
  const scores: number[] = [];
  const begun = performance.now();
  for (const [language, samples] of multilingualTweets(dataDir)) {
    const judgements = await judgeAsServed(samples);
    const score = macroF1(judgements);
    all.push(...judgements);
    scores.push(score);
    metrics.push(
      { name: `macroF1, ${language} (${samples.length})`, value: score, interval: bootstrap(judgements).macroF1 },
      { name: `calibrationError, ${language}`, value: calibrationError(judgements), better: "lower" },
    );
  }
  const alone = Object.values(stated).map(({ macroF1: score = 0 }) => score);
  return {
    analysis: "sentiment-simple, other languages",
    method: card.version,
    metrics: [
      { name: "macroF1, mean of the languages", value: meanOf(scores) },
      { name: "macroF1, mean, by this encoder alone", value: meanOf(alone) },
      { name: "accuracy", value: accuracy(all), interval: bootstrap(all).accuracy },
      { name: "calibrationError", value: calibrationError(all), better: "lower" },
      ...metrics,
      { name: "texts per second", value: (all.length * 1000) / (performance.now() - begun) },
    ],
  };
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

const judgeAsServed = async (samples: readonly Sample[]): Promise<Judgement[]> => {
  const entries = await analyzeInline(
    samples.map(({ text }) => text),
    ["sentiment-simple"],
  );
  return entries.map(({ results }, i) => {
    const sample = samples[i]!;
    const { value = "", prob = 0 } = results["sentiment-simple"] ?? {};
    return { predicted: value, prob, truth: mainLabel(sample), source: sample.source };
  });
};
