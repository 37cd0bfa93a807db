import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { YoutubeUpstream } from "./youtube.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let upstream: YoutubeUpstream;
let time: number;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  upstream = await YoutubeUpstream.start({ key: "secret", now: () => time });
});
afterEach(() => upstream.close());

type Item = Record<string, unknown> & { id: string; snippet: Record<string, unknown> };
interface Answer {
  items: Item[];
  nextPageToken?: string;
  error?: { code: number; errors: { reason: string }[] };
}

async function ask(method: string, params: Record<string, string>, key = "secret"): Promise<Answer> {
  const query = new URLSearchParams({ part: "snippet", ...params });
  const url = `${upstream.origin}/youtube/v3/${method}?${query.toString()}`;
  return (await (await fetch(url, { headers: { "X-Goog-Api-Key": key } })).json()) as Answer;
}

const search = (params: Record<string, string> = {}): Promise<Answer> =>
  ask("search", { type: "video", q: "kestrel", order: "date", ...params });
const reasonOf = async (answer: Promise<Answer>) => (await answer).error?.errors[0]?.reason;

describe("the fake of YouTube", () => {
  it("finds videos, newest first, page by page, with escaped titles and without counts", async () => {
    for (let number = 0; number < 7; number += 1) upstream.post({ at: time - HOUR, title: `Kestrel's ${number}` });
    const first = await search();
    const second = await search({ pageToken: first.nextPageToken ?? "" });
    expect([first.items.length, second.items.length, second.nextPageToken]).toEqual([5, 2, undefined]);
    expect(first.items[0]?.snippet["title"]).toBe("Kestrel&#39;s 6");
    expect(first.items[0]).not.toHaveProperty("statistics");
  });

  it("finds a video from when it is indexed, and within the times of publication that are asked for", async () => {
    upstream.post({ at: time - 2 * HOUR, indexedAt: time + HOUR });
    expect((await search()).items).toEqual([]);
    time += HOUR;
    expect((await search()).items).toHaveLength(1);
    expect((await search({ publishedAfter: "2026-11-22T10:30:00Z" })).items).toEqual([]);
    expect((await search({ publishedBefore: "2026-11-22T10:30:00Z" })).items).toHaveLength(1);
  });

  it.each([
    ["kestrel phone", true],
    ["kestrel tablet", false],
    ["tablet|phone", true],
    ["kestrel -phone", false],
    ['"phone kestrel"', false],
    ['"kestrel phone"|tablet', true],
  ])("reads the query %s", async (q, isFound) => {
    upstream.post({ title: "The Kestrel phone", description: "", tags: [] });
    expect((await search({ q })).items).toHaveLength(isFound ? 1 : 0);
  });

  it("states counts as texts, and leaves out what is hidden or deleted", async () => {
    const [open, closed, gone] = [
      upstream.post({ views: 12, likes: 3 }),
      upstream.post({ hasComments: false, likes: undefined }),
      upstream.post({ isDeleted: true }),
    ];
    upstream.comment({ videoId: open });
    const { items } = await ask("videos", { part: "snippet,statistics", id: [open, closed, gone].join(",") });
    expect(items).toMatchObject([
      { id: open, demo: true, statistics: { viewCount: "12", likeCount: "3", commentCount: "1" } },
      { id: closed },
    ]);
    expect(items[1]?.["statistics"]).not.toHaveProperty("likeCount");
    expect(items[1]?.["statistics"]).not.toHaveProperty("commentCount");
    expect((await search()).items).toHaveLength(3);
  });

  it("gives threads with five answers at most, and all of them for a thread", async () => {
    const videoId = upstream.post();
    const parentId = upstream.comment({ videoId });
    for (let number = 0; number < 7; number += 1) upstream.comment({ videoId, parentId });
    const { items } = await ask("commentThreads", { videoId, order: "time" });
    expect(items).toMatchObject([{ id: parentId, snippet: { totalReplyCount: 7 } }]);
    expect((items[0]?.["replies"] as { comments: unknown[] }).comments).toHaveLength(5);
    expect((await ask("comments", { parentId, maxResults: "100" })).items).toHaveLength(7);
  });

  it("says why there are no comments", async () => {
    const closed = upstream.post({ hasComments: false });
    expect(await reasonOf(ask("commentThreads", { videoId: closed }))).toBe("commentsDisabled");
    expect(await reasonOf(ask("commentThreads", { videoId: "other" }))).toBe("videoNotFound");
  });

  it("labels everything as invented", async () => {
    const videoId = upstream.post();
    upstream.comment({ videoId });
    expect((await search()).items[0]?.snippet["channelTitle"]).toContain("Invented");
    const [thread] = (await ask("commentThreads", { videoId })).items;
    expect(thread?.snippet["topLevelComment"]).toMatchObject({ demo: true });
  });

  it.each([
    ["too many results", { maxResults: "51" }, "invalidParameter"],
    ["a bad token", { pageToken: "*" }, "invalidPageToken"],
    ["a bad time", { publishedAfter: "yesterday" }, "invalidSearchFilter"],
    ["a place without a radius", { location: "53.8,-1.5" }, "invalidLocationRadius"],
    ["a radius without a place", { locationRadius: "5km" }, "invalidLocation"],
    ["an unknown parameter", { tweets: "all" }, "badRequest"],
  ])("refuses %s", async (_name, params, reason) => {
    expect(await reasonOf(search(params))).toBe(reason);
  });

  it("counts searches and units by days of California", async () => {
    [upstream.searches.limit, upstream.units.limit] = [1, 1];
    const id = upstream.post();
    await search();
    expect(await reasonOf(search())).toBe("quotaExceeded");
    await ask("videos", { id });
    expect(await reasonOf(ask("videos", { id }))).toBe("quotaExceeded");
    time = Date.UTC(2026, 10, 23, 8);
    expect((await search()).items).toHaveLength(1);
  });

  it("rejects another key, and none", async () => {
    expect(await ask("videos", { id: "1" }, "other")).toMatchObject({
      error: { code: 400, details: [{ reason: "API_KEY_INVALID" }] },
    });
  });
});
