import { describe, expect, it } from "vitest";
import { Feed, PAGE_SIZE, type PageAnswer } from "./feed.js";
import type { Posting } from "./posting-view.js";

/** A list of postings on a server, which counts what is read of it. */
class List {
  keys: string[];
  reads = 0;
  fails = false;

  constructor(count: number) {
    this.keys = Array.from({ length: count }, (_, index) => `p${index}`);
  }

  /** The cursor is the key after which a page begins. */
  readonly read = (cursor: string | undefined, limit: number): Promise<PageAnswer> => {
    this.reads += 1;
    if (this.fails) return Promise.reject(new Error("No answer."));
    const start =
      cursor === undefined ? 0 : this.keys.findIndex((key) => Number(key.slice(1)) > Number(cursor.slice(1)));
    const page = start < 0 ? [] : this.keys.slice(start, start + limit);
    const isLast = start < 0 || start + limit >= this.keys.length;
    return Promise.resolve({
      postings: page.map(postingOf),
      next_cursor: isLast ? null : (page.at(-1) ?? null),
      watermark: "7",
      ...(cursor === undefined ? { total: this.keys.length, total_is_exact: true } : {}),
    });
  };
}

function postingOf(key: string): Posting {
  const nothing = { text_of_post: "text", social_url: null, sentiments: null, intentions: null, topic_1: null };
  const author = { author_name: null, author_username: null, author_id: null };
  const when = { post_date: "1/31/2026", post_time: "12:00:00" };
  return { ...nothing, ...author, ...when, platform: "news", more_info: { key } } as unknown as Posting;
}

const keyAt = (feed: Feed, index: number): string | undefined => feed.at(index)?.view.key;
/** Until what was begun is done: nothing of it waits for a clock. */
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 200; turns++) await Promise.resolve();
};

/** Scrolls to the end as a reader does. */
async function readToEnd(feed: Feed): Promise<void> {
  for (;;) {
    const last = feed.count;
    feed.show(Math.max(0, last - 10), last);
    await settled();
    if (feed.isWhole && feed.count === last) return;
  }
}

describe("a feed", () => {
  it("reads a page, and the next one shortly before the end", async () => {
    const list = new List(120);
    const feed = new Feed(list.read);
    feed.show(0, 5);
    await settled();
    expect([feed.count, feed.total, feed.watermark]).toEqual([PAGE_SIZE, { count: 120, isExact: true }, "7"]);
    feed.show(0, 5);
    await settled();
    expect(list.reads).toBe(1);
    feed.show(10, 20);
    await settled();
    expect([feed.count, keyAt(feed, 99)]).toEqual([100, "p99"]);
  });

  it("keeps few postings of many, and reads others again where they are seen", async () => {
    const list = new List(1_000);
    const feed = new Feed(list.read);
    await readToEnd(feed);
    expect(feed.count).toBe(1_000);
    const kept = Array.from({ length: 1_000 }, (_, index) => feed.at(index)).filter(Boolean).length;
    expect(kept).toBeLessThanOrEqual(10 * PAGE_SIZE);
    expect(keyAt(feed, 0)).toBeUndefined();
    feed.show(0, 10);
    await settled();
    feed.show(0, 10);
    expect([keyAt(feed, 0), keyAt(feed, 49), keyAt(feed, 999)]).toEqual(["p0", "p49", undefined]);
  });

  it("shows no posting twice if one was erased from a page that is read again", async () => {
    const list = new List(1_000);
    const feed = new Feed(list.read);
    await readToEnd(feed);
    list.keys = list.keys.filter((key) => key !== "p3");
    feed.show(0, 10);
    await settled();
    expect([feed.count, keyAt(feed, 48), keyAt(feed, 49)]).toEqual([999, "p49", "p50"]);
  });

  it("finds the posting of an address, unless it is past", async () => {
    const feed = new Feed(new List(500).read);
    // The first page is being read already.
    feed.show(0, 0);
    expect(await feed.seek("p220", () => false)).toBe(220);
    expect(await feed.seek("none", (posting) => posting.more_info?.["key"] === "p299")).toBeUndefined();
    expect(feed.count).toBe(300);
  });

  it("stops at a failure until it is tried again", async () => {
    const list = new List(120);
    const feed = new Feed(list.read);
    list.fails = true;
    feed.show(0, 5);
    await settled();
    feed.show(0, 5);
    await settled();
    expect([list.reads, feed.error]).toEqual([1, new Error("No answer.")]);
    list.fails = false;
    feed.retry();
    feed.show(0, 5);
    await settled();
    expect([feed.count, feed.error]).toEqual([PAGE_SIZE, undefined]);
  });

  it("passes over empty pages", async () => {
    const answers = [1, 0, 0, 2].map((count, at) => ({
      postings: Array.from({ length: count }, (_, index) => postingOf(`p${at}${index}`)),
      next_cursor: at === 3 ? null : `c${at}`,
      watermark: "7",
    }));
    const feed = new Feed((cursor) =>
      Promise.resolve(answers[cursor === undefined ? 0 : Number(cursor.slice(1)) + 1]!),
    );
    await readToEnd(feed);
    expect([feed.count, keyAt(feed, 2)]).toEqual([3, "p31"]);
  });

  it("takes out what was erased", async () => {
    const feed = new Feed(new List(60).read);
    await readToEnd(feed);
    feed.remove((posting) => posting.more_info?.["key"] === "p1");
    expect([feed.count, feed.total?.count, keyAt(feed, 1)]).toEqual([59, 59, "p2"]);
  });

  it("is canceled by a reader who no longer waits, and read when they ask again", async () => {
    const list = new List(120);
    const feed: Feed = new Feed((cursor, limit, signal) =>
      list.reads > 0
        ? list.read(cursor, limit)
        : new Promise((_, reject) => {
            list.reads += 1;
            signal.addEventListener("abort", () => reject(signal.reason as Error));
          }),
    );
    feed.show(0, 5);
    feed.cancel();
    await settled();
    feed.show(0, 5);
    await settled();
    expect([feed.isCanceled, feed.isBegun, feed.error, list.reads]).toEqual([true, false, undefined, 1]);
    feed.retry();
    feed.show(0, 5);
    await settled();
    expect([feed.isCanceled, feed.count]).toEqual([false, PAGE_SIZE]);
  });
});
