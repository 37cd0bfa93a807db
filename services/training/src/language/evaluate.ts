import {
  createDetector,
  LANGUAGE_MODEL_FOLDER,
  type LanguageModel,
  readLanguageModel,
} from "@hourglass/analysis/language";
import type { Evaluation, Metric } from "../evaluation.js";
import { accuracyInterval } from "../intervals.js";
import { accuracy, type Judgement } from "../metrics.js";
import { judgeAll, languageFigures } from "./judge.js";
import { englishPosts, languageSamples } from "./samples.js";

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

const bySource = (judgements: readonly Judgement[]): Metric[] =>
  [...new Set(judgements.map(({ source }) => source))].sort().map((source) => {
    const own = judgements.filter((judgement) => judgement.source === source);
    return { name: `accuracy, ${source} (${own.length})`, value: accuracy(own), interval: accuracyInterval(own) };
  });

/** The share of recognised texts of the languages with the lowest shares. */
const worstLanguages = (judgements: readonly Judgement[]): Metric[] =>
  [...new Set(judgements.map(({ truth }) => truth))]
    .map((language): Metric => {
      const own = judgements.filter(({ truth }) => truth === language);
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
