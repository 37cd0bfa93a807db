import { describe, expect, it } from "vitest";
import type { SummaryBucket } from "../store/records.js";
import { ListCache } from "./buckets.js";
import { newLists } from "./tally.js";

const MINUTE_MS = 60_000;

const buckets = (...revisions: string[]) => revisions.map((revision) => ({ revision }) as SummaryBucket);

function listsOf(...topics: string[]) {
  const lists = newLists();
  for (const topic of topics) lists.topics.add(topic);
  return lists;
}

const topicsIn = (lists: ReturnType<ListCache["get"]>) => lists && [...lists.topics];

describe("cached lists", () => {
  it("are those of the same buckets in the same revisions only", () => {
    const cache = new ListCache(() => 0);
    cache.set("year", buckets("a", "b"), listsOf("hawk"));
    expect(topicsIn(cache.get("month", buckets("a", "b")))).toBeUndefined();
    expect(topicsIn(cache.get("year", buckets("a", "b")))).toEqual([["hawk", 1]]);
    for (const others of [buckets("a"), buckets("a", "c"), buckets("a", "b", "c"), []]) {
      cache.set("year", buckets("a", "b"), listsOf("hawk"));
      expect(cache.get("year", others)).toBeUndefined();
    }
  });

  it("do not change with those that were given or taken", () => {
    const cache = new ListCache(() => 0);
    const given = listsOf("hawk");
    cache.set("year", buckets("a"), given);
    given.topics.add("hawk");
    given.topics.add("crow");
    cache.get("year", buckets("a"))?.topics.add("wren");
    expect(topicsIn(cache.get("year", buckets("a")))).toEqual([["hawk", 1]]);
  });

  it("carry on what they have lost", () => {
    const cache = new ListCache(() => 0);
    const lists = listsOf("hawk");
    lists.topics.addLoss({ error: 2, dropped: 3 });
    cache.set("year", buckets("a"), lists);
    expect(cache.get("year", buckets("a"))?.topics).toMatchObject({ error: 2, dropped: 3 });
  });

  it("are dropped once nobody has asked for them for a while", () => {
    let now = 0;
    const cache = new ListCache(() => now);
    cache.set("year", buckets("a"), listsOf("hawk"));
    now = 8 * MINUTE_MS;
    expect(cache.get("year", buckets("a"))).toBeDefined();
    now = 16 * MINUTE_MS;
    expect(cache.get("year", buckets("a"))).toBeDefined();
    now = 27 * MINUTE_MS;
    expect(cache.get("year", buckets("a"))).toBeUndefined();
  });

  it("take limited memory: those that were asked for last stay", () => {
    const cache = new ListCache(() => 0);
    const large = listsOf(...Array.from({ length: 11 }, (_, index) => `${index}`.repeat(400_000)));
    for (const key of ["one", "two", "three"]) cache.set(key, buckets(key), large);
    cache.get("one", buckets("one"));
    cache.set("four", buckets("four"), large);
    const left = ["one", "two", "three", "four"].filter((key) => cache.get(key, buckets(key)) !== undefined);
    expect(left).toEqual(["one", "three", "four"]);
  });
});
