import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "./arguments.js";
import { evaluateLinear } from "./classifiers/linear-training.js";
import { evaluateModernSpam } from "./classifiers/modern-spam.js";
import { RECIPES } from "./classifiers/recipes.js";
import { evaluateContradictions } from "./contradictions.js";
import { evaluateEncoder, evaluateMultilingual, evaluateWritten } from "./encoder/evaluate-encoder.js";
import { evaluateEmotionEvidence } from "./emotion-evidence.js";
import { evaluateExplanations } from "./explanations.js";
import { evaluateLanguage } from "./language/language-training.js";
import type { Judgment } from "./metrics.js";
import { evaluatePersonality } from "./personality.js";
import { evaluateProbes } from "./probes.js";
import { complain, type Evaluation, fallsShort, printEvaluation, say } from "./report.js";
import { evaluateSpeech } from "./speech-evaluation.js";
import { evaluateSpeechOfPeople } from "./speech-people.js";
import { evaluateForeignTopics } from "./topic/foreign-topics.js";
import { accurateAnnotator, evaluateTopic, fastAnnotator } from "./topic/topic-metrics.js";
import { evaluateTopicProbes } from "./topic/topic-probes.js";
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
  { analysis: "spam-detection", engine: "fast", evaluate: (dataDir) => evaluateModernSpam(dataDir, "fast") },
  { analysis: "spam-detection", engine: "accurate", evaluate: (dataDir) => evaluateModernSpam(dataDir, "accurate") },
  { analysis: "topic", engine: "accurate", evaluate: evaluateForeignTopics },
  { analysis: "topic", engine: "fast", evaluate: (dataDir) => evaluateTopic(dataDir, fastAnnotator()) },
  { analysis: "topic", engine: "accurate", evaluate: (dataDir) => evaluateTopic(dataDir, accurateAnnotator()) },
  { analysis: "personality-mb", engine: "fast", evaluate: evaluatePersonality },
  { analysis: "emotion", engine: "fast", evaluate: (dataDir) => evaluateEmotionEvidence(dataDir, "fast") },
  { analysis: "emotion", engine: "accurate", evaluate: (dataDir) => evaluateEmotionEvidence(dataDir, "accurate") },
  { analysis: "emotion", engine: "fast", evaluate: (dataDir) => evaluateContradictions(dataDir, "fast") },
  { analysis: "emotion", engine: "accurate", evaluate: (dataDir) => evaluateContradictions(dataDir, "accurate") },
  { analysis: "language", engine: "fast", evaluate: evaluateLanguage },
  { analysis: "explain", engine: "fast", evaluate: (dataDir) => evaluateExplanations(dataDir, "fast") },
  { analysis: "explain", engine: "accurate", evaluate: (dataDir) => evaluateExplanations(dataDir, "accurate") },
  // Hand-made sets; they need no data.
  { analysis: "probes", engine: "fast", evaluate: () => evaluateProbes("fast") },
  { analysis: "probes", engine: "accurate", evaluate: () => evaluateProbes("accurate") },
  { analysis: "topic", engine: "fast", evaluate: () => evaluateTopicProbes("fast") },
  { analysis: "topic", engine: "accurate", evaluate: () => evaluateTopicProbes("accurate") },
];

/** Evaluates the analyses named on the command line, or all, one after the other so that speeds are comparable. */
const main = async (): Promise<void> => {
  const { dataDir, analyses, engine, plots, photos, speech, recordings } = commandLine();
  if (photos !== undefined) {
    judge(await evaluateVision(photos, analyses));
    return;
  }
  if (speech !== undefined) {
    judge([
      await evaluateSpeech(speech),
      ...(recordings === undefined ? [] : [await evaluateSpeechOfPeople(speech, recordings)]),
    ]);
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
    if (evaluation.judgments === undefined) continue;
    const own = curves.get(candidate.analysis) ?? [];
    curves.set(candidate.analysis, [...own, { name: candidate.engine, judgments: evaluation.judgments }]);
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

/** One curve of a plot: its name and its judgments. */
interface CalibrationCurve {
  name: string;
  judgments: readonly Judgment[];
}

const SIZE = 320;
const MARGIN = 40;
const BINS = 10;
/** Bins with fewer texts are dominated by chance. */
const BIN_TEXTS_MIN = 10;
const COLORS = ["#1b6ca8", "#c8553d", "#588157"];

/**
 * Draws the accuracy of a model (vertical) against its confidence (horizontal) as SVG; the diagonal is perfect
 * calibration, and the area of a dot is proportional to its number of texts.
 */
const calibrationPlot = (title: string, curves: readonly CalibrationCurve[]): string => {
  const side = SIZE - 2 * MARGIN;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE + 20 * curves.length}" font-family="sans-serif" font-size="11">`,
    `<title>${title}: calibration on the development data</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${side}" height="${side}" fill="none" stroke="#999999"/>`,
    line(0, 0, 1, 1),
    text(SIZE / 2, 20, title),
    text(SIZE / 2, SIZE - 6, "certainty"),
    `<text x="12" y="${SIZE / 2}" text-anchor="middle" transform="rotate(-90 12 ${SIZE / 2})">share right</text>`,
    ...ticks.flatMap((tick) => [
      text(MARGIN + tick * side, SIZE - MARGIN + 14, String(tick)),
      text(MARGIN - 16, SIZE - MARGIN - tick * side + 4, String(tick)),
    ]),
    ...curves.flatMap(({ name, judgments }, at) => [
      ...curve(judgments, COLORS[at % COLORS.length] ?? "#000000"),
      `<text x="${MARGIN}" y="${SIZE + 12 + 20 * at}" fill="${COLORS[at % COLORS.length] ?? "#000000"}">${name}</text>`,
    ]),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
};

const across = (value: number): number => Math.round((MARGIN + value * (SIZE - 2 * MARGIN)) * 10) / 10;
const upwards = (value: number): number => Math.round((SIZE - MARGIN - value * (SIZE - 2 * MARGIN)) * 10) / 10;

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${across(x1)}" y1="${upwards(y1)}" x2="${across(x2)}" y2="${upwards(y2)}" stroke="#bbbbbb" stroke-dasharray="4 3"/>`;

const text = (x: number, y: number, words: string): string =>
  `<text x="${x}" y="${y}" text-anchor="middle">${words}</text>`;

const curve = (judgments: readonly Judgment[], color: string): string[] => {
  const dots = Array.from({ length: BINS }, (_, bin) => {
    const own = judgments.filter(({ prob }) => Math.min(BINS - 1, Math.floor(prob * BINS)) === bin);
    const right = own.filter(({ predicted, truth }) => predicted === truth).length;
    const certainty = own.reduce((sum, { prob }) => sum + prob, 0);
    return { texts: own.length, x: across(certainty / own.length), y: upwards(right / own.length) };
  }).filter(({ texts }) => texts >= BIN_TEXTS_MIN);
  const points = dots.map(({ x, y }) => `${x},${y}`).join(" ");
  const radius = (texts: number): number => Math.round((2 + 14 * Math.sqrt(texts / judgments.length)) * 10) / 10;
  return [
    `<polyline points="${points}" fill="none" stroke="${color}"/>`,
    ...dots.map(
      ({ x, y, texts }) => `<circle cx="${x}" cy="${y}" r="${radius(texts)}" fill="${color}" opacity="0.5"/>`,
    ),
  ];
};

await main();
