import { readFileSync } from "node:fs";
import {
  analyzeInline,
  type Classification,
  CLASSIFYING_ANALYSES,
  type ClassifyingAnalysis,
  type Engine,
} from "@hourglass/analysis";
import { wilson } from "./metrics.js";
import { type Evaluation, formatInterval, formatShare, type Metric, shareMetric } from "./report.js";

/** A certainty above which a wrong label misleads a reader. */
const CERTAIN = 0.9;

/** Failure rates of an engine on the hand-made sets, by set and group; for sentences in many languages, a table. */
export const evaluateProbes = async (engine: Engine): Promise<Evaluation> => {
  const metrics: Metric[] = [];
  const table: string[] = [];
  for (const set of readProbes()) {
    const outcomes = await outcomesOf(set, engine);
    metrics.push(...totals(set, outcomes));
    if (isByLanguage(set)) table.push(...languageTable(set, outcomes));
    else metrics.push(...byGroup(set, outcomes));
  }
  return { analysis: "probes, share of failures", method: engine, metrics, table };
};

const isByLanguage = ({ rows }: ProbeSet): boolean => rows.every(({ lang }) => lang !== undefined);

const totals = (set: ProbeSet, outcomes: readonly Outcome[]): Metric[] => {
  const several = set.analyses.length > 1;
  const perAnalysis = set.analyses.map((analysis) =>
    failures(several ? `${set.name}, ${analysis}` : set.name, about(outcomes, analysis)),
  );
  const certain = outcomes.map((outcome) => ({ failed: outcome.failed && outcome.certainty > CERTAIN }));
  const advertising = about(outcomes, "spam-detection").filter(({ row }) => row.spam);
  return [
    ...perAnalysis,
    ...(advertising.length > 0 ? [failures(`${set.name}, advertising not found`, advertising)] : []),
    ...(outcomes.some(({ row }) => row.pair !== undefined)
      ? [failures(`${set.name}, pairs with an error`, pairs(outcomes))]
      : []),
    ...(several ? [] : [failures(`${set.name}, failed with more than ${CERTAIN}`, certain)]),
  ];
};

/** Each minimal pair once; it fails if either row does. */
const pairs = (outcomes: readonly Outcome[]): { failed: boolean }[] => {
  const failedIds = new Set(outcomes.filter(({ failed }) => failed).map(({ row }) => row.id));
  return outcomes.flatMap(({ row }) =>
    row.pair !== undefined && row.id < row.pair ? [{ failed: failedIds.has(row.id) || failedIds.has(row.pair) }] : [],
  );
};

const byGroup = (set: ProbeSet, outcomes: readonly Outcome[]): Metric[] =>
  groups(outcomes).map((group) =>
    failures(
      `  ${set.name}, ${group}`,
      outcomes.filter((outcome) => outcome.group === group),
    ),
  );

