import {
  analyzeInline,
  CLASSIFYING_ANALYSES,
  type Classification,
  type ClassifyingAnalysis,
  type Engine,
} from "@hourglass/analysis";
import { acceptedLabels, groupOf, type ProbeRow, type ProbeSet } from "./rows.js";

/** What came of one expectation of a row. */
export interface Outcome {
  row: ProbeRow;
  group: string;
  analysis: ClassifyingAnalysis;
  failed: boolean;
  /** The certainty of the label found. */
  certainty: number;
}

/** Analyses the texts of a set like a client's, and compares the results with what the rows expect. */
export const outcomesOf = async (set: ProbeSet, engine: Engine): Promise<Outcome[]> => {
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
