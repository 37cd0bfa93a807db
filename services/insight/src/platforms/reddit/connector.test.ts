import { redditProblem, RedditUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import type { PlatformSearch } from "../connector.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { REDDIT } from "./index.js";
import { CREDENTIALS, environment, USER_AGENT } from "./testing/environment.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let opened: ConnectorWorld<RedditUpstream>;

async function open(settings: Record<string, string> = {}): Promise<void> {
  opened = await ConnectorWorld.open({
    module: REDDIT,
    start: (now) => RedditUpstream.start({ ...CREDENTIALS, now }),
    // An empty variable counts as unset.
    env: (upstream) =>
      Object.fromEntries(Object.entries({ ...environment(upstream), ...settings }).filter(([, value]) => value !== "")),
  });
}

/** Opens the platform again with other settings. */
async function reopen(settings: Record<string, string>): Promise<void> {
  await opened.close();
  await open(settings);
}

beforeEach(() => open());
afterEach(() => opened.close());

const search = (keywords: string, values: Partial<PlatformSearch> = {}): PlatformSearch => ({
  ...opened.request().search,
  query: parseQuery(keywords),
  ...values,
});
const following = (...subreddits: string[]) => ({ feeds: [], subreddits, pages: [], organisations: [] });
const paths = () => opened.upstream.seen.map(({ path }) => path);
const queries = () => opened.upstream.seen.map(({ query }) => Object.fromEntries(query));
const fetchPage = async (values: Parameters<typeof opened.request>[0] = {}) =>
  (await opened.connector()).fetchPage(opened.request(values));

describe("a search of Reddit", () => {
  it("asks for the newest submissions, as they were written, under its own name", async () => {
    await fetchPage();
    expect(queries()).toEqual([
      { q: "kestrel", sort: "new", type: "link", include_over_18: "on", limit: "100", raw_json: "1" },
    ]);
    expect(opened.upstream.seen[0]?.headers).toMatchObject({
      authorization: "Bearer demo-token-1",
      "user-agent": USER_AGENT,
    });
  });

  it("reads back to where the last poll ended, and no further", async () => {
    const insight = await opened.insight();
    for (let number = 0; number < 250; number += 1)
      opened.upstream.post({ at: opened.world.time - DAY + number * MINUTE });
    await opened.pollToEnd(insight);
    const before = paths().length;
    opened.world.time += 10 * MINUTE;
    opened.post(2);
    await opened.pollToEnd(insight);
    expect(paths().length - before).toBe(1);
    expect(await opened.stored(insight)).toHaveLength(252);
  });

  it("says what it may have missed if Reddit lists no more", async () => {
    opened.upstream.ends.search = 250;
    const first = opened.world.time - HOUR;
    for (let number = 0; number < 300; number += 1) opened.upstream.post({ at: first + number * 1000 });
    const insight = await opened.insight();
    const { coverage } = await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(250);
    expect(coverage[0]).toMatchObject({ completeness: "thin", reasons: ["page_limit"], to: first + 50_000 });
  });

  it("updates an edited submission", async () => {
    const insight = await opened.insight();
    const [id = ""] = opened.post(1);
    await opened.pollToEnd(insight);
    opened.upstream.edit(id, "A kestrel, corrected");
    await opened.pollToEnd(insight);
    const [posting] = await opened.world.collections.postings.find({ socialId: id });
    expect(posting?.content.text).toMatch(/A kestrel, corrected$/);
  });

  it("stores nothing of what was deleted or removed", async () => {
    opened.upstream.post({ at: opened.world.time - MINUTE, extra: { selftext: "[removed]" } });
    const { postings, skipped } = await fetchPage();
    expect([postings, skipped]).toEqual([[], 0]);
  });

  it("marks what a fake invented", async () => {
    opened.post(1);
    expect((await fetchPage()).postings[0]?.moreInfo).toMatchObject({ demo: true });
  });

  it("asks one query after the other if one cannot say all", async () => {
    const words = Array.from({ length: 10 }, (_, i) => `${"東京地震速報".repeat(6)}${i}`);
    const insight = await opened.insight({ keywords: words.join(", ") });
    for (const title of words) opened.upstream.post({ title, at: opened.world.time - MINUTE });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(10);
    expect(paths().length).toBeGreaterThan(1);
  });

  it("tells what it would ask, and what it leaves out", async () => {
    const plan = (await opened.connector()).plan(search("kestrel, kes*", { follow: following("b", "A") }));
    expect(plan).toMatchObject({
      queries: ["kestrel", "r/a+b/new"],
      narrowedLocally: true,
      cost: expect.stringContaining("100 a minute") as string,
      warnings: [expect.stringMatching(/kes\*.*followed subreddits only/), expect.stringMatching(/REDDIT_COMMENTS/)],
    });
  });

  it("with a location says in its state that it has no effect", async () => {
    const { warnings } = await opened.pollToEnd(await opened.insight({ location: "Leeds" }));
    expect(warnings).toEqual([expect.stringContaining("location has no effect")]);
  });

  it("that Reddit cannot be asked fails without a request", async () => {
    await expect(fetchPage({ search: search("kes*") })).rejects.toMatchObject({ kind: "permanent", requests: 0 });
    expect(paths()).toEqual([]);
  });
});

describe("a followed subreddit", () => {
  it("gives what Reddit's search does not find, and not what the query does not mean", async () => {
    const insight = await opened.insight({ keywords: "kes*", follow: following("demo_phones") });
    const at = opened.world.time - MINUTE;
    const id = opened.upstream.post({ at, subreddit: "Demo_Phones", title: "Kestrels" });
    opened.upstream.post({ at, subreddit: "demo_phones", title: "A tablet", text: "" });
    opened.upstream.post({ at, subreddit: "elsewhere", title: "Kestrels" });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([id]);
    expect(paths()).toEqual(["/r/demo_phones/new"]);
  });

  it("of the server is read for all searches, with its comments if the operator wants them", async () => {
    await reopen({ REDDIT_SUBREDDITS: "r/demo_phones", REDDIT_COMMENTS: "true" });
    const insight = await opened.insight({ follow: following("DEMO_phones", "other") });
    const at = opened.world.time - MINUTE;
    const id = opened.upstream.post({ kind: "t1", at, subreddit: "demo_phones", text: "A kestrel" });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([id]);
    expect(paths()).toEqual(["/search", "/r/demo_phones+other/new", "/r/demo_phones+other/comments"]);
  });

  it.each([
    ["new to a search is read some days back", [], true],
    ["known is read to where the last poll ended", ["submissions demo_phones"], false],
  ])("that is %s", async (_, known, goesOn) => {
    const { time } = opened.world;
    for (let number = 0; number < 150; number += 1) {
      opened.upstream.post({ at: time - number * HOUR, subreddit: "demo_phones" });
    }
    const newest = Object.fromEntries(known.map((key) => [key, time]));
    const pageToken = { todo: [{ kind: "submissions", of: "demo_phones" }], after: null, read: 0, newest };
    const page = await fetchPage({ cursor: { newest }, pageToken, since: time - HOUR });
    expect(page.nextPage !== null).toBe(goesOn);
  });

  it.each(["private", "banned", "missing"] as const)("that is %s does not keep others from being read", async (why) => {
    const insight = await opened.insight({ follow: following("demo_gone", "demo_phones") });
    opened.upstream.closed.set("demo_gone", why);
    const [id = ""] = opened.post(1);
    const refused = redditProblem(why === "private" ? 403 : 404);
    const passed = { kind: "changed", change: (body: unknown) => body } as const;
    opened.upstream.failNext(passed, { kind: "status", ...refused, status: refused.status ?? 0 });
    const { status, warnings } = await opened.pollToEnd(insight);
    expect(status).toBe("waiting");
    expect(warnings).toContainEqual(expect.stringMatching(/r\/demo_gone cannot be read/));
    const asked = paths().filter((path) => path !== "/subreddits/search");
    expect(asked).toEqual(["/search", "/r/demo_gone+demo_phones/new", "/r/demo_gone/new", "/r/demo_phones/new"]);
    expect(await opened.stored(insight)).toEqual([id]);
  });
});

describe("the token of the app", () => {
  it("is asked for once and serves all requests, until shortly before it expires", async () => {
    const connector = await opened.connector();
    await connector.fetchPage(opened.request());
    await connector.fetchPage(opened.request());
    expect(opened.upstream.tokens.given).toBe(1);
    expect(opened.upstream.tokenServer.seen[0]).toMatchObject({
      method: "POST",
      body: "grant_type=client_credentials",
      headers: { "user-agent": USER_AGENT },
    });
    opened.world.time += HOUR;
    await connector.fetchPage(opened.request());
    expect(opened.upstream.tokens.given).toBe(2);
  });

  it("that Reddit has ended early is renewed once", async () => {
    const connector = await opened.connector();
    await connector.fetchPage(opened.request());
    opened.upstream.tokens.expireAll();
    opened.post(1);
    const page = await connector.fetchPage(opened.request());
    expect([page.postings.length, page.requests, opened.upstream.tokens.given]).toEqual([1, 2, 2]);
  });

  it("that is not renewed says what to do, and the search continues once it is", async () => {
    const insight = await opened.insight();
    await opened.pollToEnd(insight);
    opened.upstream.tokens.expireAll();
    opened.upstream.tokens.isRevoked = true;
    await opened.world.worker().pollNext();
    const { status, lastError } = await opened.search(insight);
    expect([status, lastError]).toEqual(["auth_failed", expect.stringMatching(/rejects.*REDDIT_CLIENT_SECRET/)]);
    opened.upstream.tokens.isRevoked = false;
    const ids = opened.post(1);
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual(ids);
  });

  it.each([
    ["auth", /no token \(invalid_grant\)/, { kind: "status", status: 400, body: { error: "invalid_grant" } }],
    ["auth", /no token \(unsupported/, { kind: "status", status: 200, body: { error: "unsupported_grant_type" } }],
    ["auth", /forbids/, { kind: "status", status: 403, body: "<html></html>" }],
    ["auth", /sign-in/, { kind: "sign-in-page" }],
    ["rate", /too many/, { kind: "status", status: 429 }],
    ["temporary", /503/, { kind: "status", status: 503 }],
    ["temporary", /without a token/, { kind: "status", status: 200, body: { access_token: 7 } }],
    ["temporary", /web page/, { kind: "web-page" }],
  ] as const)("that cannot be had fails as %s: %s", async (kind, message, fault) => {
    opened.upstream.tokenServer.failNext(fault);
    const connector = await opened.connector();
    await expect(connector.fetchPage(opened.request())).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message) as string,
    });
    await connector.fetchPage(opened.request());
  });
});

