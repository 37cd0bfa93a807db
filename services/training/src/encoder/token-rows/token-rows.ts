import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type AugmentedRow, augmentRows } from "./augment.js";
import { goldLabels } from "./chunks.js";
import { acceptedTags, allowedTags, type EntityEvidence, goldEntities } from "./entities.js";
import { readSilver, type Silver } from "./silver.js";
import { silverLabels } from "./silver-chunks.js";
import { silverEntities } from "./silver-entities.js";
import { templateRows } from "./templates.js";
import { collectTexts, type TokenText } from "./texts.js";

/** One text for training or evaluating the token heads of the encoder. Labels are per token of `tokens`. */
export interface TokenRow {
  readonly text: string;
  readonly split: "train" | "dev";
  readonly source: string;
  /** UTF-16 offsets, end exclusive. */
  readonly tokens: readonly (readonly [start: number, end: number])[];
  /** The possible tags of each token: the loss uses the sum of their probabilities. */
  readonly entity: readonly (readonly number[])[] | null;
  /** -1 where unknown. */
  readonly pos: readonly number[] | null;
  /** -1 if the token is no noun. */
  readonly left: readonly number[] | null;
  readonly right: readonly number[] | null;
  /** Weight of the entity labels. */
  readonly weight: number;
  /** Weight of the labels for parts of speech and noun chunks. */
  readonly chunkWeight: number;
}

/** Weights of labels other than gold. */
const SILVER_ENTITY = 0.4;
const SILVER_CHUNK = 0.4;
const AUGMENTED = 0.6;

/** Creates the rows from the data sets and the silver labels of their texts. */
export function makeTokenRows(dataDir: string, silverFile: string): TokenRow[] {
  const texts = collectTexts(dataDir);
  const silver = readSilver(texts, silverFile);
  const found = texts.map((text, at) => evidenceOf(text, silver[at]));
  const rows = texts.flatMap((text, at) => rowOf(text, silver[at], found[at]));
  const seeds = texts.flatMap((text, at) => {
    const evidence = found[at];
    return evidence && text.split === "train" ? [{ ...text, evidence, weight: entityWeight(text) * AUGMENTED }] : [];
  });
  return [...rows, ...[...augmentRows(seeds), ...templateRows()].map(rowOfAugmented)];
}

/** Writes rows as gzipped JSON lines. */
export function writeTokenRows(rows: readonly TokenRow[], file: string): void {
  writeFileSync(file, gzipSync(`${rows.map((row) => JSON.stringify(row)).join("\n")}\n`));
}

function evidenceOf({ tokens, entities, chunks, source }: TokenText, silver?: Silver): EntityEvidence | undefined {
  if (!silver || chunks || tokens.length === 0) return undefined;
  return entities
    ? goldEntities({ tokens, silver }, entities)
    : silverEntities({ tokens, silver }, source.includes("nytEditorial"));
}

function entityWeight({ entities }: TokenText): number {
  return entities ? 1 : SILVER_ENTITY;
}

function rowOf(text: TokenText, silver?: Silver, evidence?: EntityEvidence): TokenRow[] {
  const { tokens, chunks } = text;
  if (!silver || tokens.length === 0) return [];
  // Development data has gold labels only.
  const isSilver = !chunks && text.split === "train";
  const labels = chunks ? goldLabels(tokens, chunks) : isSilver ? silverLabels(tokens, silver) : undefined;
  return [
    {
      ...frameOf(text),
      entity: entityTags(text, evidence),
      pos: labels?.pos ?? null,
      left: labels?.left ?? null,
      right: labels?.right ?? null,
      weight: evidence ? entityWeight(text) : 0,
      chunkWeight: chunks ? 1 : isSilver ? SILVER_CHUNK : 0,
    },
  ];
}

function entityTags({ tokens, entities, split }: TokenText, evidence?: EntityEvidence): number[][] | null {
  if (entities && split === "dev") return acceptedTags(tokens, entities);
  return evidence ? allowedTags(tokens.length, evidence) : null;
}

function rowOfAugmented(row: AugmentedRow): TokenRow {
  return {
    ...frameOf({ ...row, split: "train", source: `augmented-${row.source}` }),
    entity: allowedTags(row.tokens.length, row.evidence),
    pos: null,
    left: null,
    right: null,
    weight: row.weight,
    chunkWeight: 0,
  };
}

function frameOf({ text, split, source, tokens }: Pick<TokenText, "text" | "split" | "source" | "tokens">) {
  return { text, split, source, tokens: tokens.map(({ start, end }) => [start, end] as const) };
}
