import {
  annotateAccurately,
  annotateFast,
  type Annotation,
  encoderOf,
  type Entity,
  readTaggerCard,
  tagText,
  topicsOf,
} from "@hourglass/analysis/training";
import {
  type ChunkRow,
  type EntityRow,
  fifthOf,
  HELD_OUT_FIFTH,
  type Mention,
  readChunkRows,
  readEntityRows,
} from "../datasets.js";
import { createTally, f1, figuresOf, intervalsOf, type Measure, sumOf, type Tally, tallyOf } from "../metrics.js";
import type { Evaluation, Metric } from "../report.js";

/** Evaluates entities and noun chunks of an engine on the development data, and the speed of the whole analysis. */
export async function evaluateTopic(dataDir: string, annotator: Annotator): Promise<Evaluation> {
  const { method, stated, limits } = annotator;
  const rows = readEntityRows(dataDir, "dev");
  const texts = rows.map(({ text }) => text);
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
      ...(await entityMetrics("entities", rows, annotator)),
      ...(await entityMetrics("entities, more sources,", englishRows(dataDir), annotator)),
      ...scores("noun chunks", byText(chunkRows, chunkAnnotations, judgeChunks), stated),
      ...scores("noun chunks, held-out fifth,", heldOut(judgeChunks), stated),
      ...scores("noun chunks in results, held-out fifth,", heldOut(judgeServedChunks), stated),
      ...scores("annotated chunks found as chunk or entity, held-out fifth,", found("span"), stated),
      ...scores("annotated chunks found by their end, held-out fifth,", found("end"), stated),
      { name: "texts/s", value: await textsPerSecond(texts, annotator) },
    ].map((metric) => withLimit(metric, limits)),
  };
}

function withLimit(metric: Metric, limits: Annotator["limits"]): Metric {
  const limit = limits[metric.name];
  return limit === undefined ? metric : { ...metric, limit };
}

/** Precision, recall and F1 of entities, and F1 by source and by type; nothing without rows. */
async function entityMetrics(name: string, rows: readonly EntityRow[], annotator: Annotator): Promise<Metric[]> {
  if (rows.length === 0) return [];
  const annotations = await annotator.annotate(rows.map(({ text }) => text));
  const judgments = rows.map((row, at) => judgeEntities([row], annotations.slice(at, at + 1)));
  return [
    ...scores(
      name,
      judgments.map(({ overall }) => overall),
      annotator.stated,
    ),
    ...detail(
      name,
      judgments.map(({ bySource }) => bySource),
    ),
    ...detail(
      name,
      judgments.map(({ byType }) => byType),
    ),
  ];
}

