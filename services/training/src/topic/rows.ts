import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** An annotated piece of a text, in UTF-16 offsets. */
export interface Mention {
  start: number;
  end: number;
  /** Every `sub_type` that counts as correct. */
  types: string[];
}

/** A text with its entities. */
export interface EntityRow {
  text: string;
  mentions: Mention[];
  /** Types that the corpus marks; it says nothing about the others. */
  annotated: string[];
  ignored: string[];
  source: string;
}

/** A text with its noun chunks; `types` of a chunk contains the part of speech of its head. */
export interface ChunkRow {
  text: string;
  mentions: Mention[];
}

/** Reads the sentences of `topic-ner`. */
export function readEntityRows(dataDir: string, part: "train" | "dev"): EntityRow[] {
  return readLines<RawRow>(join(dataDir, "topic-ner", `${part}.jsonl.gz`)).map((row) => ({
    text: row.text,
    mentions: mentionsOf(row),
    annotated: row.annotated_types ?? [],
    ignored: row.ignore ?? [],
    source: row.source ?? "",
  }));
}

/** Reads the sentences of `topic-nounchunk`, which has no training part. */
export function readChunkRows(dataDir: string): ChunkRow[] {
  return readLines<RawRow>(join(dataDir, "topic-nounchunk", "dev.jsonl.gz")).map((row) => ({
    text: row.text,
    mentions: mentionsOf(row),
  }));
}

interface RawRow {
  text: string;
  label: { start: number; end: number; types?: string[]; sub_type?: string }[];
  annotated_types?: string[];
  ignore?: string[];
  source?: string;
}

function readLines<T>(file: string): T[] {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** The data sets use code points; strings here use UTF-16 units. */
function mentionsOf({ text, label }: RawRow): Mention[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    offsets.push(offset);
    offset += character.length;
  }
  offsets.push(offset);
  return label.map(({ start, end, types, sub_type: subType }) => ({
    start: offsets[start] ?? 0,
    end: offsets[end] ?? 0,
    types: types ?? (subType === undefined ? [] : [subType]),
  }));
}
