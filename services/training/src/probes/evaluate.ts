import { type ClassifyingAnalysis, type Engine } from "@hourglass/analysis";
import { type Evaluation, type Metric, shareMetric } from "../evaluation.js";
import { wilson } from "../intervals.js";
import { formatInterval, formatShare } from "../report.js";
import { type Outcome, outcomesOf } from "./outcomes.js";
import { type ProbeSet, readProbes } from "./rows.js";

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
