import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A labelled text of a data set. Multi-label sets have `labels`, the others `label`. */
export interface Row {
  text: string;
  label?: string;
  labels?: string[];
  source?: string;
  quality?: string;
  /** Of multilingual sets: ISO 639-1. */
  lang?: string;
}

export type Part = "train" | "dev";

/** Reads `<dataDir>/<name>/<part>.jsonl.gz`. */
export const readRows = (dataDir: string, name: string, part: Part): Row[] => {
  const file = join(dataDir, name, `${part}.jsonl.gz`);
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  return lines.map((line, i) => {
    const row: unknown = JSON.parse(line);
    if (!isRow(row)) throw new Error(`${file}: line ${i + 1} has no text`);
    return { ...row, text: unescape(row.text) };
  });
};

/** Whether a text contains a URL. */
export const hasLink = ({ text }: Pick<Row, "text">): boolean => /https?:|www\./i.test(text);

/** A key that is equal for texts with the same letters and digits. */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";

/** Some tweet collections contain `’` escaped as `\u2019`; analysed posts never do. */
const unescape = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
