import { GdeltUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connector, Page, PageRequest } from "../../connector.js";
import { ConnectorWorld } from "../../testing/connector-world.js";
import { NEWS } from "../index.js";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const HOURS_KEPT = 6;

let tested: ConnectorWorld<GdeltUpstream>;
let streams = "english";
const open = async () => {
  tested = await ConnectorWorld.open({
    module: NEWS,
    start: (now) => GdeltUpstream.start({ now }),
    env: ({ origin }) => ({
      NEWS_FEEDS: "none",
      NEWS_GDELT: streams,
      NEWS_GDELT_HOURS: String(HOURS_KEPT),
      NEWS_GDELT_BASE_URL: origin,
    }),
  });
};
beforeEach(open);
afterEach(async () => {
  streams = "english";
  await tested.close();
});

/** The pages of one poll. */
async function poll(connector: Connector, values: Partial<PageRequest> = {}): Promise<Page[]> {
  const pages: Page[] = [];
  let page = await connector.fetchPage(tested.request(values));
  for (pages.push(page); page.nextPage !== null; pages.push(page)) {
    page = await connector.fetchPage(tested.request({ ...values, pageToken: page.nextPage }));
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ postings }) => postings.map(({ socialId }) => socialId));
const gapsOf = (pages: readonly Page[]) => pages.flatMap(({ gaps = [] }) => gaps);
const filesAsked = () => tested.upstream.seen.filter(({ path }) => path.endsWith(".zip")).map(({ path }) => path);
/** Posts an article in the file of that many quarters of an hour ago. */
const postAgo = (quarters: number) => tested.upstream.post({ at: tested.world.time - quarters * QUARTER });

describe("GDELT's files", () => {
  it("are fetched once for all searches and processes", async () => {
    const ids = [postAgo(0), postAgo(1), postAgo(2)];
    const [first, second] = [await tested.connector(), await tested.connector()];
    expect(idsOf(await poll(first))).toEqual(ids);
    expect(idsOf(await poll(second))).toEqual(ids);
    expect(filesAsked()).toHaveLength(3);
  });

  it("are read on from where a search stands", async () => {
    postAgo(0);
    const connector = await tested.connector();
    const cursor = (await poll(connector)).at(-1)!.cursor;
    tested.world.time += QUARTER;
    const next = postAgo(0);
    expect(idsOf(await poll(connector, { cursor }))).toEqual([next]);
    expect(idsOf(await poll(connector, { cursor: (await poll(connector, { cursor })).at(-1)!.cursor }))).toEqual([]);
  });

  it("are asked for every five minutes at most", async () => {
    const connector = await tested.connector();
    await poll(connector);
    const asked = tested.upstream.seen.length;
    tested.world.time += 4 * MINUTE;
    await poll(connector);
    expect(tested.upstream.seen.length).toBe(asked);
  });

  it("of articles that GDELT has translated are read if they are wanted", async () => {
    await tested.close();
    streams = "all";
    await open();
    const english = postAgo(0);
    const french = tested.upstream.post({ at: tested.world.time, translatedFrom: "fra" });
    const pages = await poll(await tested.connector());
    expect(new Set(idsOf(pages))).toEqual(new Set([english, french]));
    expect(pages.flatMap(({ postings }) => postings.map(({ language }) => language)).sort()).toEqual(["en", "fr"]);
  });

  it("are looked for as far back as they are kept, and what is older is a gap", async () => {
    postAgo(4 * (HOURS_KEPT + 1));
    const kept = postAgo(4);
    const since = tested.world.time - 24 * HOUR;
    const pages = await poll(await tested.connector(), { since });
    expect(idsOf(pages)).toEqual([kept]);
    expect(gapsOf(pages)).toEqual([
      { from: since, to: tested.world.time - HOURS_KEPT * HOUR, reason: "before_window" },
    ]);
  });

  it("that are deleted before a search has read them are a gap", async () => {
    const connector = await tested.connector();
    const cursor = (await poll(connector)).at(-1)!.cursor;
    tested.world.time += QUARTER;
    postAgo(0);
    await poll(connector);
    tested.world.time += 7 * HOUR;
    await poll(connector);
    const since = tested.world.time - 8 * HOUR;
    const pages = await poll(connector, { cursor, since });
    expect(gapsOf(pages)).toContainEqual({
      from: since,
      to: tested.world.time - 7 * HOUR,
      reason: "before_window",
    });
  });
});

