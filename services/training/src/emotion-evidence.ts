import { analyzeInline, type Engine, showsEmotion } from "@hourglass/analysis";
import { readRows } from "./datasets.js";
import { acceptedLabels, readProbes } from "./probes.js";
import { type Evaluation, type Metric, shareMetric } from "./report.js";
import { readWritten } from "./written-rows.js";

/** Texts without an emotion, and texts that clearly have one. */
interface FeelingSet {
  name: string;
  neutral: string[];
  emotional: string[];
  /** Shares of the accurate engine that the model card states. */
  stated?: { neutral: number; emotional: number };
}

/**
 * Evaluates how many neutral texts of postings get an emotion, and how many emotional ones keep theirs. The bound was chosen
 * on the development rows that were written for training; the probes are the test. The labels of the other sets are those of
 * several annotators who often disagree.
 */
export const evaluateEmotionEvidence = async (dataDir: string, engine: Engine): Promise<Evaluation> => {
  const metrics: Metric[] = [];
  for (const { name, neutral, emotional, stated } of [...writtenSets(), probeSet(), ...annotatedSets(dataDir)]) {
    const promised = engine === "accurate" ? stated : undefined;
    const counted = async (what: string, texts: readonly string[], options: Pick<Metric, "stated" | "better">) =>
      shareMetric(`${what}, ${name}`, await countEmotions(texts, engine), texts.length, options);
    metrics.push(
      await counted("neutral with an emotion", neutral, {
        better: "lower",
        ...(promised && { stated: promised.neutral }),
      }),
      await counted("emotional with an emotion", emotional, promised ? { stated: promised.emotional } : {}),
    );
  }
  return { analysis: "emotion of postings", method: engine, metrics };
};

const countEmotions = async (texts: readonly string[], engine: Engine): Promise<number> => {
  const analyses = ["sentiment-simple", "sentiment-real"] as const;
  const engines = Object.fromEntries(analyses.map((analysis) => [analysis, engine]));
  const entries = await analyzeInline(texts, analyses, { engines });
  return entries.filter(({ results }) =>
    showsEmotion({ sentiment: results["sentiment-simple"], emotion: results["sentiment-real"] }),
  ).length;
};

const writtenSets = (): FeelingSet[] => {
  const rows = readWritten().filter(({ part }) => part === "dev");
  const setOf = (own: typeof rows) => ({
    neutral: own.flatMap(({ text, labels }) =>
      labels["sentiment-simple"] === "neutral" && labels["sentiment-real"] === undefined ? [text] : [],
    ),
    emotional: own.flatMap(({ text, labels }) =>
      labels["sentiment-simple"] !== "neutral" && labels["sentiment-real"] !== undefined ? [text] : [],
    ),
  });
  const isEnglish = ({ language }: { language: string }): boolean => language === "en";
  return [
    { name: "development", ...setOf(rows), stated: { neutral: 0.1, emotional: 0.945 } },
    { name: "development, English", ...setOf(rows.filter(isEnglish)) },
    { name: "development, other languages", ...setOf(rows.filter((row) => !isEnglish(row))) },
  ];
};

const probeSet = (): FeelingSet => {
  const probes = readProbes().flatMap((set) => set.rows.map((row) => ({ row, set })));
  const labelsOf = ({ row, set }: (typeof probes)[number], analysis: "sentiment-simple" | "sentiment-real") =>
    set.analyses.includes(analysis) ? acceptedLabels(row, set, analysis) : [];
  const neutral = probes.filter((probe) => labelsOf(probe, "sentiment-simple").join() === "neutral");
  const emotional = probes.filter((probe) => labelsOf(probe, "sentiment-real").length > 0);
  const textsOf = (some: typeof probes): string[] => some.map(({ row }) => row.text);
  return {
    name: "test",
    neutral: textsOf(neutral),
    emotional: textsOf(emotional),
    stated: { neutral: 0.012, emotional: 0.981 },
  };
};

const annotatedSets = (dataDir: string): FeelingSet[] => {
  const comments = readRows(dataDir, "goemotions-raw", "dev");
  const tweets = readRows(dataDir, "sentiment-simple", "dev").filter(({ source = "" }) => source.endsWith("tweets"));
  const textsOf = (rows: readonly { text: string }[]): string[] => rows.map(({ text }) => text);
  return [
    {
      name: "comments",
      neutral: textsOf(comments.filter(({ labels = [] }) => labels.join() === "neutral")),
      emotional: textsOf(readRows(dataDir, "sentiment-real", "dev")),
    },
    {
      name: "tweets",
      neutral: textsOf(tweets.filter(({ label }) => label === "neutral")),
      emotional: textsOf(tweets.filter(({ label }) => label !== "neutral")),
    },
  ];
};
