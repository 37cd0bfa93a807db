import { DEMO_PAGE, graphError, MetaUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Upstream } from "../testing/connector-world.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { FACEBOOK } from "./index.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TOKEN = "EAATOKEN12345";
const OTHER = { id: "100000000000002", username: "merlin.demo", name: "Merlin (invented)" };

let meta: MetaUpstream;
let opened: ConnectorWorld<Upstream>;
let requestsPerHour = 1000;

async function open(): Promise<void> {
  opened = await ConnectorWorld.open({
    module: FACEBOOK,
    start: async (now) => {
      meta = await MetaUpstream.start({ token: TOKEN, appSecret: "hidden", now });
      return Object.assign(meta, { post: () => meta.facebook.post() });
    },
    env: () => ({
      FACEBOOK_ACCESS_TOKEN: TOKEN,
      FACEBOOK_APP_SECRET: "hidden",
      FACEBOOK_PAGES: DEMO_PAGE.username,
      FACEBOOK_BASE_URL: meta.origin,
      FACEBOOK_REQUESTS_PER_HOUR: String(requestsPerHour),
    }),
  });
}

beforeEach(async () => {
  requestsPerHour = 1000;
  await open();
});
afterEach(() => opened.close());

const following = (...pages: string[]) => ({ follow: { feeds: [], subreddits: [], pages, organisations: [] } });
const request = (...pages: string[]) => {
  const whole = opened.request();
  return { ...whole, search: { ...whole.search, ...following(...pages) } };
};
const ago = (span: number): number => opened.world.time - span;

async function stateAfter(...pages: string[]) {
  const insight = await opened.insight(following(...pages));
  await opened.world.worker().pollNext();
  return opened.search(insight);
}

