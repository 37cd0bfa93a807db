import { annotateAccurately, encodersOf, MULTILINGUAL, topicsOf, trustedIn } from "@hourglass/analysis/training";
import {
  type ChunkedSentence,
  type EntityRow,
  readChunkedSentences,
  readEntityRows,
  utf16Offsets,
} from "../datasets.js";
import { f1, figuresOf, intervalsOf, type Measure, sumOf, type Tally, wilson } from "../metrics.js";
import type { Evaluation, Metric } from "../report.js";
import { judgeEntities } from "./topic-metrics.js";

/** The least F1 of noun chunks in the mean of the languages and in each, and the most sentences without a topic. */
const MEAN_MIN = 0.75;
const LANGUAGE_MIN = 0.6;
const EMPTY_MAX = 0.08;

/** What was judged in one language; one tally for each text. */
interface LanguageJudgment {
  /** Annotated chunks whose head a topic covers, and topics that cover none. */
  readonly byHead: readonly Tally[];
  /** The same, but the topic must be the whole chunk. */
  readonly whole: readonly Tally[];
  /** Sentences, all with an annotated chunk, that have no topic. */
  readonly empty: number;
}

/** Evaluates the topics of other languages than English as results give them: noun chunks and names. */
export const evaluateForeignTopics = async (dataDir: string): Promise<Evaluation> => {
  const { card } = encodersOf().multilingual;
  const chunks = await judgeForeignChunks(dataDir);
  const metrics: Metric[] = [];
  const scores: number[] = [];
  let [empty, sentences] = [0, 0];
  for (const [language, judged] of chunks) {
    const value = f1(sumOf(judged.byHead));
    const interval = intervalsOf(judged.byHead).F1;
    scores.push(value);
    empty += judged.empty;
    sentences += judged.byHead.length;
    metrics.push(
      { name: `chunks by head F1, ${language}`, value, interval, limit: LANGUAGE_MIN },
      { name: `chunks whole F1, ${language}`, value: f1(sumOf(judged.whole)) },
    );
  }
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  metrics.unshift(
    { name: `chunks by head F1, mean of ${scores.length} languages`, value: mean, limit: MEAN_MIN },
    {
      name: `sentences without a topic (${sentences})`,
      value: empty / sentences,
      interval: wilson(empty, sentences),
      limit: EMPTY_MAX,
      better: "lower",
    },
  );
  for (const [language, byText] of await judgeForeignNames(dataDir)) {
    const stated = card.topicByLanguage?.[language]?.["names"];
    const intervals = intervalsOf(byText);
    for (const [measure, value] of Object.entries(figuresOf(sumOf(byText)))) {
      const metric = { name: `entities ${measure}, ${language}`, value, interval: intervals[measure as Measure] };
      metrics.push(measure === "F1" && stated !== undefined ? { ...metric, stated } : metric);
    }
  }
  return { analysis: "topic, other languages", method: card.version, metrics };
};

/** Judges noun chunks on the development part of `topic-ud`, by language. */
export const judgeForeignChunks = async (dataDir: string): Promise<Map<string, LanguageJudgment>> => {
  const { multilingual } = encodersOf();
  const judged = new Map<string, LanguageJudgment>();
  const rows = readChunkedSentences(dataDir, "dev");
  for (const [language, own] of byLanguage(rows)) {
    const annotations = await annotateAccurately(
      own.map(({ text }) => text),
      multilingual,
    );
    const places = annotations.map((given, at) => {
      const { annotation, chunks } = trustedIn({ code: language, prob: 1 }, given, MULTILINGUAL);
      return utf16Places(own[at]!.text, topicsOf(annotation, { explain: true, chunks }));
    });
    judged.set(language, {
      byHead: own.map((row, at) => judgeChunks(row, places[at]!, coversHead)),
      whole: own.map((row, at) => judgeChunks(row, places[at]!, isWhole)),
      empty: places.filter((found) => found.length === 0).length,
    });
  }
  return judged;
};

/** Judges names on the development part of `topic-ner-more`, by language. */
export const judgeForeignNames = async (dataDir: string): Promise<Map<string, Tally[]>> => {
  const { multilingual } = encodersOf();
  const judged = new Map<string, Tally[]>();
  for (const [language, own] of byLanguage(readEntityRows(dataDir, "dev", "topic-ner-more"))) {
    const annotations = (
      await annotateAccurately(
        own.map(({ text }) => text),
        multilingual,
      )
    ).map((annotation) => trustedIn({ code: language, prob: 1 }, annotation, MULTILINGUAL).annotation);
    judged.set(
      language,
      own.map((row, at) => judgeEntities([row], annotations.slice(at, at + 1)).overall),
    );
  }
  return judged;
};

/** The rows of each language but English, in the order of their codes. */
const byLanguage = <Row extends ChunkedSentence | EntityRow>(rows: readonly Row[]): [string, Row[]][] => {
  const languages = [...new Set(rows.map(({ language }) => language))].filter((language) => language !== "en").sort();
  return languages.map((language) => [language, rows.filter((row) => row.language === language)]);
};

interface Place {
  start: number;
  end: number;
}

/** Where topics are, each place once; results count in code points, the data in UTF-16 units. */
const utf16Places = (text: string, topics: readonly { offsets?: readonly Place[] }[]): Place[] => {
  const unitsBefore = utf16Offsets(text);
  return topics
    .flatMap(({ offsets = [] }) => offsets)
    .map(({ start, end }) => ({ start: unitsBefore[start] ?? 0, end: unitsBefore[end] ?? 0 }));
};

type Chunk = ChunkedSentence["chunks"][number];

const coversHead = ({ start, end }: Place, { head }: Chunk): boolean => start < head.end && end > head.start;

const isWhole = ({ start, end }: Place, chunk: Chunk): boolean => start === chunk.start && end === chunk.end;

/** Each topic counts for one chunk, and each chunk for one topic. */
const judgeChunks = (
  { chunks }: ChunkedSentence,
  places: readonly Place[],
  matches: (place: Place, chunk: Chunk) => boolean,
): Tally => {
  const open = new Set(chunks);
  let right = 0;
  for (const place of places) {
    const hit = [...open].find((chunk) => matches(place, chunk));
    if (hit === undefined) continue;
    open.delete(hit);
    right++;
  }
  return { right, found: places.length, wanted: chunks.length };
};
