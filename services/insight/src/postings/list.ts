import { createHash } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { PLATFORM } from "@hourglass/posting";
import type { ListPostingsRequest, PostingFilter } from "@hourglass/proto/insight/v1/insight_service";
import { AppError, type Condition, PAGE_LIMIT_DEFAULT } from "@hourglass/runtime";
import { searchedTextsOf } from "../platforms/posting-draft.js";
import { compileQuery } from "../query/matcher.js";
import { parseKeywords } from "../query/parser.js";
import { type Collections, findInsight } from "../store/collections.js";
import type { PostingRecord } from "../store/records.js";
import { type PostingInit, toPosting } from "./posting-message.js";

export interface PostingPage {
  postings: PostingInit[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** Postings read at a time, and for one page, where a filter leaves some out. */
const READ_AT_ONCE = 200;
const READ_MAX = 1_000;

const NEWEST_FIRST = [
  ["listedAt", -1],
  ["id", -1],
] as const;

/** The postings of insights whose analysis has ended. */
export class PostingLists {
  constructor(private readonly collections: Collections) {}

  /**
   * One page, newest first by time of posting, then id. Throws AppError `not-found`, and `invalid` for a malformed cursor
   * or query.
   */
  async read(
    { id, limit = PAGE_LIMIT_DEFAULT, cursor, filter }: ListPostingsRequest,
    companyId: number,
  ): Promise<PostingPage> {
    const { insights, postings } = this.collections;
    const insight = await findInsight(insights, Number(id), companyId);
    const from = cursor === "" ? undefined : readCursor(insight.id, cursor);
    const page = await readPage(postings, { insightId: insight.id, from, limit, filter: readFilter(filter) });
    const next = page.next === undefined ? "" : writeCursor(page.next);
    return { postings: page.records.map((record) => toPosting(record, insight)), nextCursor: next };
  }
}

interface PageRequest {
  insightId: number;
  from: ListPosition | undefined;
  limit: number;
  filter: ListFilter;
}

interface Page {
  records: PostingRecord[];
  /** The last posting that was read; undefined at the end of the list. */
  next: PostingRecord | undefined;
}

async function readPage(postings: Collections["postings"], request: PageRequest): Promise<Page> {
  const { insightId, from, limit, filter } = request;
  const atOnce = filter.fits === undefined ? limit + 1 : READ_AT_ONCE;
  const records: PostingRecord[] = [];
  let last: PostingRecord | undefined;
  for (let read = 0; read < READ_MAX; read += atOnce) {
    const after = last ?? from;
    const options = { sort: NEWEST_FIRST, limit: atOnce, ...(after && { after }) };
    const found = await postings.find({ insightId, listedAt: filter.range }, options);
    for (const record of found) {
      if (records.length === limit) return { records, next: last };
      if (filter.fits?.(record) ?? true) records.push(record);
      last = record;
    }
    if (found.length < atOnce) return { records, next: undefined };
  }
  return { records, next: last };
}

/** Earlier than any time that a timestamp can state. */
const EARLIEST = -8.64e15;

/** A filter, divided into what an index answers and what is decided for each posting. */
export interface ListFilter {
  /** Range of the time of posting; leaves out what is not listed yet. */
  range: Condition<number>;
  /** Undefined if every posting in the range fits. */
  fits: ((posting: PostingRecord) => boolean) | undefined;
}

/** Throws AppError `invalid` for a query that cannot be parsed. */
export function readFilter(filter: PostingFilter | undefined): ListFilter {
  if (filter === undefined) return { range: { gte: EARLIEST }, fits: undefined };
  const { start, end } = filter;
  const range = {
    gte: start === undefined ? EARLIEST : timestampMs(start),
    ...(end !== undefined && { lt: timestampMs(end) }),
  };
  const tests = testsOf(filter);
  return { range, fits: tests.length === 0 ? undefined : (posting) => tests.every((test) => test(posting)) };
}

type Test = (posting: PostingRecord) => boolean;

/** The cheap tests first. */
function testsOf({ platforms, sentiment, intention, language, q }: PostingFilter): Test[] {
  const names = new Set(platforms.map((number) => PLATFORM.nameOf(number)));
  return [
    ...(names.size > 0 ? [({ platform }: PostingRecord) => names.has(platform)] : []),
    ...(sentiment === "" ? [] : [(posting: PostingRecord) => posting.sentiment === sentiment]),
    ...(intention === "" ? [] : [(posting: PostingRecord) => posting.intention === intention]),
    ...(language === "" ? [] : [isIn(language)]),
    ...(q.trim() === "" ? [] : [matches(q)]),
  ];
}

/** A language without a region includes its regions: `en` is also the language of `en-GB`. */
function isIn(language: string): Test {
  const wanted = language.toLowerCase();
  return ({ language: found }) => {
    const has = found?.toLowerCase();
    return has === wanted || has?.startsWith(`${wanted}-`) === true;
  };
}

function matches(q: string): Test {
  const matcher = compileQuery(parseKeywords(q, "filter.q"));
  return ({ content }) => matcher.match(searchedTextsOf(content)).matches;
}

/** The place of a posting in the list of its insight. */
interface ListPosition {
  listedAt: number;
  id: string;
}

const CHECK_CHARACTERS = 11;

/** The cursor of the page after that posting: at most 200 characters, of use for the same insight only. */
function writeCursor({ insightId, listedAt, id }: PostingRecord): string {
  const place = Buffer.from(JSON.stringify([listedAt, id])).toString("base64url");
  return `${place}.${checkOf(insightId, place)}`;
}

/** Throws AppError `invalid` for a text that `writeCursor` did not write for the insight. */
function readCursor(insightId: number, cursor: string): ListPosition {
  const [place = "", check, ...rest] = cursor.split(".");
  if (check !== checkOf(insightId, place) || rest.length > 0) throw malformed();
  const [listedAt, id] = JSON.parse(Buffer.from(place, "base64url").toString()) as [number, string];
  return { listedAt, id };
}

/** Finds mistakes only: a forged cursor leads to nothing but postings of the insight that is asked for. */
function checkOf(insightId: number, place: string): string {
  return createHash("sha256").update(`${insightId}:${place}`).digest("base64url").slice(0, CHECK_CHARACTERS);
}

function malformed(): AppError {
  const message = "Give the next_cursor of an earlier answer, or none for the first page.";
  return AppError.invalid([{ field: "cursor", message }]);
}
