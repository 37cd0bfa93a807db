import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "./arguments.js";
import { type CalibrationCurve, calibrationPlot } from "./calibration-plot.js";
import { evaluateEncoder } from "./encoder/evaluate-encoder.js";
import { evaluateMultilingual } from "./encoder/multilingual/evaluate-multilingual.js";
import { evaluateNames } from "./encoder/multilingual/evaluate-names.js";
import { evaluateWritten } from "./encoder/multilingual/evaluate-written.js";
import { type Evaluation, fallsShort } from "./evaluation.js";
import { evaluateExplain } from "./explain/evaluate-explain.js";
import { evaluateLanguage } from "./language/index.js";
import { evaluateLinear } from "./linear/evaluate-linear.js";
import { evaluatePersonality } from "./personality/evaluate.js";
import { evaluateProbes } from "./probes/evaluate.js";
import { RECIPES } from "./recipes/index.js";
import { complain, printEvaluation, say } from "./report.js";
import { evaluateSpeech } from "./speech/evaluate-speech.js";
import { accurateAnnotator, evaluateTopic, fastAnnotator } from "./topic/index.js";
import { evaluateVision } from "./vision/evaluate-vision.js";

/** An engine for an analysis, and its evaluation. */
interface Candidate {
  analysis: string;
  engine: "fast" | "accurate";
  evaluate(dataDir: string): Evaluation | Promise<Evaluation>;
}

/** In other languages there are tweets for sentiment-simple, and only rows written for training for these. */
const WRITTEN = ["sentiment-real", "intention", "spam-detection"] as const;

const CANDIDATES: readonly Candidate[] = [
  ...RECIPES.flatMap((recipe): Candidate[] => [
    { analysis: recipe.analysis, engine: "fast", evaluate: (dataDir) => evaluateLinear(recipe, dataDir) },
    { analysis: recipe.analysis, engine: "accurate", evaluate: (dataDir) => evaluateEncoder(recipe, dataDir) },
  ]),
  { analysis: "sentiment-simple", engine: "accurate", evaluate: evaluateMultilingual },
  ...WRITTEN.map((analysis): Candidate => ({
    analysis,
    engine: "accurate",
    evaluate: () => evaluateWritten(analysis),
  })),
  { analysis: "topic", engine: "accurate", evaluate: evaluateNames },
  { analysis: "topic", engine: "fast", evaluate: (dataDir) => evaluateTopic(dataDir, fastAnnotator()) },
  { analysis: "topic", engine: "accurate", evaluate: (dataDir) => evaluateTopic(dataDir, accurateAnnotator()) },
  { analysis: "personality-mb", engine: "fast", evaluate: evaluatePersonality },
  { analysis: "language", engine: "fast", evaluate: evaluateLanguage },
  { analysis: "explain", engine: "fast", evaluate: (dataDir) => evaluateExplain(dataDir, "fast") },
  { analysis: "explain", engine: "accurate", evaluate: (dataDir) => evaluateExplain(dataDir, "accurate") },
  // Hand-made sets; they need no data.
  { analysis: "probes", engine: "fast", evaluate: () => evaluateProbes("fast") },
  { analysis: "probes", engine: "accurate", evaluate: () => evaluateProbes("accurate") },
];

/** Evaluates the analyses named on the command line, or all, one after the other so that speeds are comparable. */
const main = async (): Promise<void> => {
  const { dataDir, analyses, engine, plots, photos, speech } = commandLine();
  if (photos !== undefined) {
    judge(await evaluateVision(photos));
    return;
  }
  if (speech !== undefined) {
    judge([await evaluateSpeech(speech)]);
    return;
  }
  const known = new Set(CANDIDATES.flatMap((candidate) => [candidate.analysis, candidate.engine]));
  const unknown = [...analyses, ...(engine === undefined ? [] : [engine])].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    complain(`no such analysis or engine: ${unknown.join(", ")}; there are ${[...known].join(", ")}`);
    process.exitCode = 2;
    return;
  }
  const short: string[] = [];
  const curves = new Map<string, CalibrationCurve[]>();
  for (const candidate of CANDIDATES) {
    if (analyses.length > 0 && !analyses.includes(candidate.analysis)) continue;
    if (engine !== undefined && engine !== candidate.engine) continue;
    const evaluation = await candidate.evaluate(dataDir);
    printEvaluation(evaluation);
    if (evaluation.metrics.some(fallsShort)) short.push(`${candidate.analysis} (${candidate.engine})`);
    if (evaluation.judgements === undefined) continue;
    const own = curves.get(candidate.analysis) ?? [];
    curves.set(candidate.analysis, [...own, { name: candidate.engine, judgements: evaluation.judgements }]);
  }
  if (plots !== undefined) writePlots(plots, curves);
  complainOf(short);
};

/** Prints the evaluations of pictures or sound. */
const judge = (evaluations: readonly Evaluation[]): void => {
  evaluations.forEach(printEvaluation);
  complainOf(evaluations.filter(({ metrics }) => metrics.some(fallsShort)).map(({ analysis }) => analysis));
};

const complainOf = (short: readonly string[]): void => {
  if (short.length === 0) return;
  complain(`\nworse than the model card states: ${short.join(", ")}`);
  process.exitCode = 1;
};

const writePlots = (folder: string, curves: ReadonlyMap<string, CalibrationCurve[]>): void => {
  mkdirSync(folder, { recursive: true });
  for (const [analysis, own] of curves) writeFileSync(join(folder, `${analysis}.svg`), calibrationPlot(analysis, own));
  say(`\ncalibration plots: ${folder}`);
};

await main();
