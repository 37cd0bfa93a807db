import { JetstreamUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import type { Page, PageRequest } from "../connector.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { blueskyModule } from "./index.js";
import { toPosting } from "./posting.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The fake is lively, so that silence decides nothing. */
const LIVELY = { connectMs: 1000, quietMs: 60_000 };

let opened: ConnectorWorld<JetstreamUpstream>;
const open = (quietMs: number) =>
  ConnectorWorld.open({
    module: blueskyModule({ ...LIVELY, quietMs }),
    start: (now) => JetstreamUpstream.start({ now }),
    env: ({ url }) => ({ BLUESKY_JETSTREAM_URL: url }),
  });

beforeEach(async () => {
  opened = await open(LIVELY.quietMs);
});
afterEach(() => opened.close());

const searchFor = (keywords: string, preview = false): Partial<PageRequest> => ({
  search: { ...opened.request().search, query: parseQuery(keywords), preview },
});
const textsOf = ({ postings }: Page): (string | undefined)[] => postings.map(({ text }) => text);

/** All pages of one poll. */
async function poll(values: Partial<PageRequest> = {}): Promise<Page> {
  const connector = await opened.connector();
  const pages: Page[] = [];
  for (let pageToken: Page["nextPage"] = null; ;) {
    const page = await connector.fetchPage(opened.request({ ...values, pageToken }));
    pages.push(page);
    if (page.nextPage === null) break;
    pageToken = page.nextPage;
  }
  const { cursor, gaps = [] } = pages.at(-1)!;
  const gone = pages.flatMap((page) => page.gone ?? []);
  return { ...pages[0]!, postings: pages.flatMap(({ postings }) => postings), gone, cursor, gaps, nextPage: null };
}

describe("the stream", () => {
  it("is asked for posts only, from some minutes before the first search on, and then from where it was read", async () => {
    opened.upstream.post({ at: opened.world.time - 16 * MINUTE, text: "an old kestrel" });
    opened.upstream.post({ at: opened.world.time - 14 * MINUTE, text: "a kestrel" });
    expect(textsOf(await poll())).toEqual(["a kestrel"]);
    opened.world.time += 5 * MINUTE;
    await poll();
    const [first, second] = opened.upstream.seen;
    expect(first?.query.get("wantedCollections")).toBe("app.bsky.feed.post");
    const [from, next] = [first, second].map((seen) => Number(seen?.query.get("cursor")) / 1000 - opened.world.time);
    expect([from, next]).toEqual([-20 * MINUTE - 2000, -5 * MINUTE - 2000]);
  });

  it("is read once for all searches, and not by each again", async () => {
    opened.upstream.post({ at: opened.world.time - MINUTE, text: "a kestrel and a merlin" });
    await poll(searchFor("kestrel"));
    await poll(searchFor("merlin"));
    opened.world.time += MINUTE;
    opened.upstream.post({ at: opened.world.time - 1, text: "kestrel, merlin" });
    const connections = opened.upstream.seen.length;
    expect(textsOf(await poll(searchFor("kestrel")))).toContain("kestrel, merlin");
    expect(textsOf(await poll(searchFor("merlin")))).toContain("kestrel, merlin");
    expect(opened.upstream.seen).toHaveLength(connections + 1);
  });

  it("is read again from before a search that is new, and gives out nothing twice for that", async () => {
    opened.upstream.post({ at: opened.world.time - 10 * MINUTE, text: "a kestrel and a merlin" });
    const { cursor } = await poll(searchFor("kestrel"));
    expect(textsOf(await poll(searchFor("merlin")))).toHaveLength(1);
    expect(textsOf(await poll({ ...searchFor("kestrel"), cursor }))).toEqual([]);
  });

  it("that is silent is read to its end", async () => {
    await opened.close();
    opened = await open(300);
    opened.upstream.isLively = false;
    opened.upstream.post({ at: opened.world.time - MINUTE });
    const page = await poll();
    expect([page.postings.length, page.gaps?.filter(({ reason }) => reason === "pending")]).toEqual([1, []]);
  });

  it("with frames that are no events is read on, and they are counted", async () => {
    opened.upstream.tell({ time_us: (opened.world.time - MINUTE) * 1000, kind: "commit", commit: { operation: "x" } });
    opened.upstream.post({ at: opened.world.time - MINUTE });
    expect(await poll()).toMatchObject({ skipped: 1, requests: 1 });
  });
});

describe("a post", () => {
  it("that is changed is given out again, as it is now", async () => {
    const address = opened.upstream.post({ at: opened.world.time - 2 * MINUTE, text: "a kestrel" });
    const { cursor } = await poll();
    opened.world.time += MINUTE;
    opened.upstream.edit(address, "two kestrels, no: a kestrel");
    expect(textsOf(await poll({ cursor }))).toEqual(["two kestrels, no: a kestrel"]);
  });

  it("that is deleted is named to the searches that had it, and to them only", async () => {
    const address = opened.upstream.post({ at: opened.world.time - 2 * MINUTE, text: "a kestrel" });
    const kestrel = await poll(searchFor("kestrel"));
    const merlin = await poll(searchFor("merlin"));
    opened.world.time += MINUTE;
    opened.upstream.remove(address);
    expect((await poll({ ...searchFor("kestrel"), cursor: kestrel.cursor })).gone).toEqual([address]);
    expect((await poll({ ...searchFor("merlin"), cursor: merlin.cursor })).gone).toEqual([]);
  });

  it("that is deleted before it was read is not given out", async () => {
    const address = opened.upstream.post({ at: opened.world.time - 2 * MINUTE, text: "a kestrel" });
    opened.upstream.remove(address, opened.world.time - MINUTE);
    expect((await poll()).postings).toEqual([]);
  });

  it("of an account that is deleted goes with it, of one that is unavailable for a time it stays", async () => {
    const gone = opened.upstream.post({ at: opened.world.time - 3 * MINUTE, did: "did:plc:gone" });
    opened.upstream.post({ at: opened.world.time - 3 * MINUTE, did: "did:plc:away" });
    const { cursor } = await poll();
    opened.world.time += MINUTE;
    opened.upstream.removeAccount("did:plc:gone");
    opened.upstream.removeAccount("did:plc:away", "deactivated");
    expect((await poll({ cursor })).gone).toEqual([gone]);
  });
});

describe("what is missing", () => {
  it("is what was posted before the search came", async () => {
    const since = opened.world.time - 24 * HOUR;
    expect((await poll({ since })).gaps).toEqual([
      { from: since, to: opened.world.time - 15 * MINUTE, reason: "before_window" },
    ]);
  });

  it("is what Jetstream no longer had after an absence", async () => {
    const { cursor } = await poll();
    const left = opened.world.time;
    opened.world.time += 60 * HOUR;
    opened.upstream.keptSince = opened.world.time - 24 * HOUR;
    opened.upstream.post({ at: opened.world.time - 24 * HOUR + MINUTE });
    const { gaps } = await poll({ cursor, since: left });
    expect(gaps).toContainEqual({
      from: left,
      to: opened.world.time - 24 * HOUR + MINUTE,
      reason: "before_window",
    });
  });
});

it("ends when it is aborted", async () => {
  opened.upstream.failAlways({ kind: "silent" });
  const connector = await opened.connector();
  const controller = new AbortController();
  const asked = connector.fetchPage(opened.request({ signal: controller.signal }));
  controller.abort(new Error("told to"));
  await expect(asked).rejects.toThrow("told to");
});

it("is mapped without what the record does not state", () => {
  const post = { kind: "post", did: "did:plc:a", rkey: "3k", time: 1_700_000_000_000_000, record: {} } as const;
  expect(toPosting(post)).toEqual({
    socialId: "at://did:plc:a/app.bsky.feed.post/3k",
    url: "https://bsky.app/profile/did:plc:a/post/3k",
    postedAt: 1_700_000_000_000,
    type: "post",
    author: { id: "did:plc:a", type: "user" },
    moreInfo: {},
  });
});