/** A line per language: the share of right labels in each analysis, with its interval. */
const languageTable = (set: ProbeSet, outcomes: readonly Outcome[]): string[] => {
  const cell = (rows: readonly Outcome[]): string => {
    const right = rows.filter(({ failed }) => !failed).length;
    return `${formatShare(right / (rows.length || 1))} ${formatInterval(wilson(right, rows.length))}`;
  };
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(6)}${cells.map((text) => text.padEnd(20)).join("")}`.trimEnd();
  return [
    `${set.name}, share of right labels by language`,
    line("", set.analyses),
    ...groups(outcomes).map((lang) => {
      const own = outcomes.filter(({ group }) => group === lang);
      return line(
        lang,
        set.analyses.map((analysis) => cell(about(own, analysis))),
      );
    }),
  ];
};

const about = (outcomes: readonly Outcome[], analysis: ClassifyingAnalysis): Outcome[] =>
  outcomes.filter((outcome) => outcome.analysis === analysis);

const groups = (outcomes: readonly Outcome[]): string[] => [...new Set(outcomes.map(({ group }) => group))];

const failures = (name: string, rows: readonly { failed: boolean }[]): Metric =>
  shareMetric(name, rows.filter((row) => row.failed).length, rows.length);

/** The outcome of one expectation of a row. */
interface Outcome {
  row: ProbeRow;
  group: string;
  analysis: ClassifyingAnalysis;
  failed: boolean;
  /** The certainty of the label found. */
  certainty: number;
}

/** Analyses the texts of a set like a client's, and compares the results with what the rows expect. */
const outcomesOf = async (set: ProbeSet, engine: Engine): Promise<Outcome[]> => {
  const engines = Object.fromEntries(CLASSIFYING_ANALYSES.map((analysis) => [analysis, engine]));
  const texts = set.rows.map(({ text }) => text);
  const entries = await analyzeInline(texts, set.analyses, { engines });
  const places = new Map(set.rows.map(({ id }, place) => [id, place]));
  const found = (id: string, analysis: ClassifyingAnalysis): Classification => {
    const entry = entries[places.get(id) ?? -1];
    const result = entry?.results[analysis];
    if (result === undefined) throw new Error(`${set.name}, ${id}: ${entry?.errors[analysis] ?? "no such row"}`);
    return result;
  };
  return set.rows.flatMap((row) =>
    set.analyses.flatMap((analysis) => {
      const { value, prob } = found(row.id, analysis);
      const outcome = { row, group: groupOf(row), analysis, certainty: prob };
      const accepted = acceptedLabels(row, set, analysis);
      if (accepted.length > 0) return [{ ...outcome, failed: !accepted.includes(value) }];
      if (row.at_most !== undefined) return [{ ...outcome, failed: prob > row.at_most }];
      if (row.same_as !== undefined) return [{ ...outcome, failed: value !== found(row.same_as, analysis).value }];
      return [];
    }),
  );
};

/** A line of a set. `services/training/probes/README.md` says what each field means. */
interface ProbeRow {
  id: string;
  text: string;
  group?: string;
  lang?: string;
  label?: string | readonly string[];
  pair?: string;
  same_as?: string;
  at_most?: number;
  sentiment?: string;
  emotion?: readonly string[];
  intention?: string;
  spam?: boolean;
}

/** A set of test rows, and the analyses that it tests; `label` and `same_as` refer to the first. */
interface ProbeSet {
  name: string;
  analyses: readonly [ClassifyingAnalysis, ...ClassifyingAnalysis[]];
  rows: readonly ProbeRow[];
}

const ANALYSES_OF: Readonly<Record<string, ProbeSet["analyses"]>> = {
  "negation-and-condition": ["sentiment-simple"],
  "polarity-words": ["sentiment-simple"],
  sarcasm: ["sentiment-simple"],
  "self-emotions": ["sentiment-real"],
  intention: ["intention"],
  "comparison-slang-facts": ["sentiment-simple"],
  "apologies-and-forecasts": ["intention"],
  short: ["sentiment-simple", "sentiment-real"],
  "clear-sentences": ["sentiment-simple", "sentiment-real", "intention", "spam-detection"],
};

const FOLDER = new URL("../probes/", import.meta.url);

/** Reads all sets. */
export const readProbes = (): ProbeSet[] =>
  Object.entries(ANALYSES_OF).map(([name, analyses]) => {
    const lines = readFileSync(new URL(`${name}.jsonl`, FOLDER), "utf8")
      .trimEnd()
      .split("\n");
    return { name, analyses, rows: lines.map((line) => JSON.parse(line) as ProbeRow) };
  });

/** The group that a row is counted in: its capability, or its language. */
export const groupOf = ({ group, lang }: ProbeRow): string => group ?? lang ?? "";

/** The labels that are right for a row in an analysis of its set; none if the row does not say. */
export const acceptedLabels = (row: ProbeRow, { analyses }: ProbeSet, analysis: ClassifyingAnalysis): string[] => {
  if (row.label !== undefined) return analysis === analyses[0] ? [row.label].flat() : [];
  if (analysis === "sentiment-simple") return [row.sentiment ?? []].flat();
  if (analysis === "sentiment-real") return [...(row.emotion ?? [])];
  if (analysis === "intention") return [row.intention ?? []].flat();
  return row.spam === undefined ? [] : [row.spam ? "spam" : "ham"];
};
