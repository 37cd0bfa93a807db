import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A labeled text of a data set. Multi-label sets have `labels`, the others `label`. */
export interface Row {
  text: string;
  label?: string;
  labels?: string[];
  source?: string;
  quality?: string;
  /** Of multilingual sets: ISO 639-1. */
  lang?: string;
  /** Of spam-modern: what the text is, for instance `phishing` or `otp`. */
  kind?: string;
}

export type Part = "train" | "dev";

/** Reads `<dataDir>/<name>/<part>.jsonl.gz`. */
export const readRows = (dataDir: string, name: string, part: Part): Row[] => {
  const file = join(dataDir, name, `${part}.jsonl.gz`);
  return readLines<unknown>(file).map((row, i) => {
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

/** Some tweet collections contain `’` escaped as `\u2019`; analyzed posts never do. */
const unescape = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** A text for training or evaluation. */
export interface Sample {
  text: string;
  /** Share of each label in the truth; a plain label is `{ label: 1 }`. */
  shares: Readonly<Record<string, number>>;
  /** How much the sample is trusted, 0 to 1. */
  weight: number;
  source: string;
  /** ISO 639-1; English if omitted. */
  language?: string;
}

/** The label with the greatest share. */
export const mainLabel = ({ shares }: Sample): string =>
  Object.entries(shares).reduce<[string, number]>((best, entry) => (entry[1] > best[1] ? entry : best), ["", 0])[0];

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
  /** ISO 639-1. */
  language: string;
}

/** A text with its noun chunks; `types` of a chunk contains the part of speech of its head. */
export interface ChunkRow {
  text: string;
  mentions: Mention[];
}

/** Reads the sentences of `topic-ner`, which are English, or of another set of the same form. */
export function readEntityRows(dataDir: string, part: Part, name = "topic-ner"): EntityRow[] {
  return readLines<RawRow>(join(dataDir, name, `${part}.jsonl.gz`)).map((row) => ({
    text: row.text,
    mentions: mentionsOf(row),
    annotated: row.annotated_types ?? [],
    ignored: row.ignore ?? [],
    source: row.source ?? "",
    language: row.lang ?? "en",
  }));
}

/** A sentence of `topic-ud` with its parts of speech and noun chunks. */
export interface ChunkedSentence {
  text: string;
  tokens: string[];
  pos: string[];
  /** In UTF-16 units, without articles and particles. */
  chunks: {
    start: number;
    end: number;
    /** Where the head is. */
    head: { start: number; end: number };
    /** The part of speech of the head. */
    type: string;
  }[];
  source: string;
  language: string;
}

/** Reads the sentences of `topic-ud`. */
export function readChunkedSentences(dataDir: string, part: Part): ChunkedSentence[] {
  return readLines<RawChunks>(join(dataDir, "topic-ud", `${part}.jsonl.gz`)).map(
    ({ text, tokens, pos, label, source, lang }) => {
      const places = placesOf(text, tokens);
      const offsets = utf16Offsets(text);
      const chunks = label.map(({ value, core = value, start, end, head, sub_type: type }) => {
        const [from, to] = [offsets[start] ?? 0, offsets[end] ?? text.length];
        const shift = value.endsWith(core) ? value.length - core.length : Math.max(0, value.indexOf(core));
        return {
          start: from + shift,
          end: from + shift + core.length,
          head: places[head] ?? { start: from, end: to },
          type,
        };
      });
      return { text, tokens, pos, chunks, source, language: lang };
    },
  );
}

interface RawChunks {
  text: string;
  tokens: string[];
  pos: string[];
  label: { value: string; core?: string; start: number; end: number; head: number; sub_type: string }[];
  source: string;
  lang: string;
}

/** Where the words of a text are, in UTF-16 units; undefined for one that is not written in it. */
export function placesOf(text: string, words: readonly string[]): ({ start: number; end: number } | undefined)[] {
  let from = 0;
  return words.map((word) => {
    const start = text.indexOf(word, from);
    if (start < 0) return undefined;
    from = start + word.length;
    return { start, end: from };
  });
}

/** The offset in UTF-16 units of each code point of a text, and of its end. */
export function utf16Offsets(text: string): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    offsets.push(offset);
    offset += character.length;
  }
  return [...offsets, offset];
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
  lang?: string;
}

/** Reads gzipped JSON lines. */
export function readLines<T>(file: string): T[] {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** The data sets use code points; strings here use UTF-16 units. */
function mentionsOf({ text, label }: RawRow): Mention[] {
  const offsets = utf16Offsets(text);
  return label.map(({ start, end, types, sub_type: subType }) => ({
    start: offsets[start] ?? 0,
    end: offsets[end] ?? 0,
    types: types ?? (subType === undefined ? [] : [subType]),
  }));
}

/** The fifth of the sentences with gold chunks that is held out for evaluation. */
export const HELD_OUT_FIFTH = 0;

/** The fifth that a text belongs to, by its hash. */
export function fifthOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) % 5;
}

/**
 * Posts with a sentiment in other languages than English; the source is the language. Of the benchmark's Hindi rows, in
 * Latin letters, the labels are noise: a model of other such tweets finds them hardly better than chance.
 */
export const foreignSentiments = (dataDir: string, part: Part): Sample[] =>
  ["sentiment-multilingual", "sentiment-multilingual-more"]
    .flatMap((name) => readRows(dataDir, name, part))
    .filter(({ lang }) => lang !== "en" && lang !== "hi")
    .map(({ text, label = "", lang = "und" }) => ({
      text,
      shares: { [label]: 1 },
      weight: 1,
      source: lang,
      language: lang,
    }));

/** A language with fewer development texts is not judged by them. */
const JUDGED_MIN = 250;

/** The development texts of `foreignSentiments`, by language. */
export const judgedSentiments = (dataDir: string): ReadonlyMap<string, Sample[]> => {
  const samples = new Map<string, Sample[]>();
  for (const sample of foreignSentiments(dataDir, "dev")) {
    samples.set(sample.source, [...(samples.get(sample.source) ?? []), sample]);
  }
  return new Map([...samples].filter(([, own]) => own.length >= JUDGED_MIN).sort());
};
