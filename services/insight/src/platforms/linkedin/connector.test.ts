import { DEMO_ORGANIZATION, LinkedinUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectorWorld } from "../testing/connector-world.js";
import { LINKEDIN } from "./index.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OTHER = "7000001";
const RENEWAL = {
  LINKEDIN_ACCESS_TOKEN: "",
  LINKEDIN_REFRESH_TOKEN: "refresh",
  LINKEDIN_CLIENT_ID: "client",
  LINKEDIN_CLIENT_SECRET: "secret",
};

let opened: ConnectorWorld<LinkedinUpstream>;

async function open(env: Record<string, string> = {}): Promise<void> {
  opened = await ConnectorWorld.open({
    module: LINKEDIN,
    start: (now) =>
      LinkedinUpstream.start({
        token: "token",
        refreshToken: "refresh",
        clientId: "client",
        clientSecret: "secret",
        now,
      }),
    env: ({ origin }) => {
      const all = {
        LINKEDIN_ACCESS_TOKEN: "token",
        LINKEDIN_ORGANIZATIONS: DEMO_ORGANIZATION.id,
        LINKEDIN_BASE_URL: origin,
        LINKEDIN_SIGN_IN_URL: origin,
        ...env,
      };
      return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
    },
  });
}

async function reopen(env: Record<string, string>): Promise<void> {
  await opened.close();
  await open(env);
}

beforeEach(() => open());
afterEach(() => opened.close());

const following = (...organizations: string[]) => ({
  follow: { feeds: [], subreddits: [], pages: [], organisations: organizations },
});
const request = (...organizations: string[]) => {
  const whole = opened.request();
  return { ...whole, search: { ...whole.search, ...following(...organizations) } };
};
const paths = () => opened.upstream.seen.map(({ path }) => path);
const ago = (span: number): number => opened.world.time - span;

async function stateAfter(...organizations: string[]) {
  const insight = await opened.insight(following(...organizations));
  await opened.world.worker().pollNext();
  return opened.search(insight);
}

