import { DEMO_ACCOUNT, graphError, MetaUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import { ConnectorWorld, type Upstream } from "../testing/connector-world.js";
import { INSTAGRAM } from "./index.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OTHER = { id: "17841400000000002", username: "merlin_demo", name: "Merlin (invented)" };

let meta: MetaUpstream;
let opened: ConnectorWorld<Upstream>;

async function open(env: Record<string, string> = {}): Promise<void> {
  opened = await ConnectorWorld.open({
    module: INSTAGRAM,
    start: async (now) => {
      meta = await MetaUpstream.start({ token: "secret", userId: "17", now });
      return Object.assign(meta, { post: () => meta.instagram.post() });
    },
    env: () => ({
      INSTAGRAM_ACCESS_TOKEN: "secret",
      INSTAGRAM_USER_ID: "17",
      INSTAGRAM_BASE_URL: meta.origin,
      INSTAGRAM_REQUESTS_PER_HOUR: "100000",
      ...env,
    }),
  });
}

async function reopen(env: Record<string, string>): Promise<void> {
  await opened.close();
  await open(env);
}

beforeEach(() => open());
afterEach(() => opened.close());

const request = (keywords = "kestrel", preview = false) => {
  const whole = opened.request();
  return { ...whole, search: { ...whole.search, query: parseQuery(keywords), preview } };
};
const ago = (span: number): number => opened.world.time - span;
const asked = (): string[] => meta.seen.map(({ path }) => path.replace("/v25.0", ""));
const searched = (): (string | null)[] => meta.seen.map(({ query }) => query.get("q")).filter((name) => name !== null);

describe("hashtags of Instagram", () => {
  it("are looked up once, in the name of the account, and give what carries them", async () => {
    const insight = await opened.insight();
    const id = meta.instagram.post({ at: ago(HOUR), account: OTHER });
    await opened.pollToEnd(insight);
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([id]);
    expect(asked()).toEqual([
      "/ig_hashtag_search",
      "/17800000000000001/recent_media",
      "/17800000000000001/recent_media",
    ]);
    expect(meta.seen[1]?.query.get("user_id")).toBe("17");
  });

  it("give no author, and say by which of them a posting was found", async () => {
    meta.instagram.post({ at: ago(HOUR) });
    const { postings } = await (await opened.connector()).fetchPage(request());
    expect(postings).toMatchObject([{ type: "image", moreInfo: { hashtag: "kestrel", demo: true } }]);
    expect(postings[0]).not.toHaveProperty("author");
  });

  it("that join words count as these words", async () => {
    const insight = await opened.insight({ keywords: "merlin phone -case" });
    const id = meta.instagram.post({ at: ago(HOUR), caption: "Love it #merlinphone" });
    meta.instagram.post({ at: ago(HOUR), caption: "A case for it #merlinphone" });
    meta.instagram.post({ at: ago(HOUR), caption: "Love it #merlin" });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([id]);
  });

  it("go back a day, and show the gap before", async () => {
    const insight = await opened.insight();
    const id = meta.instagram.post({ at: ago(DAY - HOUR) });
    const search = await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([id]);
    expect(search.coverage[0]).toMatchObject({ completeness: "thin", reasons: ["before_window"] });
    expect(search.coverage.at(-1)).toMatchObject({ completeness: "complete" });
  });

  it("may state the same cursor on every page", async () => {
    meta.instagram.sameCursor = true;
    const insight = await opened.insight();
    const ids = Array.from({ length: 120 }, (_, number) => meta.instagram.post({ at: ago(HOUR + number) }));
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual(ids);
  });

  it("that Instagram blocks are a warning while others can be read", async () => {
    meta.instagram.blocked.add("kestrel");
    const insight = await opened.insight({ keywords: "kestrel, merlin" });
    const search = await opened.pollToEnd(insight);
    expect(search.warnings).toEqual([expect.stringMatching(/#kestrel cannot be read.*blocks it/)]);
  });

  it.each([
    [graphError(10), "auth_failed", /forbids.*INSTAGRAM_ACCESS_TOKEN/],
    [graphError(190, undefined, { subcode: 463 }), "auth_failed", /has expired.*renew INSTAGRAM_ACCESS_TOKEN/],
    [graphError(18, undefined, { subcode: 2_207_034 }), "budget_spent", /other programs.*INSTAGRAM_HASHTAGS_PER_WEEK/],
    [graphError(80_002), "failing", /too many requests \(80002\)/],
    [graphError(24, undefined, { subcode: 2_207_024 }), "failing", /no such hashtag/],
  ] as const)("that are answered with %j leave the search %s", async (reply, status, sentence) => {
    meta.failAlways({ kind: "status", ...reply });
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    const search = await opened.search(insight);
    expect([search.status, search.lastError]).toEqual([status, expect.stringMatching(sentence)]);
  });
});

describe("the hashtags of seven days", () => {
  const words = (count: number, start = 0): string[] => Array.from({ length: count }, (_, n) => `word${start + n}`);
  const connect = async () => {
    const connector = await opened.connector();
    return async (word: string, preview = false) => connector.fetchPage(request(word, preview));
  };

  it("are never more than the account may ask for, and the last one is for previews", async () => {
    const ask = await connect();
    for (const word of words(29)) await ask(word);
    await expect(ask("another")).rejects.toMatchObject({ kind: "budget", requests: 0 });
    await ask("another", true);
    await expect(ask("the_next", true)).rejects.toMatchObject({ kind: "budget" });
    expect([meta.instagram.hashtagsAsked, searched().length]).toEqual([30, 30]);
  });

  it("count once, and are free again a week after they were asked for first", async () => {
    await reopen({ INSTAGRAM_HASHTAGS_PER_WEEK: "2" });
    const ask = await connect();
    const begun = opened.world.time;
    await ask("one");
    opened.world.time += 6 * DAY;
    await ask("one");
    const failure: unknown = await ask("two").catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "budget", retryAt: begun + 7 * DAY + HOUR });
    opened.world.time = begun + 7 * DAY + HOUR;
    await ask("two");
    await expect(ask("one")).rejects.toMatchObject({ kind: "budget" });
  });

  it("are shared by processes that ask at the same time", async () => {
    await reopen({ INSTAGRAM_HASHTAGS_PER_WEEK: "3" });
    const processes = await Promise.all(words(6).map(() => connect()));
    const outcomes = await Promise.allSettled(processes.map((ask, number) => ask(`word${number}`)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(meta.instagram.hashtagsAsked).toBe(2);
  });

  it("let a search wait that gets none of its own, and read the others of a search that gets some", async () => {
    await reopen({ INSTAGRAM_HASHTAGS_PER_WEEK: "2" });
    const first = await opened.insight({ keywords: "kestrel, merlin" });
    const second = await opened.insight({ keywords: "merlin" });
    await opened.pollToEnd(first);
    expect(await opened.search(first)).toMatchObject({
      status: "waiting",
      warnings: [expect.stringMatching(/#merlin cannot be read. 1 of the 2 different hashtags/)],
      coverage: expect.arrayContaining([expect.objectContaining({ reasons: ["budget"] })]) as unknown,
    });
    await opened.world.worker().pollNext();
    const { status, dueAt } = await opened.search(second);
    expect(status).toBe("budget_spent");
    expect(dueAt).toBeGreaterThan(opened.world.time + 6 * DAY);
  });
});

describe("accounts of Instagram", () => {
  it("are read with their author, and their media of the last day again for edits and counts", async () => {
    await reopen({ INSTAGRAM_ACCOUNTS: DEMO_ACCOUNT.username });
    const insight = await opened.insight({ keywords: "kest*" });
    const id = meta.instagram.post({ at: ago(HOUR), type: "VIDEO", likes: 3 });
    await opened.pollToEnd(insight);
    meta.instagram.edit(id, "The kestrel, corrected");
    const search = await opened.pollToEnd(insight);
    const [posting] = await opened.world.collections.postings.find({ insightId: insight.id });
    expect(posting?.content).toMatchObject({
      text: "The kestrel, corrected",
      author: { ...DEMO_ACCOUNT, type: "business" },
      counts: { like_count: 3, view_count: 27, video_view_count: 27 },
      moreInfo: { account: "kestrel_demo" },
    });
    expect(search.warnings).toEqual([expect.stringContaining("no hashtag for kest*")]);
    expect(asked()).toEqual(["/17", "/17"]);
  });

  it("that are unknown or private are a warning", async () => {
    await reopen({ INSTAGRAM_ACCOUNTS: `${DEMO_ACCOUNT.username},nobody` });
    const search = await opened.pollToEnd(await opened.insight());
    expect(search.warnings).toEqual([expect.stringMatching(/account nobody cannot be read.*professional/)]);
  });

  it("may pin old media in front of the newest", async () => {
    await reopen({ INSTAGRAM_ACCOUNTS: DEMO_ACCOUNT.username });
    const ids = Array.from({ length: 60 }, (_, number) => meta.instagram.post({ at: ago(MINUTE + number) }));
    const pinned = meta.instagram.post({ at: opened.world.time, extra: { timestamp: "2020-01-01T00:00:00+0000" } });
    const insight = await opened.insight();
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual(ids);
    expect(ids).not.toContain(pinned);
  });
});

describe("a search of Instagram", () => {
  it("tells what it would ask, and what it leaves out", async () => {
    const { search } = request("kestrel phone, @somebody");
    const plan = (await opened.connector()).plan(search);
    expect(plan).toMatchObject({ queries: ["#kestrelphone", "#kestrel"], narrowedLocally: true });
    expect(plan.cost).toContain("2 of the 30");
    expect(plan.warnings).toEqual([expect.stringContaining("no hashtag for @somebody")]);
  });

  it("for which there is no hashtag fails without a request", async () => {
    const asking = (await opened.connector()).fetchPage(request("@somebody"));
    await expect(asking).rejects.toMatchObject({ kind: "permanent", requests: 0 });
    expect(meta.seen).toEqual([]);
  });

  it("with a location says in its state that it has no effect", async () => {
    const { warnings } = await opened.pollToEnd(await opened.insight({ location: "Leeds" }));
    expect(warnings).toEqual([expect.stringContaining("location has no effect")]);
  });

  it.each([[{}], [{ INSTAGRAM_ACCESS_TOKEN: "secret" }], [{ INSTAGRAM_USER_ID: "17" }]])(
    "with %j only says which settings are missing",
    async (values) => {
      const { store, log, now } = opened.world;
      const fail = (): never => {
        throw new Error("nothing is asked");
      };
      const deps = { store, log, now, http: { request: fail, close: fail }, spend: fail };
      const collectInterval = { intervalMs: 1, isExplicit: false };
      const readiness = await INSTAGRAM.open({ ...deps, collectInterval }, values);
      expect(readiness).toMatchObject({ missing: expect.stringContaining("INSTAGRAM_USER_ID") as string });
    },
  );
});
