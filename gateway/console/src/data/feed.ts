import { signal } from "@preact/signals";
import { keyOf, type Posting, type PostingView, viewOf } from "./posting-view.js";

/** Postings of a page. */
export const PAGE_SIZE = 50;
/** Pages whose postings are kept, around those that are seen: a feed of any length needs the same memory. */
const KEPT_MAX = 8;
/** So many postings before the end, the next page is read. */
const AHEAD = 40;
/** Pages may be short, or empty, although more follow. */
const EMPTY_MAX = 50;
/** How far a posting of the address is looked for. In pages. */
const SOUGHT_MAX = 40;

export interface PageAnswer {
  readonly postings: readonly Posting[];
  readonly next_cursor: string | null;
  readonly total?: number;
  readonly total_is_exact?: boolean;
  readonly watermark: string;
}

/** Reads a page; without a cursor, the first one. */
export type ReadPage = (cursor: string | undefined, limit: number, signal: AbortSignal) => Promise<PageAnswer>;

/** A posting of the feed: what its card shows, and all of it. */
export interface Entry {
  readonly view: PostingView;
  readonly posting: Posting;
}

interface Page {
  readonly cursor: string | undefined;
  /** Key of its first posting: where the page before it ends. */
  readonly first: string;
  size: number;
  /** Undefined: read again when it is seen again. */
  entries: readonly Entry[] | undefined;
}

interface Distance {
  readonly page: Page;
  /** From what is seen, in postings. */
  readonly distance: number;
}

/**
 * Postings of a list of any length, by pages. Pages that are far from what is seen are forgotten, and read again by their
 * cursors; their places stay.
 */
export class Feed {
  /** Changes when anything below does. */
  readonly version = signal(0);
  total: { readonly count: number; readonly isExact: boolean } | undefined;
  /** For asking what came after the first page was read. */
  watermark: string | undefined;
  /** Why the last page could not be read. */
  error: unknown;
  private readonly pages: Page[] = [];
  private next: string | null | undefined;
  private readonly reading = new Map<Page | "next", Promise<void>>();
  /** Whether its reader no longer wanted to wait. */
  isCanceled = false;
  private isEnded = false;
  /** Of what is being read. */
  private attempt = new AbortController();

  constructor(private readonly read: ReadPage) {}