describe("pages of Facebook", () => {
  it("are asked with the token in a header, signed, for posts since a time", async () => {
    await (await opened.connector()).fetchPage(request());
    const [seen] = meta.seen;
    expect(seen).toMatchObject({ path: "/v25.0/kestrel.demo/published_posts", method: "GET" });
    expect(seen?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(Object.fromEntries(seen?.query ?? [])).toMatchObject({
      limit: "25",
      since: String(ago(DAY) / 1000),
      appsecret_proof: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(seen?.query.has("access_token")).toBe(false);
  });

  it("give posts and their newest comments, marked as invented by a fake", async () => {
    const id = meta.facebook.post({ at: ago(HOUR), likes: 40 });
    const comment = meta.facebook.comment(id, { at: ago(MINUTE), likes: 3 });
    const { postings } = await (await opened.connector()).fetchPage(request());
    expect(postings).toMatchObject([
      { socialId: id, counts: { like_count: 40, comment_count: 1 }, moreInfo: { page: "kestrel.demo", demo: true } },
      { socialId: comment, type: "comment", counts: { like_count: 3 }, moreInfo: { post_id: id, demo: true } },
    ]);
  });

  it("are all read, those of the server and those of the search, each once", async () => {
    meta.facebook.addPage(OTHER);
    const insight = await opened.insight(following("merlin.demo", "Kestrel.demo"));
    const ids = [meta.facebook.post({ at: ago(HOUR) }), meta.facebook.post({ at: ago(HOUR), page: OTHER })];
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual(ids);
    expect(meta.seen).toHaveLength(2);
  });

  it("are read on by the address of the next page if the answer names no cursor", async () => {
    for (let hour = 1; hour <= 30; hour += 1) meta.facebook.post({ at: ago(hour * MINUTE) });
    const next = "https://graph.facebook.com/v25.0/1/published_posts?access_token=x&after=a%2Bb";
    meta.failNext({ kind: "changed", change: (body) => ({ ...(body as object), paging: { next } }) });
    const connector = await opened.connector();
    const { nextPage } = await connector.fetchPage(request());
    await connector.fetchPage({ ...request(), pageToken: nextPage }).catch(() => undefined);
    expect(meta.seen.at(-1)?.query.get("after")).toBe("a+b");
  });

  it("show edits and later comments of the last two days, and stay as they were once a post is removed", async () => {
    const insight = await opened.insight();
    const id = meta.facebook.post({ at: ago(DAY) });
    const gone = meta.facebook.post({ at: ago(DAY) });
    await opened.pollToEnd(insight);
    meta.facebook.edit(id, "The kestrel, corrected");
    meta.facebook.remove(gone);
    const comment = meta.facebook.comment(id, { text: "A kestrel at last" });
    await opened.pollToEnd(insight);
    const [posting] = await opened.world.collections.postings.find({ socialId: id });
    expect(posting?.content.text).toBe("The kestrel, corrected");
    expect(await opened.stored(insight)).toEqual([id, gone, comment].sort());
  });

  it("that are unknown are a warning and a gap while others can be read", async () => {
    const insight = await opened.insight(following("nobody.knows.it"));
    const id = meta.facebook.post({ at: ago(HOUR) });
    const search = await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([id]);
    expect(search.warnings).toEqual([expect.stringMatching(/page nobody\.knows\.it cannot be read.*803/)]);
    expect(search.coverage).toMatchObject([{ completeness: "thin", reasons: ["outage"] }]);
  });

  it("of which the app may read none stop the platform, if the operator named them", async () => {
    meta.facebook.forbid(DEMO_PAGE);
    const { status, lastError } = await stateAfter();
    expect([status, lastError]).toEqual(["auth_failed", expect.stringMatching(/Page Public Content Access/)]);
  });

  it("that only the owner of a search named do not stop the platform for others", async () => {
    await opened.close();
    await open();
    meta.facebook.addPage(OTHER);
    meta.facebook.forbid(OTHER);
    const search = await stateAfter("merlin.demo");
    expect(search).toMatchObject({ status: "waiting", warnings: [expect.stringMatching(/merlin.*forbids/)] });
  });

  it("without a name fail without a request", async () => {
    const asking = (await opened.connector()).plan({ ...request("..").search });
    expect(asking.warnings).toEqual([expect.stringContaining(".. is no page")]);
    expect(meta.seen).toEqual([]);
  });

  it("with a location say in their state that it has no effect", async () => {
    const { warnings } = await opened.pollToEnd(await opened.insight({ location: "Leeds" }));
    expect(warnings).toEqual([expect.stringContaining("location has no effect")]);
  });
});

describe("an error of the Graph API", () => {
  it.each([
    [
      graphError(190, "Error validating access token: it has expired", { subcode: 463 }),
      "auth_failed",
      /has expired.*renew FACEBOOK_ACCESS_TOKEN/,
    ],
    [graphError(190, "Malformed access token EAABanothertoken", { subcode: 467 }), "auth_failed", /not valid/],
    [graphError(102, "Session key invalid"), "auth_failed", /renew/],
    [graphError(100, "Invalid appsecret_proof provided in the API argument"), "auth_failed", /FACEBOOK_APP_SECRET/],
    [graphError(200, "(#200) API access blocked."), "auth_failed", /blocked.*dashboard/],
    [graphError(368), "auth_failed", /dashboard/],
    [graphError(10), "auth_failed", /forbids.*FACEBOOK_ACCESS_TOKEN/],
    [graphError(200), "auth_failed", /forbids.*pages_read_engagement/],
    [graphError(4), "failing", /too many requests \(4\)/],
    [graphError(17), "failing", /too many requests \(17\)/],
    [graphError(32), "failing", /too many requests \(32\)/],
    [graphError(613), "failing", /too many requests \(613\)/],
    [graphError(80_001), "failing", /too many requests \(80001\)/],
    [graphError(1), "failing", /is failing/],
    [graphError(2), "failing", /is failing/],
    [graphError(100, "(#100) Object does not exist", { subcode: 33 }), "failing", /does not know it.*Check its name/],
    [graphError(803), "failing", /Check its name/],
    [graphError(12_345), "failing", /refuses the request \(12345\)/],
  ] as const)("%j means %s", async (reply, status, sentence) => {
    meta.failAlways({ kind: "status", ...reply });
    const search = await stateAfter();
    expect([search.status, search.lastError]).toEqual([status, expect.stringMatching(sentence)]);
    expect(search.lastError).not.toMatch(/EAAB|EAAT|hidden/);
  });

  it("waits as long as Meta estimates until access returns", async () => {
    const usage = { "100": [{ type: "pages", call_count: 100, estimated_time_to_regain_access: 40 }] };
    const headers = { "X-Business-Use-Case-Usage": JSON.stringify(usage) };
    meta.failNext({ kind: "status", ...graphError(80_001, undefined, { headers }) });
    expect((await stateAfter()).dueAt).toBeGreaterThanOrEqual(opened.world.time + 40 * MINUTE);
  });
});

describe("the budget of requests", () => {
  it("is kept when Meta says that most of it is used, with room for previews", async () => {
    meta.usage = { "X-App-Usage": JSON.stringify({ call_count: 90, total_time: 10, total_cputime: 10 }) };
    const connector = await opened.connector();
    const { notBefore } = await connector.fetchPage(request());
    expect(notBefore).toBe(opened.world.time + 7 * MINUTE);
    await expect(connector.fetchPage(request())).rejects.toMatchObject({
      kind: "budget",
      retryAt: notBefore,
      requests: 0,
    });
    const preview = request();
    await connector.fetchPage({ ...preview, search: { ...preview.search, preview: true } });
    opened.world.time += 7 * MINUTE;
    await connector.fetchPage(request());
    expect(meta.seen).toHaveLength(3);
  });

  it.each(["no JSON", "{}", "[]", '{"call_count":"many"}', '{"1":{}}'])(
    "is not kept for a header such as %s",
    async (text) => {
      meta.usage = { "X-App-Usage": text, "X-Business-Use-Case-Usage": text };
      expect(await (await opened.connector()).fetchPage(request())).not.toHaveProperty("notBefore");
    },
  );

  it("lets a search wait for the next hour, which the sentence says", async () => {
    await opened.close();
    requestsPerHour = 1;
    await open();
    await opened.pollToEnd(await opened.insight());
    const { status, lastError, dueAt } = await stateAfter();
    expect([status, lastError]).toEqual(["budget_spent", expect.stringContaining("FACEBOOK_REQUESTS_PER_HOUR")]);
    expect(dueAt).toBeGreaterThanOrEqual(Math.ceil(opened.world.time / HOUR) * HOUR);
  });
});

it("without a token says which setting is missing", async () => {
  const { store, log, now } = opened.world;
  const fail = (): never => {
    throw new Error("nothing is asked");
  };
  const deps = { store, log, now, http: { request: fail, close: fail }, spend: fail };
  const readiness = await FACEBOOK.open({ ...deps, collectInterval: { intervalMs: 1, isExplicit: false } }, {});
  expect(readiness).toMatchObject({ missing: expect.stringContaining("FACEBOOK_ACCESS_TOKEN") as string });
});