/** The English sentences of `topic-ner-more`, which have rarer types. */
const englishRows = (dataDir: string): EntityRow[] =>
  readEntityRows(dataDir, "dev", "topic-ner-more").filter(({ language }) => language === "en");

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
function judgeServedChunks(rows: readonly ChunkRow[], annotations: readonly Annotation[]): Tally {
  const tally = createTally();
  rows.forEach(({ mentions, text }, at) => {
    const annotation = annotations[at];
    const topics = annotation === undefined ? [] : topicsOf(annotation, { explain: true, chunks: "english" });
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
function detail(of: string, byText: readonly ReadonlyMap<string, Tally>[]): Metric[] {
  const names = [...new Set(byText.flatMap((tallies) => [...tallies.keys()]))];
  return names.map((name) => {
    const own = byText.flatMap((tallies) => tallies.get(name) ?? []);
    return { name: `${of} F1, ${name}`, value: f1(sumOf(own)), interval: intervalsOf(own).F1 };
  });
}

async function textsPerSecond(texts: readonly string[], annotator: Annotator): Promise<number> {
  const start = performance.now();
  for (const annotation of await annotator.annotate(texts)) topicsOf(annotation, { explain: false, chunks: "english" });
  return (texts.length * 1_000) / (performance.now() - start);
}

/**
 * Results for entities: a found entity is correct if its span is exact and its type is one that its mention accepts.
 */
interface EntityJudgment {
  overall: Tally;
  byType: Map<string, Tally>;
  bySource: Map<string, Tally>;
}

/** Evaluates an engine's entities in labeled sentences. Entities of types that a corpus does not mark are ignored. */
export function judgeEntities(
  rows: readonly EntityRow[],
  annotations: readonly Pick<Annotation, "tokens" | "entities">[],
): EntityJudgment {
  const judgment: EntityJudgment = { overall: createTally(), byType: new Map(), bySource: new Map() };
  rows.forEach((row, at) => {
    const annotation = annotations[at];
    if (annotation) judgeRow(row, annotation, judgment);
  });
  return judgment;
}

function judgeRow(
  row: EntityRow,
  { tokens, entities }: Pick<Annotation, "tokens" | "entities">,
  judgment: EntityJudgment,
): void {
  const source = tallyOf(judgment.bySource, row.source);
  const count = (name: string, field: keyof Tally): void => {
    for (const tally of [judgment.overall, source, tallyOf(judgment.byType, name)]) tally[field]++;
  };
  for (const mention of row.mentions) count(nameOf(mention), "wanted");
  const open = new Set(row.mentions);
  for (const entity of entities) {
    const start = tokens[entity.first]?.start ?? 0;
    const end = tokens[entity.last]?.end ?? 0;
    if (!row.annotated.includes(entity.type) || row.ignored.includes(row.text.slice(start, end))) continue;
    const hit = [...open].find((mention) => isRight(mention, start, end, entity));
    const name = hit ? nameOf(hit) : (FALLBACKS[entity.type] ?? entity.type);
    count(name, "found");
    if (!hit) continue;
    count(name, "right");
    open.delete(hit);
  }
}

function isRight(mention: Mention, start: number, end: number, { type }: Entity): boolean {
  return mention.start === start && mention.end === end && mention.types.includes(type);
}

/** The row of the report that counts a wrong entity. */
const FALLBACKS: Readonly<Record<string, string>> = {
  GPE: "GPE|LOC|FAC",
  LOC: "GPE|LOC|FAC",
  FAC: "GPE|LOC|FAC",
  NORP: "ORG|NORP",
};

function nameOf({ types }: Mention): string {
  return types.join("|");
}

/** Words before a chunk that only point, measure or intensify: results leave them out. */
const LEADING =
  /^(?:the|an?|th(?:is|at|ese|ose)|my|your|his|her|its|our|their|whose|what|which|such|some|any|no|every|each|either|neither|both|all|enough|many|much|more|most|few|several|another|other|own|same|certain|various|very|really|so|too|quite|pretty|just|only|even|yet|as|up|to|than|over|about|around|at|least|nearly|almost|\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten)\s+/i;
const POSSESSOR = /^.*['’]s\s+/;

/**
 * What must be equal for a chunk to be found: the whole span, but for articles and the like, and possessors; or only its
 * end, by which `Putin` finds `President Putin`.
 */
export type Match = "span" | "end";

/**
 * Evaluates how many annotated noun chunks are topics, as chunk or as entity: a tally for each text. An entity inside an
 * annotated chunk (`Iraqi` of `Iraqi society`) counts as wrong, although it is a topic.
 */
export function judgeFound(rows: readonly ChunkRow[], annotations: readonly Annotation[], match: Match): Tally[] {
  const keyOf = (end: number, words: string): string =>
    match === "end" ? `${end}` : `${end - coreOf(words).length}:${end}`;
  return rows.map(({ text, mentions }, at) => {
    const annotation = annotations[at];
    if (!annotation) return createTally();
    const characters = [...text];
    const topics = topicsOf(annotation, { explain: true, chunks: "english" });
    const places = topics.flatMap(({ offsets = [] }) =>
      // Results use code points, mentions UTF-16 units.
      offsets.map((place) => ({
        end: characters.slice(0, place.end).join("").length,
        words: characters.slice(place.start, place.end).join(""),
      })),
    );
    const found = new Set(places.map(({ words, end }) => keyOf(end, words)));
    const wanted = new Set(mentions.map(({ start, end }) => keyOf(end, text.slice(start, end).replace(POSSESSOR, ""))));
    const right = [...found].filter((span) => wanted.has(span)).length;
    return { right, found: found.size, wanted: wanted.size };
  });
}

function coreOf(words: string): string {
  const rest = words.replace(LEADING, "");
  return rest === words ? words : coreOf(rest);
}

/** The evaluation's interface to an engine. */
interface Annotator {
  /** Its name in the report. */
  readonly method: string;
  /** The figures of its card, by their names in the report. */
  readonly stated: Readonly<Record<string, number>>;
  /** The least figures that `npm run evaluate` accepts, by their names in the report. */
  readonly limits: Readonly<Record<string, number>>;
  /** The annotation of each text, in order. */
  annotate(texts: readonly string[]): Promise<Annotation[]>;
}

/** The least figures of each engine, below those measured; texts/s depend on the machine and have none. */
const LIMITS = {
  accurate: {
    "entities F1": 0.7,
    "entities F1, ORG": 0.55,
    "entities F1, PRODUCT": 0.35,
    "entities F1, WORK_OF_ART": 0.4,
    "entities, more sources, F1": 0.77,
    "entities, more sources, F1, ORG": 0.6,
    "noun chunks, held-out fifth, F1": 0.86,
    "noun chunks in results, held-out fifth, precision": 0.9,
  },
  fast: {
    "entities F1": 0.63,
    "entities, more sources, F1": 0.54,
    "noun chunks, held-out fifth, F1": 0.82,
    "noun chunks in results, held-out fifth, precision": 0.86,
  },
};

/** The fast engine. */
export function fastAnnotator(): Annotator {
  const { version, dev } = readTaggerCard();
  return {
    method: `wink-nlp parts of speech, ${version} and word lists`,
    stated: dev,
    limits: LIMITS.fast,
    annotate: async (texts) => texts.map((text) => annotateFast(text, tagText(text))),
  };
}

/** The accurate engine; throws if the encoder is missing. */
export function accurateAnnotator(): Annotator {
  const { version, topicDev } = encoderOf().card;
  return {
    method: `encoder ${version} and word lists`,
    stated: topicDev ?? {},
    limits: LIMITS.accurate,
    annotate: (texts) => annotateAccurately(texts),
  };
}
