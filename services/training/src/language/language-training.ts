import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  CARD_FILE,
  clean,
  createDetector,
  createGuesser,
  decide,
  encodeLanguageWeights,
  LANGUAGE_FEATURIZER,
  LANGUAGE_MODEL_FOLDER,
  type LanguageCard,
  type LanguageModel,
  readLanguageModel,
  UNDETERMINED,
  WEIGHTS_FILE,
} from "@hourglass/analysis/training";
import { fitTemperature, type Judged } from "../classifiers/classifier-metrics.js";
import { type Part, readRows } from "../datasets.js";
import {
  accuracy,
  accuracyInterval,
  bootstrap,
  calibrationError,
  calibrationInterval,
  type Interval,
  type Judgment,
  macroF1,
  wilson,
} from "../metrics.js";
import { createRandom } from "../random.js";
import { type Evaluation, type Metric, say } from "../report.js";
import { fitLanguageWeights, type LanguageSample, type LanguageSettings } from "./language-regression.js";

/** Trains the language model and writes its card and weights into the model folder of the detector. */
export const trainLanguage = (dataDir: string): void => {
  const samples = trainingSamples(dataDir, ENGLISH_POSTS);
  const labels = [...new Set(samples.map(({ label }) => label))].sort();
  say(`language: training on ${samples.length} texts in ${labels.length} languages`);
  const weights = fitLanguageWeights(samples, labels, LANGUAGE_SETTINGS);
  const packed = gzipSync(encodeLanguageWeights(weights), { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const card: LanguageCard = {
    type: "language",
    version: `ngrams-${sha256.slice(0, 8)}`,
    featurizer: LANGUAGE_FEATURIZER,
    labels,
    temperature: 1,
    sha256,
    rows: weights.buckets.length,
    entries: weights.entries.length,
    training: { data: "langid, sentiment-simple, sentiment-real", texts: samples.length, ...LANGUAGE_SETTINGS },
    dev: {},
  };
  const dev = languageSamples(dataDir, "dev");
  card.temperature = fitTemperature(scoreLanguages({ card, weights }, calibrationSamples(dev)));
  const figures = languageFigures(judgeAll({ card, weights }, dev, englishPosts(dataDir, "dev")));
  card.dev = Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]));
  write(card, packed);
  say(`language: ${JSON.stringify(card.dev)}, ${card.rows} rows, ${Math.round(packed.length / 1024)} KiB`);
};

const write = (card: LanguageCard, packed: Buffer): void => {
  mkdirSync(LANGUAGE_MODEL_FOLDER, { recursive: true });
  writeFileSync(new URL(WEIGHTS_FILE, LANGUAGE_MODEL_FOLDER), packed);
  writeFileSync(new URL(CARD_FILE, LANGUAGE_MODEL_FOLDER), `${JSON.stringify(card, null, 2)}\n`);
};

export const LANGUAGE_SETTINGS: LanguageSettings = {
  occurrencesMin: 4,
  epochs: 4,
  rate: 0.4,
  cropShare: 0.3,
  cropWordsMax: 8,
  errorMin: 1e-3,
  weightMin: 0.1,
};

/** Number of English posts among the training texts. */
const ENGLISH_POSTS = 5000;

const POSTS = ["sentiment-simple", "sentiment-real"] as const;
const SEED = 7;

/** The texts of the language data. */
const languageSamples = (dataDir: string, part: Part): LanguageSample[] =>
  readRows(dataDir, "langid", part).map(({ text, label = "", source = "" }) => ({ text, label, source }));

/** English posts with slang, capitals and names, which the language data lacks. */
const englishPosts = (dataDir: string, part: Part): LanguageSample[] =>
  POSTS.flatMap((name) => readRows(dataDir, name, part).map(({ text }) => ({ text, label: "en", source: name })));

/** The training data of the model: all language data and some English posts. */
const trainingSamples = (dataDir: string, posts: number): LanguageSample[] => {
  const random = createRandom(SEED);
  const all = englishPosts(dataDir, "train");
  const share = posts / all.length;
  return [...languageSamples(dataDir, "train"), ...all.filter(() => random() < share)];
};

const LOWER_IS_BETTER = /^calibrationError|^englishPostsCalledForeign/;
const COUNTS = new Set(["rows", "englishPosts"]);
const WORST_SHOWN = 10;

/** Evaluates the committed language model on the development data and compares it with its card. */
export const evaluateLanguage = (dataDir: string): Evaluation => {
  const model = readLanguageModel(LANGUAGE_MODEL_FOLDER);
  const samples = languageSamples(dataDir, "dev");
  const judged = judgeAll(model, samples, englishPosts(dataDir, "dev"));
  return {
    analysis: "language",
    method: model.card.version,
    metrics: [
      ...Object.entries(languageFigures(judged)).map(([name, { value, interval }]): Metric => ({
        ...promised(name, value, model.card.dev[name]),
        ...(interval === undefined ? {} : { interval: interval() }),
      })),
      ...bySource(judged.whole),
      ...worstLanguages(judged.whole),
      {
        name: "texts per second",
        value: speed(
          model,
          samples.map(({ text }) => text),
        ),
      },
    ],
  };
};

