import { youtubeProblem, YoutubeUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { YOUTUBE_COMMENTS } from "./index.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let opened: ConnectorWorld<YoutubeUpstream>;

async function open(kept = "title"): Promise<ConnectorWorld<YoutubeUpstream>> {
  opened = await ConnectorWorld.open({
    module: YOUTUBE_COMMENTS,
    start: (now) => YoutubeUpstream.start({ key: "secret", now }),
    env: ({ origin }) => ({
      YOUTUBE_API_KEY: "secret",
      YOUTUBE_BASE_URL: origin,
      YOUTUBE_SEARCHES_PER_DAY: "1000000",
      YOUTUBE_UNITS_PER_DAY: "1000000",
      YOUTUBE_COMMENTS_KEEP: kept,
    }),
  });
  return opened;
}

beforeEach(() => open());
afterEach(() => opened.close());

const asked = (method: string) =>
  opened.upstream.seen.filter(({ path }) => path.endsWith(`/${method}`)).map(({ query }) => Object.fromEntries(query));
const recently = () => opened.world.time - MINUTE;

/** Adds a video with so many comments; returns its id. */
function videoWith(comments: number, values: Parameters<YoutubeUpstream["post"]>[0] = {}): string {
  const videoId = opened.upstream.post({ at: recently(), ...values });
  for (let number = 0; number < comments; number += 1) opened.upstream.comment({ videoId, at: recently() });
  return videoId;
}

describe("a search of comments", () => {
  it("asks for the videos by their relevance, then for the comments of each, newest first", async () => {
    const ids = [videoWith(1), videoWith(2)];
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect(page.postings).toHaveLength(3);
    expect(page).toMatchObject({ requests: 4, nextPage: null });
    expect(asked("search")).toMatchObject([{ q: "kestrel", order: "relevance" }]);
    expect(asked("commentThreads").map(({ videoId }) => videoId)).toEqual(ids.toReversed());
    expect(asked("commentThreads")[0]).toMatchObject({ order: "time", textFormat: "plainText", maxResults: "100" });
  });

  it("asks for new videos in every other poll", async () => {
    const insight = await opened.insight();
    for (let poll = 0; poll < 3; poll += 1) await opened.pollToEnd(insight);
    expect(asked("search").map(({ order }) => order)).toEqual(["relevance", "date", "relevance"]);
  });

  it("reads the answers that do not stand in a thread", async () => {
    const insight = await opened.insight();
    const videoId = videoWith(0);
    const parentId = opened.upstream.comment({ videoId, at: recently() });
    for (let number = 0; number < 7; number += 1) opened.upstream.comment({ videoId, parentId, at: recently() });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(8);
    expect(asked("comments")).toMatchObject([{ parentId }]);
  });

  it("asks again only for comments of videos that have more of them", async () => {
    const insight = await opened.insight();
    const [quiet, busy] = [videoWith(1), videoWith(1)];
    await opened.pollToEnd(insight);
    opened.upstream.comment({ videoId: busy });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(3);
    expect(asked("commentThreads").map(({ videoId }) => videoId)).toEqual([busy, quiet, busy]);
  });

  it("follows a video that the search no longer finds", async () => {
    const insight = await opened.insight();
    const videoId = videoWith(1);
    await opened.pollToEnd(insight);
    opened.upstream.videos.edit(videoId, (video) => ({ ...video, indexedAt: Infinity }));
    opened.upstream.comment({ videoId });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(2);
  });

  it("does not ask for comments of a video that has none", async () => {
    videoWith(0);
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect(page).toMatchObject({ postings: [], requests: 2, nextPage: null });
  });

  it("never again asks for comments that are disabled", async () => {
    const insight = await opened.insight();
    videoWith(1, { hasComments: false });
    await opened.pollToEnd(insight);
    const { lastError, status } = await opened.pollToEnd(insight);
    expect([lastError, status]).toEqual([null, "waiting"]);
    expect(asked("commentThreads")).toHaveLength(1);
  });

  it("leaves out a deleted video, and reads the others", async () => {
    const insight = await opened.insight();
    const gone = videoWith(1);
    videoWith(1);
    await opened.pollToEnd(insight);
    opened.upstream.videos.edit(gone, (video) => ({ ...video, isDeleted: true }));
    videoWith(1);
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(3);
  });

  it("reads a week of a video that it finds, and no older comments", async () => {
    const videoId = videoWith(0);
    const id = opened.upstream.comment({ videoId, at: opened.world.time - 6 * DAY });
    opened.upstream.comment({ videoId, at: opened.world.time - 8 * DAY });
    const { postings } = await (await opened.connector()).fetchPage(opened.request());
    expect(postings.map(({ socialId }) => socialId)).toEqual([id]);
  });

  it("stops at a page of comments that are older than wanted", async () => {
    const videoId = videoWith(0);
    for (let number = 0; number < 150; number += 1) {
      opened.upstream.comment({ videoId, at: opened.world.time - 8 * DAY - number });
    }
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect([page.postings.length, page.nextPage]).toEqual([0, null]);
  });

  it("reads an edited comment as the same posting", async () => {
    const insight = await opened.insight();
    const videoId = videoWith(0);
    const id = opened.upstream.comment({ videoId, at: recently() });
    await opened.pollToEnd(insight);
    opened.upstream.comments.edit(id, (comment) => ({ ...comment, text: "Corrected", editedAt: opened.world.time }));
    opened.upstream.comment({ videoId });
    await opened.pollToEnd(insight);
    const found = await opened.world.collections.postings.find({ socialId: id });
    expect(found).toMatchObject([{ content: { text: "Corrected" } }]);
  });

  it("asks one query after the other, one on each page", async () => {
    const insight = await opened.insight({ keywords: "kestrel phone, peregrine tablet" });
    videoWith(1);
    videoWith(1, { title: "Peregrine tablet" });
    await opened.pollToEnd(insight);
    expect(asked("search").map(({ q }) => q)).toEqual(["kestrel phone", "peregrine tablet"]);
    expect(await opened.stored(insight)).toHaveLength(2);
  });

  it("marks what a fake invented", async () => {
    videoWith(1);
    const { postings } = await (await opened.connector()).fetchPage(opened.request());
    expect(postings[0]?.moreInfo).toMatchObject({ demo: true });
  });

  it("tells what it would ask, and what it leaves out", async () => {
    const search = { ...opened.request().search, query: parseQuery("kestrel, kes*") };
    const plan = (await opened.connector()).plan(search);
    expect(plan).toMatchObject({ queries: ["kestrel"], cost: expect.stringContaining("1000000 searches") as string });
    expect(plan.warnings).toEqual([expect.stringContaining("kes*")]);
  });

  it("with a location asks for videos that were recorded there", async () => {
    const { warnings } = await opened.pollToEnd(await opened.insight({ location: "Leeds, UK" }));
    expect(asked("search")).toMatchObject([{ locationRadius: "40km" }]);
    expect(warnings).toEqual([expect.stringContaining("few do")]);
  });

  it("that YouTube cannot be asked fails without a request", async () => {
    const search = { ...opened.request().search, query: parseQuery("kes*") };
    const asking = (await opened.connector()).fetchPage(opened.request({ search }));
    await expect(asking).rejects.toMatchObject({ kind: "permanent", requests: 0 });
    expect(opened.upstream.seen).toEqual([]);
  });
});

describe("comments that are kept", () => {
  const TEXTS = { title: "Unboxing", description: "The Kestrel phone", tags: [] };

  it.each([
    ["title", { title: "Kestrel" }, 2],
    ["title", TEXTS, 1],
    ["all", TEXTS, 2],
    ["matching", { title: "Kestrel" }, 1],
  ])("with YOUTUBE_COMMENTS_KEEP=%s on a video %j are %i of 2", async (kept, values, count) => {
    await opened.close();
    const world = await open(kept);
    const insight = await world.insight();
    const videoId = videoWith(0, values);
    world.upstream.comment({ videoId, text: "Nice", at: recently() });
    world.upstream.comment({ videoId, text: "Nice kestrel", at: recently() });
    await world.pollToEnd(insight);
    expect(await world.stored(insight)).toHaveLength(count);
  });
});

describe("a failure between the requests of a page", () => {
  const unchanged = { kind: "changed", change: (body: unknown) => body } as const;

  it("repeats neither the search nor what was read", async () => {
    const insight = await opened.insight();
    videoWith(1);
    videoWith(1);
    opened.upstream.failNext(unchanged, unchanged, unchanged, { kind: "status", status: 503 });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(2);
    expect(asked("search")).toHaveLength(1);
    expect(asked("commentThreads")).toHaveLength(3);
  });

  it.each([
    [500, "video", 1],
    [400, "video", 1],
    [500, "parent", 2],
  ])(
    "with status %i that one %s always meets ends neither the poll nor the reading of others",
    async (status, of, count) => {
      const insight = await opened.insight();
      const bad = videoWith(0);
      const parentId = opened.upstream.comment({ videoId: bad, at: recently() });
      for (let number = 0; number < 7; number += 1) opened.upstream.comment({ videoId: bad, parentId, at: recently() });
      videoWith(1);
      const failing = of === "video" ? `videoId=${bad}` : `parentId=${parentId}`;
      const connector = await opened.connector({
        request: (url, request) => {
          if (url.includes(failing)) opened.upstream.failNext({ kind: "status", status });
          return opened.http.request(url, request);
        },
      });
      opened.world.platforms.set("youtube-comments", { connector });
      for (let turn = 0; turn < 20 && (await opened.search(insight)).lastSuccessAt === null; turn += 1) {
        await opened.world.worker().pollNext();
        opened.world.time = Math.max(opened.world.time, (await opened.search(insight)).dueAt ?? 0);
      }
      const search = await opened.search(insight);
      expect(search).toMatchObject({ poll: null });
      expect(search.lastSuccessAt).not.toBeNull();
      expect(JSON.stringify(search.warnings)).toContain("could not be read");
      expect((await opened.stored(insight)).length).toBeGreaterThanOrEqual(count);
    },
  );

  it("for want of quota keeps what was read, and continues at midnight in California", async () => {
    const insight = await opened.insight();
    videoWith(1);
    videoWith(1);
    opened.upstream.failNext(unchanged, unchanged, unchanged);
    const { status, body } = youtubeProblem(403, "quotaExceeded");
    const spent = { kind: "status", status: status ?? 0, body } as const;
    opened.upstream.failNext(spent, spent);
    await opened.world.worker().pollNext();
    expect(await opened.stored(insight)).toHaveLength(1);
    const search = await opened.search(insight);
    expect(search.status).toBe("budget_spent");
    expect(search.dueAt).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 23, 8));
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(2);
  });
});

it("spends from the budgets that both platforms of YouTube share", async () => {
  videoWith(1);
  await (await opened.connector()).fetchPage(opened.request());
  const { store } = opened.world;
  const spent = (name: string) => store.spend({ name, window: "2026-11-22", limit: 1_000_000 }, 0);
  expect([await spent("youtube.searches"), await spent("youtube.units")]).toEqual([1, 2]);
});
