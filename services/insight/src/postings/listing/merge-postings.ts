import { setImmediate as nextTurn } from "node:timers/promises";
import type { Collections } from "../../store/collections.js";
import type { PostingRecord } from "../../store/records.js";

/** Postings of one insight in a span of time, up to a watermark. */
export interface MergedInsight {
  insightId: number;
  watermark: number;
}

export interface MergedSpan {
  /** Inclusive, in milliseconds since the epoch. */
  start: number;
  /** Exclusive. */
  end: number;
}

/** Postings of the first pages, of all insights together, and of any page. */
const FIRST_MAX = 300;
const PAGE_MAX = 300;
/** Characters held at a time, of all insights together, if pages are as heavy as those before. */
const CHARACTERS_MAX = 6_000_000;
/** What a posting holds besides its text, in characters. */
const FIELDS_CHARACTERS = 2000;

/**
 * The postings of all insights, oldest first by time of posting, then id. Holds a bounded number of postings, whatever
 * the number of insights and postings.
 */
export async function* mergePostings(
  postings: Collections["postings"],
  insights: readonly MergedInsight[],
  span: MergedSpan,
): AsyncGenerator<PostingRecord> {
  const firstPage = Math.max(1, Math.floor(FIRST_MAX / insights.length));
  const characters = CHARACTERS_MAX / insights.length;
  const lines = insights.map((insight) => new Line(postings, { ...insight, ...span, firstPage, characters }));
  await Promise.all(lines.map((line) => line.advance()));
  for (;;) {
    const first = earliest(lines);
    if (first?.head === undefined) return;
    yield first.head;
    await first.advance();
  }
}

function earliest(lines: readonly Line[]): Line | undefined {
  let first: Line | undefined;
  for (const line of lines) {
    if (line.head !== undefined && (first?.head === undefined || isBefore(line.head, first.head))) first = line;
  }
  return first;
}

function isBefore(one: PostingRecord, other: PostingRecord): boolean {
  return one.postedAt === other.postedAt ? one.id < other.id : one.postedAt < other.postedAt;
}

const OLDEST_FIRST = [
  ["postedAt", 1],
  ["id", 1],
] as const;

/** The postings of one insight, read a page at a time. */
class Line {
  /** The next posting; undefined before the first `advance` and at the end. */
  head: PostingRecord | undefined;
  private page: PostingRecord[] = [];
  private next = 0;
  private last: PostingRecord | undefined;
  private isRead = false;
  private pageSize: number;

  constructor(
    private readonly postings: Collections["postings"],
    private readonly of: MergedInsight & MergedSpan & { firstPage: number; characters: number },
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
    await nextTurn();
  }
}

/** Few insights are read in large pages, and so are many with short texts: each page is a query. */
function pageSizeFor(page: readonly PostingRecord[], charactersMax: number): number {
  const texts = page.reduce((sum, { content }) => sum + (content.text?.length ?? 0), 0);
  const each = FIELDS_CHARACTERS + texts / Math.max(1, page.length);
  return Math.min(PAGE_MAX, Math.max(1, Math.floor(charactersMax / each)));
}
