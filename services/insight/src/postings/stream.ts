import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type {
  CountPostingsRequest,
  InsightWatermarkSchema,
  LookUpInsightsRequest,
  StreamPostingsRequest,
} from "@hourglass/proto/insight/v1/insight_service";
import { fits, type ParsedFilter, parseFilter, type Test } from "../segments/filter.js";
import { type Collections, findInsight } from "../store/collections.js";
import { compareIds, postingOrder } from "../store/posting-order.js";
import type { InsightRecord, PostingRecord } from "../store/records.js";
import { type PostingInit, toPosting } from "./posting-message.js";

/** Postings and characters of their texts in one message, which may be a few MiB. */
const POSTINGS_MAX = 200;
const CHARACTERS_MAX = 200_000;
/** About as many postings are counted in one turn of the event loop. */
const COUNTED_AT_ONCE = 5_000;

/**
 * The postings of insights up to watermarks, as exports read them. Throws AppError `not-found` if an insight is unknown,
 * another company's or deleted.
 */
export class PostingStreams {
  constructor(private readonly collections: Collections) {}

  /** The watermark of each insight of the company, in the order of the request; others are left out. */
  async lookUp(
    { ids }: LookUpInsightsRequest,
    companyId: number,
  ): Promise<{ insights: MessageInitShape<typeof InsightWatermarkSchema>[] }> {
    const { insights } = this.collections;
    const found = await insights.find({ id: { in: ids.map(Number) }, companyId, status: { ne: "deleted" } });
    const known = new Map(found.map((insight) => [insight.id, insight]));
    return {
      insights: ids.flatMap((id) => {
        const insight = known.get(Number(id));
        return insight === undefined ? [] : [{ id, watermark: BigInt(insight.batch), terms: insight.terms }];
      }),
    };
  }

  /** Postings of a span of time, oldest first. Fails, too, if an insight is deleted before the end of the stream. */
  async *read(
    { insights: wanted, start, end, filter }: StreamPostingsRequest,
    { companyId, isService }: StreamCaller,
  ): AsyncGenerator<{ postings: PostingInit[] }> {
    const { insights, postings, exporting } = this.collections;
    const find = () => Promise.all(wanted.map(({ id }) => findInsight(insights, Number(id), companyId)));
    const found = new Map((await find()).map((insight) => [insight.id, insight]));
    // A service keeps what it streams, so that erasures have to reach it.
    if (isService) await exporting.put({ id: companyId });
    const watermarks = new Map(wanted.map(({ id, watermark }) => [Number(id), Number(watermark)]));
    const merged = [...watermarks].map(([insightId, watermark]) => ({ insightId, watermark }));
    const asked = parseFilter(filter);
    const all = mergePostings(postings, merged, within(spanOf(start, end), asked));
    for await (const records of inSlices(filtered(all, fits(asked)))) {
      yield { postings: records.map((record) => toPosting(record, insightOf(record, found))) };
    }
    // A deletion may have erased postings before the stream came to them.
    await find();
  }

  /**
   * Counts the postings of a span of time, and those whose first analysis has not ended. A posting that is analyzed again
   * counts as analyzed.
   */
  async count(
    { insights: wanted, start, end }: CountPostingsRequest,
    companyId: number,
  ): Promise<{ total: bigint; unanalysed: bigint }> {
    const { insights, postings } = this.collections;
    const span = spanOf(start, end);
    const watermarks = new Map(wanted.map(({ id, watermark }) => [Number(id), Number(watermark)]));
    const counts = { total: 0, unanalysed: 0 };
    for (const [id, watermark] of watermarks) {
      const find = () => findInsight(insights, id, companyId);
      const counted = await countUpTo(watermark, { postings, find, span });
      counts.total += counted.total;
      counts.unanalysed += counted.unanalysed;
    }
    return { total: BigInt(counts.total), unanalysed: BigInt(counts.unanalysed) };
  }
}

export interface StreamCaller {
  companyId: number;
  isService: boolean;
}

/** A span of time of posting: the start is inclusive, the end exclusive, both in milliseconds since the epoch. */
interface PostedSpan {
  start: number;
  end: number;
}

function spanOf(start: Timestamp | undefined, end: Timestamp | undefined): PostedSpan {
  return { start: start === undefined ? 0 : timestampMs(start), end: end === undefined ? 0 : timestampMs(end) };
}

/** The part of a span that a filter asks for. */
function within(
  span: PostedSpan,
  { start = -Infinity, end = Infinity }: Pick<ParsedFilter, "start" | "end">,
): PostedSpan {
  return { start: Math.max(span.start, start), end: Math.min(span.end, end) };
}

async function* filtered(records: AsyncIterable<PostingRecord>, isFit: Test): AsyncGenerator<PostingRecord> {
  for await (const record of records) if (isFit(record)) yield record;
}

function insightOf({ insightId }: PostingRecord, insights: ReadonlyMap<number, InsightRecord>): { terms: string } {
  return insights.get(insightId) ?? { terms: "" };
}