describe("Reddit's limit of requests", () => {
  it("that is used up stops all searches of this process until it is reset, without a request", async () => {
    opened.upstream.window.limit = 1;
    const connector = await opened.connector();
    const page = await connector.fetchPage(opened.request());
    expect(page.notBefore).toBe(opened.world.time + 10 * MINUTE);
    await expect(connector.fetchPage(opened.request())).rejects.toMatchObject({
      kind: "budget",
      retryAt: page.notBefore,
      requests: 0,
    });
    expect(paths()).toHaveLength(1);
    opened.world.time += 10 * MINUTE;
    await connector.fetchPage(opened.request());
  });

  it("that others have used up is obeyed", async () => {
    opened.upstream.window.limit = 1;
    await fetchPage();
    await expect(fetchPage()).rejects.toMatchObject({ kind: "rate", retryAt: opened.world.time + 10 * MINUTE });
  });

  it("may be left unsaid", async () => {
    opened.upstream.statesWindow = false;
    expect(await fetchPage()).not.toHaveProperty("notBefore");
  });

  it("of this server is spent before a request, by all processes, and lets a preview go first", async () => {
    await reopen({ REDDIT_REQUESTS_PER_MINUTE: "10" });
    for (let process = 0; process < 4; process += 1) await fetchPage();
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    const { status, dueAt, lastError } = await opened.search(insight);
    expect([status, lastError]).toEqual(["budget_spent", expect.stringContaining("reddit.requests")]);
    expect(dueAt).toBeGreaterThan(opened.world.time);
    expect(paths()).toHaveLength(4);
  });
});

it.each(["REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"])("without %s says which settings are missing", async (name) => {
  const { store, log, now } = opened.world;
  const deps = { store, log, now, http: { request: fail, close: fail }, spend: fail };
  const values = {
    ...environment(opened.upstream),
    [name]: undefined,
    REDDIT_SUBREDDITS: [],
    REDDIT_COMMENTS: false,
  };
  const readiness = await REDDIT.open({ ...deps, collectInterval: { intervalMs: 1, isExplicit: false } }, values);
  expect(readiness).toMatchObject({ missing: expect.stringContaining(name) as string });
});

it("without REDDIT_USER_AGENT names itself in Reddit's form, by the id of its app", async () => {
  await reopen({ REDDIT_USER_AGENT: "" });
  await fetchPage();
  const agents = opened.upstream.seen.map(({ headers }) => headers["user-agent"]);
  expect(new Set(agents)).toEqual(new Set([`server:${CREDENTIALS.clientId}:1.0 (by /u/${CREDENTIALS.clientId})`]));
});

function fail(): never {
  throw new Error("nothing is asked");
}
