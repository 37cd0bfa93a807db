import { clean, createGuesser, decide, type LanguageModel, UNDETERMINED } from "@hourglass/analysis/language";
import type { Judged } from "../linear/calibrate.js";
import { accuracy, calibrationError, type Judgement, macroF1 } from "../metrics.js";
import type { LanguageSample } from "./samples.js";

/** A judgement of the likeliest language, reported or not. */
export interface LanguageJudgement extends Judgement {
  /** The reported language, or `und`. */
  told: string;
}

/** A model's judgements of samples. */
export const judgeLanguages = (model: LanguageModel, samples: readonly LanguageSample[]): LanguageJudgement[] => {
  const guess = createGuesser(model);
  return samples.map(({ text, label, source }) => {
    const part = clean(text);
    const guessed = guess(part);
    return { predicted: guessed.code, prob: guessed.prob, truth: label, source, told: decide(part, guessed).code };
  });
};

/** A model's scores of samples, for fitting its temperature. */
export const scoreLanguages = (model: LanguageModel, samples: readonly LanguageSample[]): Judged[] => {
  const guess = createGuesser(model);
  return samples.map(({ text, label }) => ({
    scores: guess(clean(text)).scores,
    truth: model.card.labels.indexOf(label),
  }));
};

/** The same texts reduced to a few words from their middle, so that short texts count, too. */
export const cutShort = (samples: readonly LanguageSample[], words: number): LanguageSample[] =>
  samples.map((sample) => {
    const all = sample.text.split(/\s+/);
    const first = Math.max(0, (all.length - words) >> 1);
    return { ...sample, text: all.slice(first, first + words).join(" ") };
  });

/** Texts for calibration: whole, and cut to lengths of short posts. */
export const calibrationSamples = (samples: readonly LanguageSample[]): LanguageSample[] => [
  ...samples,
  ...[2, 5].flatMap((words) => cutShort(samples, words)),
];

/** The figures of the model card. */
export const languageFigures = (
  model: LanguageModel,
  samples: readonly LanguageSample[],
  posts: readonly LanguageSample[],
): Record<string, number> => {
  const whole = judgeLanguages(model, samples);
  const told = whole.filter((judgement) => judgement.told !== UNDETERMINED);
  const sentences = samples.filter(({ source }) => source === "lingua-sentences");
  const [two = [], five = []] = [2, 5].map((words) => judgeLanguages(model, cutShort(sentences, words)));
  const english = judgeLanguages(model, posts);
  const foreign = english.filter((judgement) => judgement.told !== UNDETERMINED && judgement.told !== "en");
  return {
    rows: samples.length,
    accuracy: round(accuracy(whole)),
    macroF1: round(macroF1(whole)),
    calibrationError: round(calibrationError(whole)),
    toldShare: round(told.length / whole.length),
    toldAccuracy: round(accuracy(told)),
    accuracyOfTwoWords: round(accuracy(two)),
    calibrationErrorOfTwoWords: round(calibrationError(two)),
    accuracyOfFiveWords: round(accuracy(five)),
    calibrationErrorOfFiveWords: round(calibrationError(five)),
    englishPosts: posts.length,
    englishPostsCalledForeign: round(foreign.length / (english.length || 1)),
  };
};

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
