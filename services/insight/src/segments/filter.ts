import { timestampMs } from "@bufbuild/protobuf/wkt";
import { languageCodeOf, PLATFORM } from "@hourglass/posting";
import type { PostingFilter } from "@hourglass/proto/insight/v1/insight_service";
import { foldName } from "@hourglass/runtime/text";
import { searchedTextsOf } from "../platforms/posting-draft.js";
import { compileQuery } from "../query/matcher.js";
import { parseKeywords } from "../query/parser.js";
import type { ListKind, PostingRecord, Property } from "../store/records.js";
import { authorNamesOf, foldDomain, listedIn, propertiesOf } from "../summary/tally.js";
import { bareValue } from "../summary/value-counts.js";

/** What one value of a posting must be. */
export type ColumnCondition =
  | { column: Property | "platform"; accepts: (value: string) => boolean }
  /** As `foldName` gives them; `none`: a posting without any value fits, too. */
  | { column: ListKind; values: readonly string[]; none: boolean }
  /** Analyzed then or later, in milliseconds since the epoch. */
  | { column: "analyzed"; since: number };

/** Which postings are asked for. */
export interface ParsedFilter {
  /** Range of the time of posting, in milliseconds since the epoch; undefined: without an end. */
  start: number | undefined;
  end: number | undefined;
  /** What segments answer; a posting must meet all. */
  conditions: readonly ColumnCondition[];
  /** What only the posting itself answers; undefined: nothing. */
  matches: Test | undefined;
}

export type Test = (posting: PostingRecord) => boolean;

/** Stands for postings without a value. */
export const NONE = "none";

/** Throws AppError `invalid` for a query that cannot be parsed. */
export function parseFilter(filter: PostingFilter | undefined, since?: number): ParsedFilter {
  const { start, end, q = "" } = filter ?? {};
  return {
    start: start && timestampMs(start),
    end: end && timestampMs(end),
    conditions: [
      ...(filter === undefined ? [] : conditionsOf(filter)),
      ...(since === undefined ? [] : [{ column: "analyzed", since } as const]),
    ],
    matches: q.trim() === "" ? undefined : matches(q),
  };
}

function conditionsOf(filter: PostingFilter): ColumnCondition[] {
  const { sentiment, intention, language } = filter;
  const platforms = new Set(filter.platforms.map((number) => PLATFORM.nameOf(number)));
  return [
    ...(platforms.size === 0
      ? []
      : [{ column: "platform", accepts: (value: string) => platforms.has(value) } as const]),
    ...property("polarity", filter.polarities),
    ...property("sentiment", [...filter.sentiments, sentiment]),
    ...property("intention", [...filter.intentions, intention], isIntention),
    ...property("language", [...filter.languages, language], isLanguage),
    ...property("country", filter.countries),
    ...property("type", filter.types),
    ...property(
      "spam",
      filter.spam.map((value) => SPAM[value] ?? value),
    ),
    ...list("authors", filter.authors),
    ...list("topics", filter.topics),
    ...list("hashtags", filter.hashtags),
    ...list("domains", filter.domains, foldDomain),
    ...list("labels", filter.labels),
  ];
}

const SPAM: Readonly<Record<string, string>> = { true: "spam", false: "ham" };

function property(column: Property, given: readonly string[], isFit = isSame): ColumnCondition[] {
  const wanted = given.filter((value) => value !== "").map(foldName);
  if (wanted.length === 0) return [];
  return [{ column, accepts: (value) => wanted.some((each) => isFit(foldName(value), each)) }];
}

function isSame(value: string, wanted: string): boolean {
  return value === (wanted === NONE ? "" : wanted);
}

/** Among its labels is one for texts without an intention. */
function isIntention(value: string, wanted: string): boolean {
  return value === wanted;
}

/** `tl`, which a detector says, and `fil`, which a platform says, are one language. */
function isLanguage(value: string, wanted: string): boolean {
  const code = languageCodeOf(value);
  return isSame(value, wanted) || (code !== undefined && code === languageCodeOf(wanted));
}

function list(column: ListKind, given: readonly string[], folded = foldName): ColumnCondition[] {
  if (given.length === 0) return [];
  const wanted = given.map(folded);
  return [{ column, values: wanted.filter((value) => value !== NONE), none: wanted.includes(NONE) }];
}

function matches(q: string): Test {
  const matcher = compileQuery(parseKeywords(q, "filter.q"));
  return ({ content }) => matcher.match(searchedTextsOf(content)).matches;
}

/** Whether a posting meets the conditions, and its text the query. */
export function fits({ conditions, matches: isMatch }: ParsedFilter): Test {
  return (posting) => conditions.every((condition) => meets(posting, condition)) && (isMatch?.(posting) ?? true);
}

function meets(posting: PostingRecord, condition: ColumnCondition): boolean {
  if ("accepts" in condition) {
    const { column, accepts } = condition;
    return accepts(column === "platform" ? posting.platform : propertiesOf(posting)[column]);
  }
  if (condition.column === "analyzed") return (posting.analyzedAt ?? 0) >= condition.since;
  const { column, values, none } = condition;
  const own = column === "authors" ? authorNamesOf(posting) : listedIn(posting, column).map(bareValue);
  return own.length === 0 ? none : own.some((value) => values.includes(value));
}

/** Earlier than any time that a timestamp can state. */
export const EARLIEST = -8.64e15;

/** The range of time as a condition on `listedAt`, which leaves out what is not listed yet. */
export function rangeOf({ start = EARLIEST, end }: Pick<ParsedFilter, "start" | "end">): { gte: number; lt?: number } {
  return { gte: start, ...(end !== undefined && { lt: end }) };
}