describe("organizations of LinkedIn", () => {
  it("are asked with a version and a token, by URNs in the encoding of Rest.li", async () => {
    await (await opened.connector()).fetchPage(request());
    const [seen] = opened.upstream.seen;
    expect(seen?.headers).toMatchObject({
      authorization: "Bearer token",
      "linkedin-version": "202607",
      "x-restli-protocol-version": "2.0.0",
      "x-restli-method": "FINDER",
    });
    expect(Object.fromEntries(seen?.query ?? [])).toEqual({
      q: "author",
      author: `urn:li:organization:${DEMO_ORGANIZATION.id}`,
      count: "40",
      start: "0",
      sortBy: "LAST_MODIFIED",
    });
    expect(paths()).toEqual(["/rest/posts"]);
  });

  it("give posts with reactions, shares and names, marked as invented by a fake", async () => {
    const ids = ["share", "ugcPost"].map((kind) =>
      opened.upstream.post({ id: `urn:li:${kind}:1`, at: ago(HOUR), likes: 40, shares: 7 }),
    );
    const { postings, requests } = await (await opened.connector()).fetchPage(request());
    const counts = { like_count: 40, praise_count: 5, reaction_total_count: 46, comment_count: 8, share_count: 7 };
    const author = { username: DEMO_ORGANIZATION.vanityName, name: DEMO_ORGANIZATION.localizedName };
    expect(postings.map(({ socialId }) => socialId).sort()).toEqual(ids);
    for (const posting of postings) expect(posting).toMatchObject({ counts, author, moreInfo: { demo: true } });
    expect(requests).toBe(3);
  });

  it("are all read, those of the server and those of the search, each once", async () => {
    opened.upstream.organizations.set(OTHER, { vanityName: "merlin", localizedName: "Merlin (invented)" });
    const insight = await opened.insight(following(`urn:li:organization:${OTHER}`, DEMO_ORGANIZATION.id));
    const ids = [opened.upstream.post({ at: ago(HOUR) }), opened.upstream.post({ at: ago(HOUR), organization: OTHER })];
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([...ids].sort());
    expect(paths().filter((path) => path === "/rest/posts")).toHaveLength(2);
  });

  it("show edits and new counts of the last two days, and stay as they were once a post is removed", async () => {
    const insight = await opened.insight();
    const id = opened.upstream.post({ at: ago(DAY), likes: 1 });
    const gone = opened.upstream.post({ at: ago(DAY) });
    await opened.pollToEnd(insight);
    opened.upstream.timeline.edit(id, (post) => ({ ...post, likes: 40 }));
    opened.upstream.edit(id, "The kestrel, corrected");
    opened.upstream.timeline.remove(gone);
    await opened.pollToEnd(insight);
    const [posting] = await opened.world.collections.postings.find({ socialId: id });
    expect(posting?.content).toMatchObject({ text: "The kestrel, corrected", counts: { like_count: 40 } });
    expect(await opened.stored(insight)).toContain(gone);
  });

  it("are read back as far as is wanted only", async () => {
    for (let day = 1; day < 60; day += 1) opened.upstream.post({ at: ago(day * DAY) });
    const page = await (await opened.connector()).fetchPage(request());
    expect(page).toMatchObject({ nextPage: null });
  });

  it("are read to their end, however few posts LinkedIn gives out at a time", async () => {
    opened.upstream.postsMax = 4;
    const ids = opened.post(10);
    const insight = await opened.insight();
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual(ids);
    const starts = opened.upstream.seen
      .filter(({ path }) => path === "/rest/posts")
      .map(({ query }) => query.get("start"));
    expect(starts).toEqual(["0", "4", "8"]);
  });

  it.each([
    ["a total", { total: 6, count: 40 }],
    ["a link to an address", { links: [{ rel: "next", href: "https://api.linkedin.com/rest/posts?count=4&start=4" }] }],
    ["a link without address", { count: 4, links: [{ rel: "next" }] }],
    ["a page that is full by its own count", { count: 4 }],
  ])("are read on after a page that is smaller than asked for, by %s", async (_name, paging) => {
    opened.post(4);
    const smaller = (body: unknown) => ({ ...(body as object), paging: { start: 0, ...paging } });
    opened.upstream.failNext({ kind: "changed", change: smaller });
    const connector = await opened.connector();
    const { nextPage } = await connector.fetchPage(request());
    await connector.fetchPage({ ...request(), pageToken: nextPage });
    expect(opened.upstream.seen.at(-1)?.query.get("start")).toBe("4");
  });

  it.each([
    ["reactions", 1],
    ["shares", 2],
    ["names", 3],
  ])("are kept without %s if these fail, and say so", async (_name, before) => {
    const [id = ""] = opened.post(1);
    const asIs = { kind: "changed", change: (body: unknown) => body } as const;
    opened.upstream.failNext(...Array.from({ length: before }, () => asIs), { kind: "status", status: 503 });
    const page = await (await opened.connector()).fetchPage(request());
    expect(page.postings).toMatchObject([{ socialId: id }]);
    expect(page).toMatchObject({ requests: before + 1, nextPage: null });
    expect(page.warnings).toEqual([expect.stringMatching(/lack reactions, shares or names.*is failing/)]);
    const again = await (await opened.connector()).fetchPage(request());
    expect([again.postings[0]?.counts?.reaction_total_count, again.warnings]).toEqual([expect.any(Number), []]);
  });

  it("give no drafts", async () => {
    opened.upstream.post({ at: ago(HOUR), extra: { lifecycleState: "DRAFT" } });
    expect((await (await opened.connector()).fetchPage(request())).postings).toEqual([]);
  });

  it.each(["/rest/socialMetadata", "/rest/organizationalEntityShareStatistics"])(
    "are read without what the app may not ask for: %s",
    async (path) => {
      opened.upstream.forbidden.add(path);
      opened.upstream.post({ at: ago(HOUR) });
      expect((await (await opened.connector()).fetchPage(request())).postings).toHaveLength(1);
    },
  );

  it("are asked for their names once a day", async () => {
    opened.upstream.post({ at: ago(HOUR) });
    const connector = await opened.connector();
    const namesAsked = () => paths().filter((path) => path.startsWith("/rest/organizations/")).length;
    await connector.fetchPage(request());
    await connector.fetchPage(request());
    expect(namesAsked()).toBe(1);
    opened.world.time += DAY;
    await connector.fetchPage(request());
    expect(namesAsked()).toBe(2);
  });

  it("that the member does not administer are a warning and a gap, and do not stop the others", async () => {
    const id = opened.upstream.post({ at: ago(HOUR) });
    const insight = await opened.insight(following(OTHER));
    const { warnings, status } = await opened.pollToEnd(insight);
    expect([status, warnings]).toEqual(["waiting", [expect.stringMatching(/7000001 cannot be read.*administrator/)]]);
    expect(await opened.stored(insight)).toEqual([id]);
  });

  it("that are none are named", async () => {
    const plan = (await opened.connector()).plan(request("kestrel-invented").search);
    expect(plan).toMatchObject({ queries: [DEMO_ORGANIZATION.id], narrowedLocally: true });
    expect(plan.warnings).toEqual([expect.stringContaining("kestrel-invented is no organization")]);
  });

  it("must be named by somebody", async () => {
    await reopen({ LINKEDIN_ORGANIZATIONS: "none" });
    expect(await stateAfter()).toMatchObject({
      status: "failing",
      lastError: expect.stringContaining("LINKEDIN_ORGANIZATIONS") as string,
    });
    expect(opened.upstream.seen).toEqual([]);
  });

  it("with a location say that it has no effect", async () => {
    const { warnings } = await opened.pollToEnd(await opened.insight({ location: "Leeds" }));
    expect(warnings).toEqual([expect.stringContaining("location has no effect")]);
  });
});