  /** Postings that are known so far. */
  get count(): number {
    return this.pages.reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether there are no further ones. */
  get isWhole(): boolean {
    return this.next === null;
  }

  /** Whether the first page has come. */
  get isBegun(): boolean {
    return this.next !== undefined;
  }

  /** Nothing is read any more. */
  end(): void {
    this.isEnded = true;
    this.attempt.abort();
  }

  /** Stops what is being read, until it is tried again. */
  cancel(): void {
    this.isCanceled = true;
    this.attempt.abort();
    this.attempt = new AbortController();
    this.version.value += 1;
  }

  /** The posting at a place; undefined while it is read again. */
  at(index: number): Entry | undefined {
    let start = 0;
    for (const { size, entries } of this.pages) {
      if (index < start + size) return entries?.[index - start];
      start += size;
    }
    return undefined;
  }

  /** The place of a posting that is kept. */
  indexOf(key: string): number | undefined {
    let start = 0;
    for (const { size, entries } of this.pages) {
      const at = entries?.findIndex(({ view }) => view.key === key) ?? -1;
      if (at >= 0) return start + at;
      start += size;
    }
    return undefined;
  }

  /** These places are seen: reads what is missing there, and forgets what is far away. */
  show(from: number, to: number): void {
    const distances = this.distances(from, to);
    for (const { page, distance } of distances) {
      if (distance <= AHEAD && page.entries === undefined) void this.refill(page);
    }
    if (to + AHEAD >= this.count && this.next !== null) void this.append();
    this.forget(distances);
  }

  private distances(from: number, to: number): Distance[] {
    let start = 0;
    return this.pages.map((page) => {
      const end = start + page.size;
      const distance = Math.max(0, start - to, from - end);
      start = end;
      return { page, distance };
    });
  }

  private forget(distances: readonly Distance[]): void {
    const kept = distances.filter(({ page }) => page.entries !== undefined).sort((a, b) => a.distance - b.distance);
    for (const { page, distance } of kept.slice(KEPT_MAX)) {
      if (distance > AHEAD) page.entries = undefined;
    }
  }

  /** Tries again what has failed. */
  retry(): void {
    this.error = undefined;
    this.isCanceled = false;
    this.version.value += 1;
  }

  /** Reads on until a posting is found, not too far; its place, or undefined. */
  async seek(key: string, isPast: (posting: Posting) => boolean): Promise<number | undefined> {
    for (let pages = 0; pages < SOUGHT_MAX; pages++) {
      const index = this.indexOf(key);
      const last = this.at(this.count - 1)?.posting;
      if (index !== undefined) return index;
      if (this.isWhole || this.error !== undefined || this.isCanceled || this.isEnded) return undefined;
      if (last !== undefined && isPast(last)) return undefined;
      await this.append();
      this.forget(this.distances(this.count, this.count));
    }
    return undefined;
  }

  /** Takes postings out that have been erased. */
  remove(isErased: (posting: Posting) => boolean): void {
    let removed = 0;
    for (const page of this.pages) {
      if (page.entries === undefined) continue;
      page.entries = page.entries.filter(({ posting }) => !isErased(posting));
      removed += page.size - page.entries.length;
      page.size = page.entries.length;
    }
    if (this.total !== undefined) this.total = { ...this.total, count: Math.max(0, this.total.count - removed) };
    this.version.value += 1;
  }

  private append(): Promise<void> {
    return this.once("next", async () => {
      for (let tries = 0; tries < EMPTY_MAX && this.next !== null; tries++) {
        const cursor = this.next;
        const answer = await this.read(cursor, PAGE_SIZE, this.attempt.signal);
        this.watermark ??= answer.watermark;
        if (answer.total !== undefined) {
          this.total ??= { count: answer.total, isExact: answer.total_is_exact ?? true };
        }
        this.next = answer.next_cursor;
        const [first] = answer.postings;
        if (first === undefined) continue;
        this.pages.push({
          cursor,
          first: keyOf(first),
          size: answer.postings.length,
          entries: entriesOf(answer.postings),
        });
        return;
      }
    });
  }

  private refill(page: Page): Promise<void> {
    return this.once(page, async () => {
      const following = this.pages[this.pages.indexOf(page) + 1]?.first;
      const found: Posting[] = [];
      let cursor: string | null | undefined = page.cursor;
      for (let tries = 0; tries < EMPTY_MAX && cursor !== null && found.length < page.size; tries++) {
        const answer: PageAnswer = await this.read(cursor, page.size - found.length, this.attempt.signal);
        const end = answer.postings.findIndex((posting) => keyOf(posting) === following);
        found.push(...(end < 0 ? answer.postings : answer.postings.slice(0, end)));
        cursor = end < 0 ? answer.next_cursor : null;
      }
      page.entries = entriesOf(found);
      page.size = found.length;
    });
  }

  /** Reads something once at a time. A failure stays until it is tried again. */
  private once(what: Page | "next", act: () => Promise<void>): Promise<void> {
    const begun = this.reading.get(what);
    if (begun !== undefined || this.error !== undefined || this.isCanceled) return begun ?? Promise.resolve();
    const { signal } = this.attempt;
    const reading = act()
      .catch((error: unknown) => {
        if (!signal.aborted) this.error = error;
      })
      .then(() => {
        this.reading.delete(what);
        if (!this.isEnded) this.version.value += 1;
      });
    this.reading.set(what, reading);
    return reading;
  }
}

function entriesOf(postings: readonly Posting[]): Entry[] {
  return postings.map((posting) => ({ view: viewOf(posting), posting }));
}
