import { type Annotation, topicsOf } from "@hourglass/analysis/topic";
import type { Evaluation, Metric } from "../evaluation.js";
import type { Annotator } from "./annotators.js";
import { judgeEntities } from "./evaluate-entities.js";
import { judgeFound, type Match } from "./evaluate-found.js";
import { fifthOf, HELD_OUT_FIFTH } from "./held-out.js";
import { createTally, f1, figuresOf, intervalsOf, type Measure, sumOf, type Tally } from "./judge.js";
import { type ChunkRow, readChunkRows, readEntityRows } from "./rows.js";

/** Evaluates entities and noun chunks of an engine on the development data, and the speed of the whole analysis. */
export async function evaluateTopic(dataDir: string, annotator: Annotator): Promise<Evaluation> {
  const { method, stated } = annotator;
  const rows = readEntityRows(dataDir, "dev");
  const texts = rows.map(({ text }) => text);
  const annotations = await annotator.annotate(texts);
  const entities = rows.map((row, at) => judgeEntities([row], annotations.slice(at, at + 1)));
  const chunkRows = readChunkRows(dataDir);
  const chunkAnnotations = await annotator.annotate(chunkRows.map(({ text }) => text));
  // There are no training rows for chunks: the encoder is trained on four fifths of these, so it is evaluated on the
  // last one only.
  const unseen = chunkRows.map(({ text }) => fifthOf(text) === HELD_OUT_FIFTH);
  const unseenRows = chunkRows.filter((_, at) => unseen[at]);
  const unseenAnnotations = chunkAnnotations.filter((_, at) => unseen[at]);
  const heldOut = (judge: ChunkJudge): Tally[] => byText(unseenRows, unseenAnnotations, judge);
  const found = (match: Match): Tally[] => judgeFound(unseenRows, unseenAnnotations, match);
  return {
    analysis: "topic",
    method,
    metrics: [
      ...scores(
        "entities",
        entities.map(({ overall }) => overall),
        stated,
      ),
      ...detail(entities.map(({ bySource }) => bySource)),
      ...detail(entities.map(({ byType }) => byType)),
      ...scores("noun chunks", byText(chunkRows, chunkAnnotations, judgeChunks), stated),
      ...scores("noun chunks, held-out fifth,", heldOut(judgeChunks), stated),
      ...scores("noun chunks in results, held-out fifth,", heldOut(judgeServedChunks), stated),
      ...scores("annotated chunks found as chunk or entity, held-out fifth,", found("span"), stated),
      ...scores("annotated chunks found by their end, held-out fifth,", found("end"), stated),
      { name: "texts/s", value: await textsPerSecond(texts, annotator) },
    ],
  };
}

type ChunkJudge = (rows: readonly ChunkRow[], annotations: readonly Annotation[]) => Tally;

const byText = (rows: readonly ChunkRow[], annotations: readonly Annotation[], judge: ChunkJudge): Tally[] =>
  rows.map((row, at) => judge([row], annotations.slice(at, at + 1)));

/** Evaluates noun chunks by exact span, in the convention of the data set. */
export function judgeChunks(
  rows: readonly ChunkRow[],
  annotations: readonly Pick<Annotation, "tokens" | "chunks">[],
): Tally {
  const tally = createTally();
  rows.forEach(({ mentions }, at) => {
    const { tokens, chunks } = annotations[at] ?? { tokens: [], chunks: [] };
    const wanted = new Set(mentions.map(({ start, end }) => `${start}:${end}`));
    const found = new Set(chunks.map(({ first, last }) => `${tokens[first]?.start ?? 0}:${tokens[last]?.end ?? 0}`));
    tally.wanted += wanted.size;
    tally.found += found.size;
    for (const span of found) if (wanted.has(span)) tally.right++;
  });
  return tally;
}

/**
 * Evaluates noun chunks as served in results: without those that are entities, inside others or too vague to be topics.
 * Results also omit articles and possessors, so only the end of a chunk is compared.
 */
export function judgeServedChunks(rows: readonly ChunkRow[], annotations: readonly Annotation[]): Tally {
  const tally = createTally();
  rows.forEach(({ mentions, text }, at) => {
    const annotation = annotations[at];
    const topics = annotation === undefined ? [] : topicsOf(annotation, { explain: true, chunks: true });
    const chunks = topics.filter(({ topic_type: type }) => type === "noun-chunk");
    // Results use code points, mentions UTF-16 units.
    const wanted = new Set(mentions.map(({ end }) => [...text.slice(0, end)].length));
    const found = new Set(chunks.flatMap(({ offsets = [] }) => offsets.map(({ end }) => end)));
    tally.wanted += wanted.size;
    tally.found += found.size;
    for (const end of found) if (wanted.has(end)) tally.right++;
  });
  return tally;
}

/** Precision, recall and F1 with their intervals over texts, of which `tallies` has one each. */
function scores(name: string, tallies: readonly Tally[], stated: Readonly<Record<string, number>>): Metric[] {
  const intervals = intervalsOf(tallies);
  return Object.entries(figuresOf(sumOf(tallies))).map(([measure, value]) => {
    const metric = { name: `${name} ${measure}`, value, interval: intervals[measure as Measure] };
    const promised = measure === "F1" ? stated[metric.name] : undefined;
    return promised === undefined ? metric : { ...metric, stated: promised };
  });
}

/** F1 by source or type, over the texts that have mentions or findings of it. */
function detail(byText: readonly ReadonlyMap<string, Tally>[]): Metric[] {
  const names = [...new Set(byText.flatMap((tallies) => [...tallies.keys()]))];
  return names.map((name) => {
    const own = byText.flatMap((tallies) => tallies.get(name) ?? []);
    return { name: `entities F1, ${name}`, value: f1(sumOf(own)), interval: intervalsOf(own).F1 };
  });
}

async function textsPerSecond(texts: readonly string[], annotator: Annotator): Promise<number> {
  const start = performance.now();
  for (const annotation of await annotator.annotate(texts)) topicsOf(annotation, { explain: false, chunks: true });
  return (texts.length * 1_000) / (performance.now() - start);
}