describe("LinkedIn", () => {
  it("no longer answering a version is said with the setting", async () => {
    opened.upstream.versions.clear();
    const { status, lastError } = await stateAfter();
    expect([status, lastError]).toEqual(["failing", expect.stringContaining("raise LINKEDIN_VERSION")]);
  });

  it("limiting the requests of a day lets the search wait for the next one", async () => {
    opened.upstream.quota.limit = 0;
    const { status, dueAt } = await stateAfter();
    expect(status).toBe("budget_spent");
    expect(dueAt).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 23));
  });

  it("is asked no more than the budget of the day allows", async () => {
    await reopen({ LINKEDIN_REQUESTS_PER_DAY: "1" });
    const ids = opened.post(3);
    const insight = await opened.insight();
    const { warnings } = await opened.pollToEnd(insight);
    expect([await opened.stored(insight), warnings]).toEqual([
      ids,
      [expect.stringContaining("LINKEDIN_REQUESTS_PER_DAY")],
    ]);
    await opened.world.worker().pollNext();
    expect(await opened.search(insight)).toMatchObject({
      status: "budget_spent",
      lastError: expect.stringContaining("LINKEDIN_REQUESTS_PER_DAY") as string,
    });
    expect(opened.upstream.seen).toHaveLength(1);
  });
});

describe("the token of a member", () => {
  it("is renewed with a refresh token, when it is first needed and once when it is rejected", async () => {
    await reopen(RENEWAL);
    const connector = await opened.connector();
    await connector.fetchPage(request());
    opened.upstream.revokeToken();
    await connector.fetchPage(request());
    const renewals = paths().filter((path) => path === "/oauth/v2/accessToken");
    expect([renewals.length, opened.upstream.seen.at(-1)?.headers.authorization]).toEqual([2, "Bearer renewed-2"]);
  });

  it("that cannot be renewed stops the platform, and says what to renew", async () => {
    await reopen({ ...RENEWAL, LINKEDIN_REFRESH_TOKEN: "ended" });
    const { status, lastError } = await stateAfter();
    expect([status, lastError]).toEqual(["auth_failed", expect.stringMatching(/LINKEDIN_REFRESH_TOKEN.*expired/)]);
  });

  it("without a refresh token is not asked with twice", async () => {
    opened.upstream.revokeToken();
    expect(await stateAfter()).toMatchObject({
      status: "auth_failed",
      lastError: expect.stringMatching(/renew LINKEDIN_ACCESS_TOKEN.*revoked/) as string,
    });
    expect(opened.upstream.seen).toHaveLength(1);
  });

  it("is a setting that a server without it misses", async () => {
    const { store, log, now } = opened.world;
    const deps = { store, log, now, http: { request: fail, close: fail }, spend: fail };
    const collectInterval = { intervalMs: 1, isExplicit: false };
    const readiness = await LINKEDIN.open({ ...deps, collectInterval }, { LINKEDIN_REFRESH_TOKEN: "alone" });
    expect(readiness).toMatchObject({ missing: expect.stringContaining("LINKEDIN_CLIENT_SECRET") as string });
  });
});

function fail(): never {
  throw new Error("nothing is asked");
}
