import { clean, createGuesser, decide, type LanguageModel, UNDETERMINED } from "@hourglass/analysis/language";
import type { Judged } from "../linear/calibrate.js";
import { accuracyInterval, bootstrap, calibrationInterval, type Interval, wilson } from "../intervals.js";
import { accuracy, calibrationError, type Judgement, macroF1 } from "../metrics.js";
import type { LanguageSample } from "./samples.js";

/** A judgement of the likeliest language, reported or not. */
export interface LanguageJudgement extends Judgement {
  /** The reported language, or `und`. */
  told: string;
}

/** A model's judgements of samples. */
export const judgeLanguages = (model: LanguageModel, samples: readonly LanguageSample[]): LanguageJudgement[] => {
  const { read, guess } = createGuesser(model);
  return samples.map(({ text, label, source }) => {
    const part = clean(text);
    const guessed = guess(read(part));
    return { predicted: guessed.code, prob: guessed.prob, truth: label, source, told: decide(part, guessed).code };
  });
};

/** A model's scores of samples, for fitting its temperature. */
export const scoreLanguages = (model: LanguageModel, samples: readonly LanguageSample[]): Judged[] => {
  const { read, guess } = createGuesser(model);
  return samples.map(({ text, label }) => ({
    scores: guess(read(clean(text))).scores,
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

/** What the figures of the model card are counted from. */
export interface LanguageJudgements {
  whole: LanguageJudgement[];
  /** Those of `whole` with a reported language. */
  told: LanguageJudgement[];
  /** Of sentences cut to so many words. */
  two: LanguageJudgement[];
  five: LanguageJudgement[];
  /** Of English posts, and those of them that are reported as in another language. */
  english: LanguageJudgement[];
  foreign: LanguageJudgement[];
}

/** Judges the samples, sentences of them cut short, and English posts. */
export const judgeAll = (
  model: LanguageModel,
  samples: readonly LanguageSample[],
  posts: readonly LanguageSample[],
): LanguageJudgements => {
  const isTold = ({ told }: LanguageJudgement): boolean => told !== UNDETERMINED;
  const whole = judgeLanguages(model, samples);
  const sentences = samples.filter(({ source }) => source === "lingua-sentences");
  const english = judgeLanguages(model, posts);
  return {
    whole,
    told: whole.filter(isTold),
    two: judgeLanguages(model, cutShort(sentences, 2)),
    five: judgeLanguages(model, cutShort(sentences, 5)),
    english,
    foreign: english.filter((judgement) => isTold(judgement) && judgement.told !== "en"),
  };
};

/** A figure of the model card, and its 95 % interval, which takes a second to compute; a count has none. */
export interface LanguageFigure {
  readonly value: number;
  readonly interval?: () => Interval;
}

/** The figures of the model card, by name. */
export const languageFigures = (judged: LanguageJudgements): Readonly<Record<string, LanguageFigure>> => {
  const { whole, told, two, five, english, foreign } = judged;
  return {
    rows: { value: whole.length },
    accuracy: accuracyOf(whole),
    macroF1: { value: round(macroF1(whole)), interval: () => bootstrap(whole).macroF1 },
    calibrationError: calibrationErrorOf(whole),
    toldShare: shareOf(told.length, whole.length),
    toldAccuracy: accuracyOf(told),
    accuracyOfTwoWords: accuracyOf(two),
    calibrationErrorOfTwoWords: calibrationErrorOf(two),
    accuracyOfFiveWords: accuracyOf(five),
    calibrationErrorOfFiveWords: calibrationErrorOf(five),
    englishPosts: { value: english.length },
    englishPostsCalledForeign: shareOf(foreign.length, english.length),
  };
};

const accuracyOf = (judgements: readonly Judgement[]): LanguageFigure => ({
  value: round(accuracy(judgements)),
  interval: () => accuracyInterval(judgements),
});

const calibrationErrorOf = (judgements: readonly Judgement[]): LanguageFigure => ({
  value: round(calibrationError(judgements)),
  interval: () => calibrationInterval(judgements),
});

const shareOf = (part: number, all: number): LanguageFigure => ({
  value: round(part / (all || 1)),
  interval: () => wilson(part, all),
});

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
