import { analyzeInline, type Engine } from "@hourglass/analysis";
import { mainLabel, type Sample } from "../datasets.js";
import { type Evaluation, type Metric, shareMetric } from "../report.js";
import { readModern } from "./spam-samples.js";

/** The least share of modern spam found, and the greatest shares of false alarms. */
const LIMITS = { found: 0.85, alarms: 0.04, codes: 0.03 };
/** The fast engine reads English; in other languages it says ham. */
const ENGLISH = "en";
/** A language with fewer texts says nothing. */
const TEXTS_MIN = 10;

/** A text and whether it was called spam. */
interface Outcome {
  sample: Sample;
  called: boolean;
}

/**
 * Evaluates spam detection on messages and posts of 2018 to 2026 as users get it: the language is found, and decides
 * which encoder reads the text. By kind and by language.
 */
export const evaluateModernSpam = async (dataDir: string, engine: Engine): Promise<Evaluation> => {
  const samples = readModern(dataDir, "dev").filter(({ language }) => engine !== "fast" || language === ENGLISH);
  const entries = await analyzeInline(
    samples.map(({ text }) => text),
    ["spam-detection"],
    { engines: { "spam-detection": engine } },
  );
  const outcomes = entries.map(({ results }, i): Outcome => ({
    sample: samples[i]!,
    called: results["spam-detection"]?.value === "spam",
  }));
  const codes = outcomes.filter(({ sample }) => sample.source === "modern otp");
  const limits = engine === "fast" ? {} : LIMITS;
  return {
    analysis: "spam-detection, 2018 to 2026",
    method: engine,
    metrics: [
      ...figuresOf("", outcomes, limits),
      { ...alarmsIn("codes", codes), limit: LIMITS.codes },
      ...by(outcomes, ({ source }) => source.replace(/^modern /, "")),
      ...by(outcomes, ({ language = ENGLISH }) => language),
    ],
  };
};

const by = (outcomes: readonly Outcome[], groupOf: (sample: Sample) => string): Metric[] => {
  const groups = [...new Set(outcomes.map(({ sample }) => groupOf(sample)))].sort();
  return groups.flatMap((group) => {
    const own = outcomes.filter(({ sample }) => groupOf(sample) === group);
    return own.length < TEXTS_MIN ? [] : figuresOf(`, ${group}`, own);
  });
};

const isSpam = ({ sample }: Outcome): boolean => mainLabel(sample) === "spam";

const figuresOf = (
  name: string,
  outcomes: readonly Outcome[],
  { found, alarms }: { found?: number; alarms?: number } = {},
): Metric[] => {
  const spam = outcomes.filter(isSpam);
  const ham = outcomes.filter((outcome) => !isSpam(outcome));
  const hits = spam.filter(({ called }) => called).length;
  return [
    ...(spam.length === 0
      ? []
      : [shareMetric(`spam found${name}`, hits, spam.length, found === undefined ? {} : { limit: found })]),
    ...(ham.length === 0
      ? []
      : [{ ...alarmsIn(`ham${name}`, ham), ...(alarms === undefined ? {} : { limit: alarms }) }]),
  ];
};

const alarmsIn = (name: string, ham: readonly Outcome[]): Metric =>
  shareMetric(`false alarms, ${name}`, ham.filter(({ called }) => called).length, ham.length, { better: "lower" });
