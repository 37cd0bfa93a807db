import { readdirSync, readFileSync } from "node:fs";
import type { ClassifyingAnalysis } from "@hourglass/analysis";
import type { Part, Sample } from "./datasets.js";
import { createRandom } from "./random.js";
import { disguise, fillSlots } from "./slots.js";
import { asPosted, fillSubjects } from "./subject-slots.js";

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

const UPPER_FOLDER = new URL("upper-layers/", FOLDER);
/** Every fifth line of these files is held out for development, with all its fillings. */
const UPPER_DEV_EVERY = 5;

/**
 * The rows that only the upper layers of the encoders learn from, in the columns of the other rows;
 * slots such as `{gadget}` are filled from lists, so that no subject is evidence by itself. Deterministic.
 */
export const readWrittenForUpperLayers = (): WrittenRow[] =>
  readdirSync(UPPER_FOLDER)
    .filter((name) => name.endsWith(".tsv"))
    .sort()
    .flatMap((name) => {
      const language = /^[a-z]+/.exec(name)?.[0] ?? "";
      const lines = readFileSync(new URL(name, UPPER_FOLDER), "utf8").trimEnd().split("\n");
      const random = createRandom(lines.length);
      return lines.flatMap((line, at) => {
        const row = rowOf(line, { language, part: at % UPPER_DEV_EVERY === UPPER_DEV_EVERY - 1 ? "dev" : "train" });
        const times = row.text.includes("{") ? FILLED : 1;
        return Array.from({ length: times }, () => ({
          ...row,
          text: asPosted(fillSubjects(row.text, random), random),
        }));
      });
    });

const SPAM_FOLDER = new URL("spam/", FOLDER);
/** Share of the spam that is written with look-alike letters, as much of it is. */
const DISGUISED = 0.2;
/** Times that a line with slots is used, each time filled differently. */
const FILLED = 4;

/**
 * The rows written for spam detection alone: label and text; `written/README.md` describes them. Slots such as
 * `{bank}` are filled from lists, so that no name or address is evidence by itself. Deterministic.
 */
export const readWrittenSpam = (part: Part): Sample[] =>
  readdirSync(SPAM_FOLDER)
    .filter((name) => name.endsWith(".tsv"))
    .sort()
    .flatMap((name) => {
      const language = /^[a-z]+/.exec(name)?.[0] ?? "";
      const lines = readFileSync(new URL(name, SPAM_FOLDER), "utf8").trimEnd().split("\n");
      const random = createRandom(lines.length);
      return lines.flatMap((line, at) => {
        const [label = "", text = ""] = line.split("\t");
        const times = text.includes("{") ? FILLED : 1;
        const texts = Array.from({ length: times }, () => {
          const filled = fillSlots(text, random);
          return label === "spam" && random() < DISGUISED ? disguise(filled, random) : filled;
        });
        if ((at % DEV_EVERY === DEV_EVERY - 1 ? "dev" : "train") !== part) return [];
        return texts.map((filled) => ({
          text: filled,
          shares: { [label]: 1 },
          weight: times === 1 ? 1 : 0.5,
          source: "written spam",
          language,
        }));
      });
    });
