import { createHash } from "node:crypto";
import { toJson } from "@bufbuild/protobuf";
import { type ListPostingsRequest, PostingFilterSchema } from "@hourglass/proto/insight/v1/insight_service";
import { AppError, PAGE_LIMIT_DEFAULT } from "@hourglass/runtime";
import type { Count } from "../platforms/posting-draft.js";
import { fits, type ParsedFilter, parseFilter, rangeOf } from "../segments/filter.js";
import { type Hit } from "../segments/hits.js";
import { PostingSearch, type RankedHit, type RankedPlace } from "../segments/search.js";
import { type Collections, findInsight } from "../store/collections.js";
import { placeBefore, postingOrder } from "../store/posting-order.js";
import type { InsightRecord, PostingPlace, PostingRecord } from "../store/records.js";
import type { BucketsDeps } from "../summary/buckets.js";
import { type PostingInit, toPosting } from "./posting-message.js";

export interface PostingPage {
  postings: PostingInit[];
  /** Empty on the last page. */
  nextCursor: string;
  /** Of all pages, if asked for. */
  total?: bigint;
  /** False: there are at least so many. */
  totalIsExact?: boolean;
  /** For `since` of a later request. */
  watermark: string;
}

interface Caller {
  companyId: number;
  /** Until when the page is of use. */
  signal: AbortSignal;
}

interface ListDeps extends Omit<BucketsDeps, "signal" | "collections"> {
  collections: BucketsDeps["collections"] & Pick<Collections, "insights">;
}

/** Postings read at a time, and for one page, where a query leaves some out. */
const READ_AT_ONCE = 200;
const READ_MAX = 1_000;
/** Time after which a page that is not full ends, in milliseconds: the next one continues there. */
const PAGE_MS_MAX = 1_000;
const TOTAL_MAX = 10_000;
/** An analysis that ends now may be committed so much later, in milliseconds. */
const COMMIT_MS_MAX = 15_000;

/** The postings of insights whose analysis has ended. */
export class PostingLists {
  constructor(private readonly deps: ListDeps) {}

  /**
   * One page, by default newest first by time of posting, then by ids on the platform. Throws AppError `not-found`, and `invalid` for a malformed
   * cursor or query.
   */
  async read(request: ListPostingsRequest, { companyId, signal }: Caller): Promise<PostingPage> {
    const { collections, now } = this.deps;
    const insight = await findInsight(collections.insights, Number(request.id), companyId);
    // Before anything is read: what is analyzed meanwhile comes with the next request, too.
    const watermark = String(now() - COMMIT_MS_MAX);
    const query = readQuery(request, insight);
    const deps = { ...this.deps, signal };
    const page = await new PageReader(deps, insight, query).read();
    const total = request.withTotal ? await countAll(deps, insight, query) : undefined;
    return {
      postings: page.records.map((record) => toPosting(record, insight)),
      nextCursor: page.next === undefined ? "" : writeCursor(query, page.next),
      ...(total !== undefined && { total: BigInt(total.count), totalIsExact: total.isExact }),
      watermark,
    };
  }
}

interface PageQuery {
  /** What a cursor belongs to. */
  list: string;
  filter: ParsedFilter;
  /** Name of the count that postings are sorted by; undefined: by time. */
  rank: string | undefined;
  ascending: boolean;
  limit: number;
  after: RankedPlace | undefined;
}

function readQuery(request: ListPostingsRequest, { id }: InsightRecord): PageQuery {
  const { filter, sort, ascending, since, limit = PAGE_LIMIT_DEFAULT, cursor } = request;
  const rank = sort === "" || sort === "posted_at" ? undefined : sort;
  const list = JSON.stringify([id, rank, ascending, since, namesOf(filter)]);
  const parsed = parseFilter(filter, since === "" ? undefined : Number(since));
  if (rank !== undefined && parsed.matches !== undefined) {
    const message = `Sort by posted_at with q, or leave q out: only the columns of all postings can be sorted by ${rank}.`;
    throw AppError.invalid([{ field: "sort", message }]);
  }
  return {
    list,
    filter: parsed,
    rank,
    ascending,
    limit,
    after: cursor === "" ? undefined : readCursor(cursor, list),
  };
}

