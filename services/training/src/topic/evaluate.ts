import { findNounChunks, readTaggerCard, tagText, topicsOf } from "@hourglass/analysis/topic";
import type { Evaluation, Metric } from "../evaluation.js";
import { judgeEntities } from "./evaluate-entities.js";
import { createTally, f1, precision, recall, type Tally } from "./judge.js";
import { type ChunkRow, readChunkRows, readEntityRows } from "./rows.js";

/** Evaluates entities and noun chunks on the development data, and the speed of the whole analysis. */
export async function evaluateTopic(dataDir: string): Promise<Evaluation> {
  const card = readTaggerCard();
  const rows = readEntityRows(dataDir, "dev");
  const entities = judgeEntities(rows);
  const chunks = judgeChunks(readChunkRows(dataDir));
  return {
    analysis: "topic",
    method: `wink-nlp parts of speech, ${card.version} and word lists`,
    metrics: [
      ...scores("entities", entities.overall, card.dev),
      ...detail(entities.bySource),
      ...detail(entities.byType),
      ...scores("noun chunks", chunks, card.dev),
      { name: "texts/s", value: textsPerSecond(rows.map(({ text }) => text)) },
    ],
  };
}

/** Judges noun chunks by exact span, following the convention of the data set. */
export function judgeChunks(rows: readonly ChunkRow[]): Tally {
  const tally = createTally();
  for (const { text, mentions } of rows) {
    const tokens = tagText(text);
    const wanted = new Set(mentions.map(({ start, end }) => `${start}:${end}`));
    const found = new Set(
      findNounChunks(tokens).map(({ first, last }) => `${tokens[first]?.start ?? 0}:${tokens[last]?.end ?? 0}`),
    );
    tally.wanted += wanted.size;
    tally.found += found.size;
    for (const span of found) if (wanted.has(span)) tally.right++;
  }
  return tally;
}

function scores(name: string, tally: Tally, stated: Readonly<Record<string, number>>): Metric[] {
  const values = { precision: precision(tally), recall: recall(tally), F1: f1(tally) };
  return Object.entries(values).map(([measure, value]) => {
    const metric = { name: `${name} ${measure}`, value };
    const promised = measure === "F1" ? stated[metric.name] : undefined;
    return promised === undefined ? metric : { ...metric, stated: promised };
  });
}

function detail(tallies: ReadonlyMap<string, Tally>): Metric[] {
  return [...tallies].map(([name, tally]) => ({ name: `entities F1, ${name}`, value: f1(tally) }));
}

function textsPerSecond(texts: readonly string[]): number {
  for (const text of texts.slice(0, 500)) topicsOf(text, tagText(text));
  const start = performance.now();
  for (const text of texts) topicsOf(text, tagText(text));
  return (texts.length * 1_000) / (performance.now() - start);
}
