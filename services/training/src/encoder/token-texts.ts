import { join } from "node:path";
import { entriesOf, type Gazetteer, tagText, type Token } from "@hourglass/analysis/training";
import { type EntityRow, fifthOf, HELD_OUT_FIFTH, readEntityRows, readLines, readRows } from "../datasets.js";
import { findListed, listedSpans } from "./entity-labels.js";

/** A sentence with gold parts of speech and noun chunks, in the data set's format. */
export interface ChunkSentence {
  text: string;
  tokens: string[];
  pos: string[];
  /** Offsets in code points. */
  label: { start: number; end: number }[];
}

/** A text for token rows, with its labels. */
export interface TokenText {
  readonly text: string;
  readonly split: "train" | "dev";
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly entities?: EntityRow;
  readonly chunks?: ChunkSentence;
}

/** All texts of the token rows, in an order that depends only on the data: gold texts, then unlabeled ones. */
export function collectTexts(dataDir: string): TokenText[] {
  const gold = [...entityTexts(dataDir, "train"), ...entityTexts(dataDir, "dev"), ...chunkTexts(dataDir)];
  const seen = new Set(gold.map(({ text }) => text));
  return [...gold, ...plainTexts(dataDir, seen), ...rarestTexts(dataDir, seen)];
}

function entityTexts(dataDir: string, split: "train" | "dev"): TokenText[] {
  return readEntityRows(dataDir, split).map((entities) => {
    const { text, source } = entities;
    return { text, split, source, tokens: tagText(text), entities };
  });
}

function chunkTexts(dataDir: string): TokenText[] {
  const file = join(dataDir, "topic-nounchunk", "dev.jsonl.gz");
  return readLines<ChunkSentence>(file).map((chunks) => {
    const split = fifthOf(chunks.text) === HELD_OUT_FIFTH ? "dev" : "train";
    return { text: chunks.text, split, source: "ud-ewt", tokens: tagText(chunks.text), chunks };
  });
}

/** The number of texts taken from a source: first those with names of rare types, then others. */
interface Share {
  data: string;
  source: RegExp;
  named: number;
  other: number;
}

const SHARES: readonly Share[] = [
  { data: "sentiment-simple", source: /nytEditorial/, named: 2_000, other: 2_500 },
  { data: "sentiment-simple", source: /semeval-tweets/, named: 4_000, other: 1_000 },
  { data: "sentiment-simple", source: /movieReview|amazonReview/, named: 1_200, other: 1_600 },
  { data: "sentiment-simple", source: /^sst$/, named: 400, other: 300 },
  { data: "sentiment-real", source: /goemotions|isear/, named: 800, other: 900 },
  { data: "intention", source: /semeval19t9|amazon|trec|subj/, named: 600, other: 900 },
];
const RARE: readonly Gazetteer[] = ["nationalities", "languages", "events", "laws", "products", "works", "facilities"];
const LENGTH_MAX = 400;

function plainTexts(dataDir: string, seen: Set<string>): TokenText[] {
  return SHARES.flatMap((share) => {
    const rows = readRows(dataDir, share.data, "train").filter(({ source }) => share.source.test(source ?? ""));
    const left = { named: share.named, other: share.other };
    const taken: TokenText[] = [];
    for (const { text, source } of rows) {
      if (left.named + left.other === 0) break;
      if (seen.has(text) || text.length > LENGTH_MAX) continue;
      const tokens = tagText(text);
      const kind = namesRare(tokens) ? "named" : "other";
      if (tokens.length < 3 || left[kind] === 0) continue;
      seen.add(text);
      left[kind]--;
      taken.push({ text, split: "train", source: `silver-${source ?? share.data}`, tokens });
    }
    return taken;
  });
}

const RAREST_DATA = ["sentiment-simple", "sentiment-real", "goemotions-raw", "intention", "spam"];
const RAREST: ReadonlySet<string> = new Set(["LANGUAGE", "LAW"]);
const RAREST_MAX = 1_500;

/** All texts that contain a language or a law, which are rare everywhere. */
function rarestTexts(dataDir: string, seen: Set<string>): TokenText[] {
  const entries = [...entriesOf("languages"), ...entriesOf("laws")];
  const openers = new Set(entries.map((entry) => entry.split(/[^\p{L}\d]/u)[0] ?? ""));
  const pattern = new RegExp(`\\b(?:${entries.map(escape).join("|")})\\b`, "i");
  // The set avoids running the slow pattern on most texts.
  const hints = (text: string): boolean =>
    (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).some((word) => openers.has(word)) && pattern.test(text);
  return RAREST_DATA.flatMap((data) => readRows(dataDir, data, "train").map((row) => ({ ...row, data })))
    .filter(({ text }) => !seen.has(text) && text.length <= LENGTH_MAX && hints(text))
    .flatMap(({ text, data }): TokenText[] => {
      const tokens = tagText(text);
      const isRarest = listedSpans(tokens).some(({ types }) => types.length === 1 && RAREST.has(types[0] ?? ""));
      if (!isRarest || seen.has(text)) return [];
      seen.add(text);
      return [{ text, split: "train", source: `silver-${data}-rarest`, tokens }];
    })
    .slice(0, RAREST_MAX);
}

const escape = (entry: string): string => entry.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function namesRare(tokens: readonly Token[]): boolean {
  return findListed(tokens).some(
    ({ first, last, lists }) =>
      RARE.some((list) => lists.has(list)) && tokens.slice(first, last + 1).some(({ text }) => /\p{Lu}/u.test(text)),
  );
}