/** What a filter chooses, however its values are ordered. */
function namesOf(filter: ListPostingsRequest["filter"]): string {
  const chosen = filter === undefined ? {} : (toJson(PostingFilterSchema, filter) as Record<string, unknown>);
  const parts = Object.entries(chosen).map(([field, value]) => {
    return `${field}=${JSON.stringify(Array.isArray(value) ? value.map(String).sort() : value)}`;
  });
  return parts.sort().join("&");
}

interface Page {
  records: PostingRecord[];
  /** The place after which the next page begins; undefined at the end of the list. */
  next: RankedPlace | undefined;
}

/** Reads one page. */
class PageReader {
  private readonly fits: (posting: PostingRecord) => boolean;
  private readonly records: PostingRecord[] = [];
  private examined = 0;

  constructor(
    private readonly deps: BucketsDeps,
    private readonly insight: InsightRecord,
    private readonly query: PageQuery,
  ) {
    this.fits = fits(query.filter);
  }

  async read(): Promise<Page> {
    const { filter, rank } = this.query;
    if (rank !== undefined) return this.readRanked(rank);
    return filter.conditions.length === 0 ? this.readDirectly() : this.readFound();
  }

  /** From the list itself, in which a query leaves some out. */
  private async readDirectly(): Promise<Page> {
    const { filter, ascending, limit, after } = this.query;
    const sort = postingOrder("listedAt", ascending ? 1 : -1);
    const atOnce = filter.matches === undefined ? limit + 1 : READ_AT_ONCE;
    for (let last = after; ;) {
      const { listedAt, after: place } = behind(last, rangeOf(filter), ascending);
      const options = { sort, limit: atOnce, ...(place && { after: place }) };
      const found = await this.deps.collections.postings.find({ insightId: this.insight.id, listedAt }, options);
      for (const record of found) {
        if (!this.take(record)) return this.until(this.placeBefore(record, last));
        last = placeOf(record);
      }
      if (found.length < atOnce) return this.until(undefined);
      if (this.examined >= READ_MAX) return this.until(last);
    }
  }

  /** By the columns of segments, and of the postings found there those that match the query. */
  private async readFound(): Promise<Page> {
    const { filter, ascending, limit, after } = this.query;
    const search = await PostingSearch.open(this.deps, this.insight, filter);
    const atOnce = filter.matches === undefined ? limit + 1 : READ_AT_ONCE;
    const end = performance.now() + PAGE_MS_MAX;
    let last = after;
    for await (const { hits, reached } of search.inOrder({ after, ascending })) {
      for (let from = 0; from < hits.length; from += atOnce) {
        for (const record of await this.recordsOf(hits.slice(from, from + atOnce))) {
          if (!this.take(record)) return this.until(this.placeBefore(record, last));
          last = placeOf(record);
        }
        if (this.examined >= READ_MAX) return this.until(last);
      }
      last = reached ?? last;
      if (performance.now() > end && last !== undefined) return this.until(last);
    }
    return this.until(undefined);
  }

  private async readRanked(rank: string): Promise<Page> {
    const { filter, ascending, limit, after } = this.query;
    const search = await PostingSearch.open(this.deps, this.insight, filter);
    const hits = await search.ranked(rank, { after, ascending, limit: limit + 1 });
    const shown = hits.slice(0, limit);
    this.records.push(...(await this.recordsOf(shown)));
    const last = shown.at(-1);
    return this.until(hits.length > limit && last !== undefined ? this.placeOfHit(last) : undefined);
  }

  /** If it was erased meanwhile, the next page has all of its time and value. */
  private placeOfHit({ id, listedAt, value }: RankedHit): RankedPlace {
    const record = this.records.find((each) => each.id === id);
    return { ...(record === undefined ? placeBefore(listedAt, this.query) : placeOf(record)), value };
  }

