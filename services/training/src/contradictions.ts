import { analyzeInline, type Engine } from "@hourglass/analysis";
import { contradicts } from "@hourglass/analysis/training";
import { readRows } from "./datasets.js";
import { type Evaluation, shareMetric } from "./report.js";
import { readWritten, readWrittenForUpperLayers } from "./written-rows.js";

/** Probabilities that both labels reach at least; at the first, readers take both for certain. */
const CERTAINTIES = [0.8, 0.6, 0] as const;
/** The greatest share of texts whose emotion and sentiment contradict each other with certainty. */
const CERTAIN_MAX = 0.01;

/** Evaluates how often the emotion of a text contradicts its sentiment, on development texts in English. */
export const evaluateContradictions = async (dataDir: string, engine: Engine): Promise<Evaluation> => {
  const written = [...readWritten(), ...readWrittenForUpperLayers()].filter(
    ({ language, part }) => language === "en" && part === "dev",
  );
  const sets = [
    { name: "texts of sentiment-simple", texts: textsOf(readRows(dataDir, "sentiment-simple", "dev")) },
    { name: "texts of sentiment-real", texts: textsOf(readRows(dataDir, "sentiment-real", "dev")) },
    { name: "written texts", texts: textsOf(written) },
  ];
  const metrics = [];
  for (const { name, texts } of sets) {
    const certainties = await contradictionsIn(texts, engine);
    for (const least of CERTAINTIES) {
      const what =
        least === 0 ? "emotion against the sentiment" : `emotion against the sentiment, both at ${least} or more`;
      const hits = certainties.filter((certainty) => certainty >= least).length;
      metrics.push(
        shareMetric(`${what}, ${name}`, hits, texts.length, {
          better: "lower",
          ...(engine === "accurate" && least === CERTAINTIES[0] && { limit: CERTAIN_MAX }),
        }),
      );
    }
  }
  return { analysis: "emotion and sentiment", method: engine, metrics };
};

const textsOf = (rows: readonly { text: string }[]): string[] => rows.map(({ text }) => text);

/** Of the texts with a contradiction, the lower of the two probabilities. */
const contradictionsIn = async (texts: readonly string[], engine: Engine): Promise<number[]> => {
  const analyses = ["sentiment-simple", "sentiment-real"] as const;
  const engines = Object.fromEntries(analyses.map((analysis) => [analysis, engine]));
  const entries = await analyzeInline(texts, analyses, { engines });
  return entries.flatMap(({ results }) => {
    const [sentiment, emotion] = analyses.map((analysis) => results[analysis]);
    if (sentiment === undefined || emotion === undefined || !contradicts(emotion.value, sentiment.value)) return [];
    return [Math.min(sentiment.prob, emotion.prob)];
  });
};
