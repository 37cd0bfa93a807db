import { analyzeInline } from "@hourglass/analysis";
import { encodersOf } from "@hourglass/analysis/encoder";
import type { Evaluation, Metric } from "../../evaluation.js";
import { bootstrap, calibrationInterval, meanMacroF1Interval } from "../../intervals.js";
import { accuracy, calibrationError, type Judgement, macroF1 } from "../../metrics.js";
import { mainLabel, type Sample } from "../../sample.js";
import { judge } from "../../linear/judge.js";
import { scoreWithEncoder } from "../score-texts.js";
import { multilingualTweets } from "./tweets.js";

/**
 * Evaluates sentiment-simple on tweets in eight languages as users get it: the language is found, and decides which
 * encoder reads the tweet.
 */
export const evaluateMultilingual = async (dataDir: string): Promise<Evaluation> => {
  const { card } = encodersOf().multilingual;
  const metrics: Metric[] = [];
  const served: Judgement[][] = [];
  const alone: Judgement[][] = [];
  let seconds = 0;
  for (const [language, samples] of multilingualTweets(dataDir)) {
    const begun = performance.now();
    const judgements = await judgeAsServed(samples);
    seconds += (performance.now() - begun) / 1000;
    served.push(judgements);
    alone.push(await judgeAlone(samples));
    metrics.push(
      {
        name: `macroF1, ${language} (${samples.length})`,
        value: macroF1(judgements),
        interval: bootstrap(judgements).macroF1,
      },
      { name: `calibrationError, ${language}`, ...calibrationOf(judgements) },
    );
  }
  const all = served.flat();
  return {
    analysis: "sentiment-simple, other languages",
    method: card.version,
    metrics: [
      { name: "macroF1, mean of the languages", ...meanMacroF1(served) },
      { name: "macroF1, mean, by this encoder alone", ...meanMacroF1(alone) },
      { name: "accuracy", value: accuracy(all), interval: bootstrap(all).accuracy },
      { name: "calibrationError", ...calibrationOf(all) },
      ...metrics,
      { name: "texts per second", value: all.length / seconds },
    ],
  };
};

const meanMacroF1 = (groups: readonly Judgement[][]): Pick<Metric, "value" | "interval"> => ({
  value: groups.reduce((sum, judgements) => sum + macroF1(judgements), 0) / (groups.length || 1),
  interval: meanMacroF1Interval(groups),
});

/** The calibration error with its interval. */
export const calibrationOf = (judgements: readonly Judgement[]): Pick<Metric, "value" | "interval" | "better"> => ({
  value: calibrationError(judgements),
  interval: calibrationInterval(judgements),
  better: "lower",
});

/** By the multilingual encoder, whatever the language. */
const judgeAlone = async (samples: readonly Sample[]): Promise<Judgement[]> => {
  const { multilingual } = encodersOf();
  const { labels, temperature } = multilingual.card.tasks["sentiment-simple"];
  return judge(await scoreWithEncoder(multilingual, "sentiment-simple", samples), labels, temperature);
};

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
