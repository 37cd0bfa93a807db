import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";
import { parseArgs } from "node:util";
import {
  createVocabulary,
  ENCODER_FOLDER,
  MULTILINGUAL_FOLDER,
  type RawToken,
  TOKENIZER_FILE,
  type Vocabulary,
} from "@hourglass/analysis/training";
import { type ChunkedSentence, type EntityRow, type Part, readChunkedSentences, readEntityRows } from "../datasets.js";
import { say } from "../report.js";
import { alignPos, type ChunkLabels, type ChunkSpan, labelsOf } from "./chunk-labels.js";
import { acceptedTags, ANY_TAG, OUTSIDE } from "./entity-labels.js";

/**
 * Writes the rows of `tags.py`: sentences with names or with noun chunks, cut into pieces by the serving code.
 * `tag-rows --data DIR --out FILE [--multilingual]`; without `--multilingual`, English names only.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: "datasets" },
      out: { type: "string", default: "tag-rows.jsonl" },
      multilingual: { type: "boolean", default: false },
    },
  });
  const folder = values.multilingual ? MULTILINGUAL_FOLDER : ENCODER_FOLDER;
  const { cut } = createVocabulary(JSON.parse(readFileSync(new URL(TOKENIZER_FILE, folder), "utf8")) as object);
  const isRead = (language: string): boolean => values.multilingual || language === "en";
  const out = createWriteStream(values.out);
  let count = 0;
  for (const part of ["train", "dev"] as const) {
    const sets = ["topic-ner", "topic-ner-more"].flatMap((name) => readEntityRows(values.data, part, name));
    const named = sets.filter(({ language }) => isRead(language));
    const chunked = values.multilingual ? readChunkedSentences(values.data, part) : [];
    const rows = [...named.map((row) => namedRow(row, part, cut)), ...chunked.map((row) => chunkedRow(row, part, cut))];
    for (const row of rows) if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, "drain");
    count += rows.length;
  }
  out.end();
  await once(out, "finish");
  say(`${count} rows in ${values.out}`);
};

/** A sentence for the heads of tokens. Labels are per token. */
interface TagRow extends Partial<ChunkLabels & CutLabels> {
  readonly part: Part;
  readonly language: string;
  readonly source: string;
  /** Ids and shapes of the pieces, and the index of each token's first piece. */
  readonly ids: readonly number[];
  readonly shapes: readonly number[];
  readonly firsts: readonly number[];
  /** The possible tags of each token: the loss uses the sum of their probabilities. */
  readonly entity?: readonly (readonly number[])[];
}

type Cut = Vocabulary["cut"];

const namedRow = (row: EntityRow, part: Part, cut: Cut): TagRow => {
  const pieces = cut(row.text);
  const entity = possibleTags(pieces.tokens, row);
  return { part, language: row.language, source: row.source, ...flat(pieces), entity };
};

const chunkedRow = (row: ChunkedSentence, part: Part, cut: Cut): TagRow => {
  const pieces = cut(row.text);
  return { part, language: row.language, source: row.source, ...flat(pieces), ...chunkLabels(pieces.tokens, row) };
};

/** How many characters before and after a chunk belong to its first and its last token; -1 where unknown. */
interface CutLabels {
  readonly before: number[];
  readonly after: number[];
}

/** The longest reach to the right: in Romance languages, Arabic and Indonesian, modifiers follow the head. */
const RIGHT_MAX = 7;
/** Prefixes of Arabic are one letter or two; particles and endings of other languages up to five. */
const BEFORE_MAX = 2;
const AFTER_MAX = 5;

const chunkLabels = (tokens: readonly RawToken[], sentence: ChunkedSentence): ChunkLabels & CutLabels => {
  const before = tokens.map(() => UNKNOWN);
  const after = tokens.map(() => UNKNOWN);
  const spans = sentence.chunks.flatMap(({ start, end }): ChunkSpan[] => {
    const first = tokens.findIndex((token) => token.end > start);
    const last = tokens.findLastIndex((token) => token.start < end);
    if (first < 0 || last < first) return [];
    for (let at = first; at <= last; at++) [before[at], after[at]] = [0, 0];
    before[first] = cutLabel(start - (tokens[first]?.start ?? start), BEFORE_MAX);
    after[last] = cutLabel((tokens[last]?.end ?? end) - end, AFTER_MAX);
    return [{ first, last }];
  });
  return { ...labelsOf(alignPos(tokens, sentence), spans, RIGHT_MAX), before, after };
};

const UNKNOWN = -1;

const cutLabel = (count: number, most: number): number => (count >= 0 && count <= most ? count : UNKNOWN);

const flat = ({ ids, shapes }: ReturnType<Cut>): Pick<TagRow, "ids" | "shapes" | "firsts"> => {
  const firsts: number[] = [];
  let at = 0;
  for (const pieces of ids) {
    firsts.push(at);
    at += pieces.length;
  }
  return { ids: ids.flat(), shapes: ids.flatMap((pieces, i) => pieces.map(() => shapes[i] ?? 0)), firsts };
};

/**
 * The tags that a corpus leaves possible. A word that is spelled small is no name of a type that the corpus does not
 * mark, and what it marks without a type of ours may be anything.
 */
const possibleTags = (tokens: readonly RawToken[], row: EntityRow): (readonly number[])[] => {
  const tags = acceptedTags(tokens, row).map((accepted, at) =>
    accepted[0] === OUTSIDE && /^\p{Ll}/u.test(tokens[at]?.text ?? "") ? [OUTSIDE] : accepted,
  );
  for (const ignored of row.ignored) {
    for (let from = row.text.indexOf(ignored); from >= 0; from = row.text.indexOf(ignored, from + ignored.length)) {
      tokens.forEach(({ start, end }, at) => {
        const isPart = start < from + ignored.length && end > from && tags[at]?.includes(OUTSIDE) === true;
        if (isPart) tags[at] = [...ANY_TAG];
      });
    }
  }
  return tags;
};

await main();
