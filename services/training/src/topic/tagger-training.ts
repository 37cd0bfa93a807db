import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  annotateFast,
  CARD_FILE,
  COMMON_WORDS_FILE,
  encodeColumns,
  ENTITY_CLASSES,
  entriesOf,
  FEATURE_VERSION,
  findEntities,
  type Gazetteer,
  MODEL_FOLDER,
  type TaggerCard,
  type TaggerModel,
  tagText,
  type Token,
  tokenize,
  WEIGHTS_FILE,
} from "@hourglass/analysis/training";
import { type EntityRow, type Mention, readChunkRows, readEntityRows, readLines } from "../datasets.js";
import { f1, precision, recall } from "../metrics.js";
import { createRandom } from "../random.js";
import { say } from "../report.js";
import { fit, type FittedWeights, samplesOf, type Settings } from "./crf.js";
import { judgeChunks, judgeEntities } from "./topic-metrics.js";

/** Settings of the shipped model, chosen on the development data. */
const SETTINGS: Settings = { seed: 7, epochs: 6, learningRate: 0.05, decay: 1e-5, wordDropout: 0.3 };

/** Augmentation settings, also chosen on the development data. */
const AUGMENTATION: Augmentation = { variationSeed: 11, renamed: 0.7, uncapitalized: 0.2 };

/** Biases that increase recall, tried on the development data in this order. */
const OUTSIDE_BIASES = [0, -0.25, -0.5, -0.75, -1, -1.25, -1.5, -1.75, -2];

