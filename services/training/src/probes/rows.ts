import { readFileSync } from "node:fs";
import type { ClassifyingAnalysis } from "@hourglass/analysis";

/** A line of a set. `services/training/probes/README.md` says what each field means. */
export interface ProbeRow {
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

/** A set of test rows, and the analyses that it tests; the first is the one that `label` and `same_as` speak of. */
export interface ProbeSet {
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
  short: ["sentiment-simple", "sentiment-real"],
  "clear-sentences": ["sentiment-simple", "sentiment-real", "intention", "spam-detection"],
};

const FOLDER = new URL("../../probes/", import.meta.url);

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
