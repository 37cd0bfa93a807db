import type { ContentResult, Found } from "../../data/analyses.js";
import type { DetectingAnalysis, LabelingAnalysis } from "../../data/analysis-types.js";
import type { Table } from "../../data/csv.js";
import { classified, detections } from "./findings.js";

/** Columns are named as in the interface, so that a program can join both. */
const COLUMNS = [
  "number",
  "content",
  "analysis",
  "source",
  "value",
  "prob",
  "details",
  "language",
  "supported",
  "model",
  "model_version",
  "error_code",
  "error",
];

/** Results as a table: a row for each content and analysis, and one for each content without any. */
export function resultsTable(results: readonly ContentResult[]): Table {
  return { columns: COLUMNS, rows: results.flatMap(rowsOf) };
}

type Row = Table["rows"][number];

function rowsOf(result: ContentResult): Row[] {
  const { index, content, analyses, error_code: code = null, error = null } = result;
  const start = [index + 1, content];
  if (analyses.length === 0) return [[...start, ...COLUMNS.slice(2, -2).map(() => null), code, error]];
  return analyses.map((found): Row => {
    const { type, source, language = null, supported, model } = found;
    const { value, prob, details } = saidBy(found);
    const isSupported = supported === undefined ? null : String(supported);
    return [
      ...start,
      type,
      source,
      value,
      prob,
      details,
      language,
      isSupported,
      model?.id ?? null,
      model?.version ?? null,
      code,
      error,
    ];
  });
}

interface Said {
  readonly value: string;
  readonly prob: number | null;
  /** What else there is, in one cell: probabilities of labels, counts, moments. */
  readonly details: string | null;
}

function saidBy(found: Found): Said {
  const result = classified(found);
  if (result !== undefined) {
    const probabilities = Object.entries(result.explanation?.probabilities ?? {}).sort(([, a], [, b]) => b - a);
    return {
      value: result.value,
      prob: result.prob,
      details: joined(probabilities.map(([label, prob]) => `${label} ${prob}`)),
    };
  }
  const seen = detections(found);
  if (seen !== undefined) {
    const details = seen.map(({ value, prob, count, moments = [] }) =>
      [
        `${value} ${prob}`,
        ...(count === undefined ? [] : [`${count} times`]),
        ...moments.map(({ start, end }) => `${start}-${end} s`),
      ].join(" "),
    );
    const { score } = (found.type === "object-id" ? found.nsfw : undefined) ?? {};
    if (score !== undefined) details.push(`nsfw ${score}`);
    return { value: seen.map(({ value }) => value).join("; "), prob: seen[0]?.prob ?? null, details: joined(details) };
  }
  switch (found.type) {
    case "topic":
      return {
        value: found.data.map(({ value }) => value).join("; "),
        prob: null,
        details: joined(
          found.data.map(
            ({ value, topic_type: kind, sub_type: tag }) => `${value}: ${[kind, tag].filter(Boolean).join(" ")}`,
          ),
        ),
      };
    case "personality-mb": {
      const { value, prob1, prob2, prob3, prob4 } = found.data;
      return { value, prob: null, details: [prob1, prob2, prob3, prob4].join("; ") };
    }
    case "caption": {
      const moments = found.data.flatMap(({ descriptions }) => descriptions ?? []);
      const value = found.data.flatMap(({ description }) => (description === null ? [] : [description])).join("; ");
      return {
        value,
        prob: null,
        details: joined(moments.map(({ timestamp, description }) => `${timestamp} ${description}`)),
      };
    }
    default:
      found.type satisfies LabelingAnalysis | DetectingAnalysis;
      // Of a newer release.
      return { value: "", prob: null, details: JSON.stringify((found as { readonly data: unknown }).data) };
  }
}

function joined(parts: readonly string[]): string | null {
  return parts.length === 0 ? null : parts.join("; ");
}