/** Trains the entity tagger and writes its card and weights into the analyzer's model folder. */
export function trainTopic(dataDir: string): void {
  countWords(dataDir);
  const rows = readEntityRows(dataDir, "train");
  say(`topic: training on ${rows.length} sentences`);
  const fitted = fit(samplesOf(augment(rows, AUGMENTATION)), SETTINGS, say);
  const model = chooseBias(quantize(fitted), dataDir);
  const packed = gzipSync(encodeColumns(model.weights), { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const devRows = readEntityRows(dataDir, "dev");
  const tally = judgeEntities(devRows, devRows.map(tagRow).map(withModel(model))).overall;
  const chunkRows = readChunkRows(dataDir);
  const card: TaggerCard = {
    type: "topic",
    version: `crf-${sha256.slice(0, 8)}`,
    features: FEATURE_VERSION,
    labels: [...ENTITY_CLASSES],
    sha256,
    scale: model.scale,
    outsideBias: model.outsideBias,
    transitions: [...model.transitions].map((score) => Math.round(score * 1e4) / 1e4),
    training: { data: "topic-ner train (wnut17, btc)", sentences: rows.length, ...AUGMENTATION, ...SETTINGS },
    dev: {
      "entities precision": round(precision(tally)),
      "entities recall": round(recall(tally)),
      "entities F1": round(f1(tally)),
      "noun chunks F1": round(f1(judgeChunks(chunkRows, chunkRows.map(findChunks)))),
    },
  };
  mkdirSync(MODEL_FOLDER, { recursive: true });
  writeFileSync(new URL(WEIGHTS_FILE, MODEL_FOLDER), packed);
  writeFileSync(new URL(CARD_FILE, MODEL_FOLDER), `${JSON.stringify(card, null, 2)}\n`);
  say(`topic: ${JSON.stringify(card.dev)}, ${Math.round(packed.length / 1024)} KiB`);
}

const STEPS = 127;

/** Rounds weights to int8; the few outside the range are clipped, which costs less than a coarser scale for all. */
function quantize({ weights, transitions }: FittedWeights): TaggerModel {
  const sizes = weights
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  const top = sizes[Math.floor(sizes.length * 0.9999)] ?? 1;
  const scale = Math.max(top, 1e-6) / STEPS;
  const steps = Int8Array.from(weights, (weight) => Math.max(-STEPS, Math.min(STEPS, Math.round(weight / scale))));
  return { version: "", weights: steps, scale, outsideBias: 0, transitions };
}

function chooseBias(model: TaggerModel, dataDir: string): TaggerModel {
  const rows = readEntityRows(dataDir, "dev");
  const tagged = rows.map(tagRow);
  let best = model;
  let top = -1;
  for (const outsideBias of OUTSIDE_BIASES) {
    const candidate = { ...model, outsideBias };
    const score = f1(judgeEntities(rows, tagged.map(withModel(candidate))).overall);
    say(`topic: bias ${outsideBias} → F1 ${score.toFixed(4)}`);
    if (score > top) {
      top = score;
      best = candidate;
    }
  }
  return best;
}

interface Tagged {
  tokens: readonly Token[];
}

const tagRow = ({ text }: { text: string }): Tagged => ({ tokens: tagText(text) });

const withModel =
  (model: TaggerModel) =>
  ({ tokens }: Tagged) => ({ tokens, entities: findEntities(tokens, model) });

const findChunks = ({ text }: { text: string }) => annotateFast(text, tagText(text));

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** How often rows are varied. */
interface Augmentation {
  variationSeed: number;
  /** Share of the mentions that are replaced with other names. */
  renamed: number;
  /** Share of the rows that are added again without capitals. */
  uncapitalized: number;
}

/**
 * Adds a copy of each row with entities, with their names replaced from the word lists, and copies without capitals:
 * the tagger learns to trust lists and context more than the few names in the data.
 */
function augment(rows: readonly EntityRow[], settings: Augmentation): EntityRow[] {
  const random = createRandom(settings.variationSeed);
  const renamed = rows
    .filter(({ mentions }) => mentions.length > 0)
    .map((row) => rename(row, settings.renamed, random));
  const all = [...rows, ...renamed];
  const plain = all.filter(() => random() < settings.uncapitalized).map(uncapitalize);
  return [...all, ...plain.filter((row) => row !== undefined)];
}

/** Lower case changes the length of a few letters, and therefore the offsets: such rows are left out. */
function uncapitalize(row: EntityRow): EntityRow | undefined {
  const text = row.text.toLowerCase();
  return text.length === row.text.length ? { ...row, text } : undefined;
}

function rename(row: EntityRow, share: number, random: () => number): EntityRow {
  const mentions: Mention[] = [];
  let text = "";
  let at = 0;
  for (const mention of [...row.mentions].sort((a, b) => a.start - b.start)) {
    if (mention.start < at) continue;
    const old = row.text.slice(mention.start, mention.end);
    const name = random() < share ? inCaseOf(old, nameFor(mention, old, random)) : old;
    text += row.text.slice(at, mention.start);
    mentions.push({ ...mention, start: text.length, end: text.length + name.length });
    text += name;
    at = mention.end;
  }
  return { ...row, text: text + row.text.slice(at), mentions };
}

const lists = new Map<Gazetteer, string[]>();

function listed(list: Gazetteer): string[] {
  const known = lists.get(list);
  if (known) return known;
  const entries = entriesOf(list);
  lists.set(list, entries);
  return entries;
}

const PLACES: readonly Gazetteer[] = ["cities", "cities", "cities", "countries", "regions", "locations", "facilities"];

function nameFor({ types }: Mention, old: string, random: () => number): string {
  const pick = (list: Gazetteer): string => choose(listed(list), random);
  if (types.includes("PERSON")) {
    if (old.includes(" ")) return `${pick("first-names")} ${pick("last-names")}`;
    return pick(choose(["first-names", "first-names", "last-names", "persons"], random));
  }
  if (types.includes("GPE")) return pick(choose(PLACES, random));
  if (types.includes("ORG")) return pick("organizations");
  return pick(types.includes("PRODUCT") ? "products" : "works");
}

function choose<T extends string>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

function inCaseOf(old: string, name: string): string {
  if (old.length > 3 && old === old.toUpperCase()) return name.toUpperCase();
  return /^\p{Lu}/u.test(old) ? name.replace(/(^|[ -])(\p{L})/gu, (found) => found.toUpperCase()) : name;
}

/** Data sets of posts whose words are counted. */
const DATA_SETS = ["sentiment-simple", "sentiment-real", "goemotions-raw", "intention", "spam", "topic-ner"];
/** Rarer words are mostly misspellings, and useless for ranking. */
const COUNT_MIN = 5;
const WORDS_MAX = 24_000;

/**
 * Counts the words of the training parts and writes the frequent ones, the most frequent first: a word's rank
 * determines its specificity and where hashtags are split.
 */
const countWords = (dataDir: string): void => {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const name of DATA_SETS) {
    for (const { text } of readLines<{ text: string }>(join(dataDir, name, "train.jsonl.gz"))) {
      if (seen.has(text)) continue;
      seen.add(text);
      countIn(text, counts);
    }
  }
  const words = [...counts]
    .filter(([, times]) => times >= COUNT_MIN)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, WORDS_MAX)
    .map(([word]) => word);
  writeFileSync(new URL(COMMON_WORDS_FILE, MODEL_FOLDER), `${words.join("\n")}\n`);
  say(`topic: ${words.length} common words from ${seen.size} texts`);
};

const countIn = (text: string, counts: Map<string, number>): void => {
  for (const { text: token, kind } of tokenize(text)) {
    if (kind !== "word" || !/^[A-Za-z]{1,20}$/.test(token) || /(.)\1\1/i.test(token)) continue;
    const word = token.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
};