  /** The postings at those places, in their order. One that was erased meanwhile is left out. */
  private async recordsOf(hits: readonly Hit[]): Promise<PostingRecord[]> {
    const found = await this.deps.collections.postings.find({ id: { in: hits.map(({ id }) => id) } });
    const byId = new Map(found.map((record) => [record.id, record]));
    return hits.flatMap(({ id }) => byId.get(id) ?? []);
  }

  /** Takes a posting if it fits. False: the page is full. */
  private take(record: PostingRecord): boolean {
    if (this.records.length === this.query.limit) return false;
    this.examined += 1;
    if (this.fits(record)) this.records.push(record);
    return true;
  }

  /** The place between a posting, which is the next one, and that of the last one. */
  private placeBefore({ postedAt }: PostingRecord, last: RankedPlace | undefined): RankedPlace | undefined {
    if (last === undefined || last.id === "" || last.listedAt === postedAt) return last;
    const { ascending } = this.query;
    return placeBefore(ascending ? last.listedAt + 1 : last.listedAt - 1, { ascending });
  }

  private until(next: RankedPlace | undefined): Page {
    return { records: this.records, next };
  }
}

/** What is behind a place: by a bound of time, which is one query, or, among postings of equal time, by the place, which is several. */
function behind(
  place: PostingPlace | undefined,
  range: { gte: number; lt?: number },
  ascending: boolean,
): { listedAt: { gte: number; lt?: number }; after?: PostingPlace } {
  if (place === undefined) return { listedAt: range };
  const { listedAt, socialId, id } = place;
  if (id !== "") return { listedAt: range, after: { listedAt, socialId, id } };
  if (ascending) return { listedAt: { ...range, gte: Math.max(range.gte, listedAt) } };
  return { listedAt: { ...range, lt: Math.min(range.lt ?? Infinity, listedAt) } };
}

function placeOf({ id, socialId, postedAt }: PostingRecord): RankedPlace {
  return { id, socialId, listedAt: postedAt };
}

/** Counts all postings of a list as far as that takes little time. */
async function countAll(
  deps: BucketsDeps,
  insight: InsightRecord,
  query: PageQuery,
): Promise<{ count: number; isExact: boolean }> {
  const { filter } = query;
  if (filter.matches !== undefined) {
    const whole = { ...query, rank: undefined, after: undefined, limit: READ_MAX };
    const { records, next } = await new PageReader(deps, insight, whole).read();
    return { count: records.length, isExact: next === undefined };
  }
  const where = { insightId: insight.id, listedAt: rangeOf(filter) };
  const counted =
    filter.conditions.length === 0
      ? await deps.collections.postings.count(where, TOTAL_MAX + 1)
      : await (await PostingSearch.open(deps, insight, filter)).count(TOTAL_MAX);
  return { count: Math.min(counted, TOTAL_MAX), isExact: counted <= TOTAL_MAX };
}

const CHECK_CHARACTERS = 11;

type CursorParts = [listedAt: number, id: string, value: Count | null, socialId: string | null];

/** The cursor of the page after that place, of use for the same list only. */
function writeCursor({ list }: PageQuery, { listedAt, id, value, socialId }: RankedPlace): string {
  const parts: CursorParts = [listedAt, id, value ?? null, socialId];
  const text = Buffer.from(JSON.stringify(parts)).toString("base64url");
  return `${text}.${checkOf(list, text)}`;
}

/** Throws AppError `invalid` for a text that `writeCursor` did not write for the list. */
function readCursor(cursor: string, list: string): RankedPlace {
  const [text = "", check, ...rest] = cursor.split(".");
  if (check !== checkOf(list, text) || rest.length > 0) throw malformed();
  const [listedAt, id, value, socialId] = JSON.parse(Buffer.from(text, "base64url").toString()) as CursorParts;
  return { listedAt, socialId, id, value: value ?? undefined };
}

/** Finds mistakes only: a forged cursor leads to nothing but postings of the insight that is asked for. */
function checkOf(list: string, text: string): string {
  return createHash("sha256").update(`${list}:${text}`).digest("base64url").slice(0, CHECK_CHARACTERS);
}

function malformed(): AppError {
  const message = "Give the next_cursor of an earlier answer to the same request, or none for the first page.";
  return AppError.invalid([{ field: "cursor", message }]);
}