async function* inSlices(records: AsyncIterable<PostingRecord>): AsyncGenerator<PostingRecord[]> {
  let slice: PostingRecord[] = [];
  let characters = 0;
  for await (const record of records) {
    slice.push(record);
    characters += record.content.text?.length ?? 0;
    if (slice.length < POSTINGS_MAX && characters < CHARACTERS_MAX) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}

/** Postings of one insight in a span of time, up to a watermark. */
interface MergedInsight {
  insightId: number;
  watermark: number;
}

/** Postings of the first pages, of all insights together, and of any page. */
const FIRST_MAX = 300;
const PAGE_MAX = 300;
/** Characters held at a time, of all insights together, if pages are as heavy as those before. */
const HELD_CHARACTERS_MAX = 6_000_000;
/** What a posting holds besides its text, in characters. */
const FIELDS_CHARACTERS = 2000;

/**
 * The postings of all insights, oldest first by time of posting, then their ids on the platform. Holds a bounded number of postings, whatever
 * the number of insights and postings.
 */
async function* mergePostings(
  postings: Collections["postings"],
  insights: readonly MergedInsight[],
  span: PostedSpan,
): AsyncGenerator<PostingRecord> {
  const firstPage = Math.max(1, Math.floor(FIRST_MAX / insights.length));
  const characters = HELD_CHARACTERS_MAX / insights.length;
  const sources = insights.map((insight) => new MergeSource(postings, { ...insight, ...span, firstPage, characters }));
  await Promise.all(sources.map((source) => source.advance()));
  for (;;) {
    const first = earliest(sources);
    if (first?.head === undefined) return;
    yield first.head;
    await first.advance();
  }
}

function earliest(sources: readonly MergeSource[]): MergeSource | undefined {
  let first: MergeSource | undefined;
  for (const source of sources) {
    if (source.head !== undefined && (first?.head === undefined || isBefore(source.head, first.head))) first = source;
  }
  return first;
}

function isBefore(one: PostingRecord, other: PostingRecord): boolean {
  return one.postedAt === other.postedAt ? compareIds(one, other) < 0 : one.postedAt < other.postedAt;
}

const OLDEST_FIRST = postingOrder("postedAt");

/** The postings of one insight, read a page at a time. */
class MergeSource {
  /** The next posting; undefined before the first `advance` and at the end. */
  head: PostingRecord | undefined;
  private page: PostingRecord[] = [];
  private next = 0;
  private last: PostingRecord | undefined;
  private isRead = false;
  private pageSize: number;

  constructor(
    private readonly postings: Collections["postings"],
    private readonly of: MergedInsight & PostedSpan & { firstPage: number; characters: number },
  ) {
    this.pageSize = of.firstPage;
  }

  async advance(): Promise<void> {
    do {
      if (this.next === this.page.length) await this.readPage();
      this.head = this.page[this.next++];
      // What was stored later is skipped here, since no index has both the time of posting and the batch.
    } while (this.head !== undefined && this.head.batch > this.of.watermark);
  }

  private async readPage(): Promise<void> {
    this.next = 0;
    this.page = [];
    if (this.isRead) return;
    const { insightId, start, end } = this.of;
    const options = { sort: OLDEST_FIRST, limit: this.pageSize, ...(this.last && { after: this.last }) };
    this.page = await this.postings.find({ insightId, postedAt: { gte: start, lt: end } }, options);
    this.last = this.page.at(-1);
    this.isRead = this.page.length < this.pageSize;
    this.pageSize = pageSizeFor(this.page, this.of.characters);
    await nextLoopTurn();
  }
}

/** Few insights are read in large pages, and so are many with short texts: each page is a query. */
function pageSizeFor(page: readonly PostingRecord[], charactersMax: number): number {
  const texts = page.reduce((sum, { content }) => sum + (content.text?.length ?? 0), 0);
  const each = FIELDS_CHARACTERS + texts / Math.max(1, page.length);
  return Math.min(PAGE_MAX, Math.max(1, Math.floor(charactersMax / each)));
}

/** No index has the batch, so it is a condition only where it excludes something. */
async function countUpTo(
  watermark: number,
  { postings, find, span }: { postings: Collections["postings"]; find: () => Promise<InsightRecord>; span: PostedSpan },
): Promise<{ total: number; unanalysed: number }> {
  const insight = await find();
  if (insight.batch <= watermark) {
    const counted = await countIn(postings, insight, { span });
    // Otherwise a posting was stored meanwhile, and may have been counted.
    if ((await find()).batch <= watermark) return counted;
  }
  return countIn(postings, insight, { span, watermark });
}

async function countIn(
  postings: Collections["postings"],
  { id: insightId, postings: stored }: InsightRecord,
  { span, watermark }: { span: PostedSpan; watermark?: number },
): Promise<{ total: number; unanalysed: number }> {
  const upTo = { insightId, ...(watermark !== undefined && { batch: { lte: watermark } }) };
  const counts = { total: 0, unanalysed: 0 };
  for (const within of slicesOf(span, stored)) {
    // In this order, a removal in between counts as waiting, which a later count corrects.
    const total = await postings.count({ ...upTo, postedAt: within });
    const analyzed = await postings.count({ ...upTo, listedAt: within });
    counts.total += total;
    counts.unanalysed += Math.max(0, total - analyzed);
    await nextLoopTurn();
  }
  return counts;
}

/** Equal parts of the span, so that each has few postings if they are spread evenly. */
function* slicesOf({ start, end }: PostedSpan, stored: number): Generator<{ gte: number; lt: number }> {
  const slices = Math.max(1, Math.ceil(stored / COUNTED_AT_ONCE));
  const length = Math.max(1, Math.ceil((end - start) / slices));
  for (let from = start; from < end; from += length) yield { gte: from, lt: Math.min(end, from + length) };
}