const promised = (name: string, value: number, stated: number | undefined): Metric => ({
  name,
  value,
  ...(LOWER_IS_BETTER.test(name) ? { better: "lower" } : {}),
  ...(stated === undefined || COUNTS.has(name) ? {} : { stated }),
});

const bySource = (judgments: readonly Judgment[]): Metric[] =>
  [...new Set(judgments.map(({ source }) => source))].sort().map((source) => {
    const own = judgments.filter((judgment) => judgment.source === source);
    return { name: `accuracy, ${source} (${own.length})`, value: accuracy(own), interval: accuracyInterval(own) };
  });

/** The share of recognized texts of the languages with the lowest shares. */
const worstLanguages = (judgments: readonly Judgment[]): Metric[] =>
  [...new Set(judgments.map(({ truth }) => truth))]
    .map((language): Metric => {
      const own = judgments.filter(({ truth }) => truth === language);
      return { name: `recall, ${language} (${own.length})`, value: accuracy(own), interval: accuracyInterval(own) };
    })
    .sort((a, b) => a.value - b.value)
    .slice(0, WORST_SHOWN);

/** On this thread, one text after the other. */
const speed = (model: LanguageModel, texts: readonly string[]): number => {
  const detect = createDetector(model);
  for (const text of texts) detect(text);
  const start = performance.now();
  for (const text of texts) detect(text);
  return (texts.length * 1000) / (performance.now() - start);
};

/** A judgment of the likeliest language, reported or not. */
interface LanguageJudgment extends Judgment {
  /** The reported language, or `und`. */
  told: string;
}

/** A model's judgments of samples. */
export const judgeLanguages = (model: LanguageModel, samples: readonly LanguageSample[]): LanguageJudgment[] => {
  const { read, guess } = createGuesser(model);
  return samples.map(({ text, label, source }) => {
    const part = clean(text);
    const guessed = guess(read(part));
    return { predicted: guessed.code, prob: guessed.prob, truth: label, source, told: decide(part, guessed).code };
  });
};

/** A model's scores of samples, for fitting its temperature. */
const scoreLanguages = (model: LanguageModel, samples: readonly LanguageSample[]): Judged[] => {
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
const calibrationSamples = (samples: readonly LanguageSample[]): LanguageSample[] => [
  ...samples,
  ...[2, 5].flatMap((words) => cutShort(samples, words)),
];

/** What the figures of the model card are counted from. */
interface LanguageJudgments {
  whole: LanguageJudgment[];
  /** Those of `whole` with a reported language. */
  told: LanguageJudgment[];
  /** Of sentences cut to so many words. */
  two: LanguageJudgment[];
  five: LanguageJudgment[];
  /** Of English posts, and those of them that are reported as in another language. */
  english: LanguageJudgment[];
  foreign: LanguageJudgment[];
}

/** Judges the samples, sentences of them cut short, and English posts. */
const judgeAll = (
  model: LanguageModel,
  samples: readonly LanguageSample[],
  posts: readonly LanguageSample[],
): LanguageJudgments => {
  const isTold = ({ told }: LanguageJudgment): boolean => told !== UNDETERMINED;
  const whole = judgeLanguages(model, samples);
  const sentences = samples.filter(({ source }) => source === "lingua-sentences");
  const english = judgeLanguages(model, posts);
  return {
    whole,
    told: whole.filter(isTold),
    two: judgeLanguages(model, cutShort(sentences, 2)),
    five: judgeLanguages(model, cutShort(sentences, 5)),
    english,
    foreign: english.filter((judgment) => isTold(judgment) && judgment.told !== "en"),
  };
};

/** A figure of the model card, and its 95 % interval, which takes a second to compute; a count has none. */
interface LanguageFigure {
  readonly value: number;
  readonly interval?: () => Interval;
}

/** The figures of the model card, by name. */
const languageFigures = (judged: LanguageJudgments): Readonly<Record<string, LanguageFigure>> => {
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

const accuracyOf = (judgments: readonly Judgment[]): LanguageFigure => ({
  value: round(accuracy(judgments)),
  interval: () => accuracyInterval(judgments),
});

const calibrationErrorOf = (judgments: readonly Judgment[]): LanguageFigure => ({
  value: round(calibrationError(judgments)),
  interval: () => calibrationInterval(judgments),
});

const shareOf = (part: number, all: number): LanguageFigure => ({
  value: round(part / (all || 1)),
  interval: () => wilson(part, all),
});

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
