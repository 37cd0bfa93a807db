import { readdirSync, readFileSync } from "node:fs";
import type { ClassifyingAnalysis } from "@hourglass/analysis";
import type { Part, Sample } from "./datasets.js";

/** A text written for training; `services/training/written/README.md` describes the files. */
export interface WrittenRow {
  text: string;
  /** ISO 639-1. */
  language: string;
  part: Part;
  /** Only the analyses for which the row states a label. */
  labels: Partial<Record<ClassifyingAnalysis, string>>;
}

const FOLDER = new URL("../written/", import.meta.url);
/** In the order of the columns. */
const COLUMNS: readonly ClassifyingAnalysis[] = ["sentiment-simple", "sentiment-real", "intention", "spam-detection"];
const NOT_STATED = ".";
/** Every eighth line of a file is held out for development, as in encoder/data.py. */
const DEV_EVERY = 8;

/** Reads all files. */
export const readWritten = (): WrittenRow[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".tsv"))
    .sort()
    .flatMap((name) => {
      const language = /^[a-z]+/.exec(name)?.[0] ?? "";
      const lines = readFileSync(new URL(name, FOLDER), "utf8").trimEnd().split("\n");
      return lines.map((line, at) =>
        rowOf(line, { language, part: at % DEV_EVERY === DEV_EVERY - 1 ? "dev" : "train" }),
      );
    });

const rowOf = (line: string, { language, part }: Pick<WrittenRow, "language" | "part">): WrittenRow => {
  const columns = line.split("\t");
  const text = columns[COLUMNS.length] ?? "";
  const stated = COLUMNS.flatMap((analysis, i) => (columns[i] === NOT_STATED ? [] : [[analysis, columns[i]] as const]));
  return { text, language, part, labels: Object.fromEntries(stated) };
};

/** The held-out rows in other languages than English that state a label of an analysis. */
export const foreignSamples = (analysis: ClassifyingAnalysis): Sample[] =>
  readWritten().flatMap(({ text, language, part, labels }) => {
    const label = labels[analysis];
    if (language === "en" || part !== "dev" || label === undefined) return [];
    return [{ text, shares: { [label]: 1 }, weight: 1, source: language }];
  });