describe("a file of GDELT", () => {
  it.each([
    ["is missing", { kind: "missing" as const }],
    ["has another checksum than is listed", { kind: "other-checksum" as const }],
    ["was cut", { kind: "truncated" as const }],
    ["is no archive", { kind: "replaced" as const, bytes: Buffer.from("<html></html>") }],
  ])("that %s is tried three times, does not stop the others, and is a gap then", async (_what, defect) => {
    const good = postAgo(2);
    postAgo(1);
    const at = tested.world.time - QUARTER;
    tested.upstream.defects.set(at, defect);
    const connector = await tested.connector();
    const first = await poll(connector);
    expect(idsOf(first)).toEqual([good]);
    expect(gapsOf(first)).toContainEqual(expect.objectContaining({ to: at, reason: "outage" }));
    for (let more = 0; more < 4; more += 1) {
      tested.world.time += 5 * MINUTE;
      await poll(connector);
    }
    const [name] = filesAsked().filter((path) => path.includes("114500"));
    expect(filesAsked().filter((path) => path === name)).toHaveLength(3);
    const last = await poll(connector, { since: at - HOUR });
    expect(gapsOf(last)).toContainEqual({ from: at - QUARTER, to: at, reason: "page_limit" });
  });

  it("that is repaired is read after all", async () => {
    const id = postAgo(1);
    const at = tested.world.time - QUARTER;
    tested.upstream.defects.set(at, { kind: "truncated" });
    const connector = await tested.connector();
    const cursor = (await poll(connector)).at(-1)!.cursor;
    tested.upstream.defects.clear();
    tested.world.time += 5 * MINUTE;
    const pages = await poll(connector, { cursor });
    expect([idsOf(pages), gapsOf(pages)]).toEqual([[id], []]);
  });

  it("with rows that cannot be read gives the others, and counts them", async () => {
    const [bad, good] = [postAgo(0), postAgo(0)];
    tested.upstream.changedColumns.set(bad, { 4: "no address" });
    const pages = await poll(await tested.connector());
    expect([idsOf(pages), pages[0]?.skipped]).toEqual([[good], 1]);
  });
});

describe("GDELT's lists", () => {
  it("without the list of all files give the newest file, and a gap before it", async () => {
    tested.upstream.givesRanges = false;
    postAgo(3);
    const newest = postAgo(0);
    const pages = await poll(await tested.connector(), { since: tested.world.time - HOUR });
    expect(idsOf(pages)).toEqual([newest]);
    expect(gapsOf(pages)).toContainEqual({
      from: tested.world.time - HOUR,
      to: tested.world.time - QUARTER,
      reason: "page_limit",
    });
  });

  it("are asked for in part only", async () => {
    postAgo(0);
    await poll(await tested.connector());
    const [request] = tested.upstream.seen.filter(({ path }) => path.endsWith("masterfilelist.txt"));
    expect(request?.headers.range).toMatch(/^bytes=-\d{4,5}$/);
  });

  it("that fail later are a warning and a gap, and what is stored is read", async () => {
    const id = postAgo(0);
    const connector = await tested.connector();
    await poll(connector);
    tested.world.time += 5 * MINUTE;
    tested.upstream.failAlways({ kind: "status", status: 503 });
    const pages = await poll(connector);
    expect(idsOf(pages)).toEqual([id]);
    expect(pages[0]?.warnings).toEqual(["GDELT is failing (503). It will be retried."]);
    expect(gapsOf(pages)).toContainEqual(expect.objectContaining({ to: tested.world.time, reason: "outage" }));
  });
});
