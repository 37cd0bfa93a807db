import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FeedServer, type FeedItem } from "../support/feed-server.js";
import { startServer, type TestServer } from "../support/server.js";
import { fieldsOf, INSIGHTS, User, type Failure } from "./routes.js";

/** An insight as REST spells it, as far as these tests read it. */
interface Insight {
  id: number;
  status: string;
  terms: string;
  posting_count: number;
  unanalysed_count: number;
  platforms: { platform: string; state: string; counts: Record<string, number>; last_error: string | null }[];
}

type Posting = Record<string, unknown> & { social_id: string };

describe("insights", () => {
  let server: TestServer;
  let user: User;
  let feeds: FeedServer;
  let feed = "";
  let feedNumber = 0;

  beforeAll(async () => {
    feeds = await FeedServer.start();
    feeds.feeds.set("/server", []);
    server = await startServer({
      ALLOW_PRIVATE_URLS: "true",
      COLLECT_INTERVAL_SECONDS: "1",
      NEWS_FEEDS: feeds.url("/server"),
    });
    user = await User.signIn(server);
  });
  afterAll(async () => {
    await server.close();
    await feeds.close();
  });
  beforeEach(() => {
    feed = `/feed-${++feedNumber}`;
  });

  function item(number: number, text = `Kestrel story ${number}`): FeedItem {
    return { guid: `${feed}-${number}`, title: text, text: "I love it.", at: new Date(Date.now() - number * 60_000) };
  }

  async function create(query: Record<string, unknown> = {}): Promise<string> {
    const follow = { feeds: [feeds.url(feed)] };
    const body = { query: { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"], follow, ...query } };
    const answer = await user.post(INSIGHTS, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.headers.get("location") ?? "";
  }

  async function read(path: string): Promise<Insight> {
    return (await user.get(path)).body as Insight;
  }

  async function postings(path: string, query = ""): Promise<Posting[]> {
    const { body } = await user.get(`${path}/postings${query}`);
    return (body as { postings: Posting[] }).postings;
  }

  const ids = (found: readonly Posting[]) => found.map(({ social_id }) => social_id);

  it("collect what matches, analyze it, and list it newest first", async () => {
    feeds.feeds.set(feed, [item(1), item(2, "Nothing of interest"), item(3)]);
    const path = await create();
    await expect.poll(async () => ids(await postings(path))).toEqual([`${feed}-1`, `${feed}-3`]);
    const [first] = await postings(path);
    expect(first).toMatchObject({
      platform: "news",
      terms: "kestrel",
      text_post_type: "article",
      sentiments: expect.any(String),
      intentions: expect.any(String),
      topic_1: expect.any(String),
      like_count: null,
      visual_detection_analyses: null,
    });
    expect(Object.keys(first ?? {})).toHaveLength(54);
    expect(await read(path)).toMatchObject({
      status: "running",
      terms: "kestrel",
      posting_count: 2,
      unanalysed_count: 0,
      platforms: [{ platform: "news", last_error: null, counts: { matched: 2, stored: 2 } }],
    });
  });

  it("store a posting once, and take up what appears later", async () => {
    feeds.feeds.set(feed, [item(5)]);
    const path = await create();
    await expect.poll(async () => (await postings(path)).length).toBe(1);
    feeds.feeds.set(feed, [item(4), item(5)]);
    await expect.poll(async () => ids(await postings(path))).toEqual([`${feed}-4`, `${feed}-5`]);
  });

  it("store nothing between pause and resume, and then continue", async () => {
    feeds.feeds.set(feed, [item(9)]);
    const path = await create();
    await expect.poll(async () => (await postings(path)).length).toBe(1);
    expect((await user.send("PUT", `${path}/pause`)).status).toBe(200);
    expect((await user.send("PUT", `${path}/pause`)).body).toHaveProperty("notice", expect.any(String));
    feeds.feeds.set(feed, [item(8), item(9)]);
    const refused = await user.post(
      `${path}/postings`,
      JSON.stringify({ platform: "news", post_date: "1/5/2026", post_time: "00:00:00", text_of_post: "kestrel" }),
      { "content-type": "application/x-ndjson" },
    );
    expect(refused.status).toBe(400);
    expect(await read(path)).toMatchObject({ status: "paused", posting_count: 1 });
    expect((await user.send("PUT", `${path}/resume`)).status).toBe(200);
    await expect.poll(async () => ids(await postings(path))).toEqual([`${feed}-8`, `${feed}-9`]);
  });

  it("end a preview once its postings are analyzed", async () => {
    feeds.feeds.set(
      feed,
      Array.from({ length: 40 }, (_, index) => item(index + 1)),
    );
    const path = await create({ sneak_peek: true });
    await expect.poll(async () => (await read(path)).status).toBe("completed");
    expect(await read(path)).toMatchObject({ posting_count: 25, unanalysed_count: 0 });
    expect((await user.send("PUT", `${path}/pause`)).status).toBe(400);
    expect((await user.send("PUT", `${path}/resume`)).status).toBe(400);
  });

  it("announce what a preview leaves out, and what a continuous search starts later", async () => {
    const query = { keywords: "kestrel", platforms: ["news", "twitter"], dimensions: ["textual"] };
    const preview = await user.post(INSIGHTS, { query: { ...query, sneak_peek: true } });
    expect(preview.body).toMatchObject({ notice: expect.stringMatching(/twitter; the preview leaves it out\.$/) });
    const continuous = await user.post(INSIGHTS, { query });
    expect(continuous.body).toMatchObject({ notice: expect.stringMatching(/twitter; it starts by itself/) });
  });

  it("are gone at once when they are deleted", async () => {
    feeds.feeds.set(feed, [item(1)]);
    const path = await create();
    await expect.poll(async () => (await postings(path)).length).toBe(1);
    expect((await user.send("DELETE", path)).status).toBe(204);
    for (const route of [path, `${path}/postings`, `${path}/coverage`])
      expect((await user.get(route)).status).toBe(404);
    expect((await user.send("DELETE", path)).status).toBe(404);
    expect((await user.send("PUT", `${path}/pause`)).status).toBe(400);
  });

  it("answer 400 to keywords that cannot be parsed, and say where", async () => {
    const query = { keywords: 'kestrel "phone', platforms: ["news"], dimensions: ["textual"] };
    for (const path of [INSIGHTS, `${INSIGHTS}/check`]) {
      const answer = await user.post(path, { query });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual(["query.keywords"]);
      expect((answer.body as Failure).error).toMatch(/character 9/);
      expect((answer.body as Failure).details).toMatchObject([{ start: 8, end: 9 }]);
    }
    const twice = await user.post(`${INSIGHTS}/check`, { query: { ...query, keywords: "🔥 ab* OR -שלום" } });
    expect((twice.body as Failure).details).toMatchObject([
      { field: "query.keywords", start: 3, end: 6 },
      { field: "query.keywords", start: 10, end: 15 },
    ]);
    const wrong = await user.post(`${INSIGHTS}/check`, { query: { ...query, keywords: "ab*", platforms: ["x"] } });
    expect((wrong.body as Failure).details).toContainEqual(
      expect.objectContaining({ field: "query.keywords", start: 0, end: 3 }),
    );
    const tab = await user.post(`${INSIGHTS}/check`, { query: { ...query, keywords: "a\tb" } });
    expect((tab.body as Failure).details).toMatchObject([{ field: "query.keywords", start: 1, end: 2 }]);
  });

  it("name every wrong field of a query, mistakes in the keywords included", async () => {
    const query = { keywords: "(a", platforms: ["x"], dimensions: [], follow: { feeds: ["httpx://x/a", "http:"] } };
    for (const path of [INSIGHTS, `${INSIGHTS}/check`]) {
      expect(fieldsOf(await user.post(path, { query })).sort()).toEqual([
        "query.dimensions",
        "query.follow.feeds[0]",
        "query.follow.feeds[1]",
        "query.keywords",
        "query.platforms[0]",
      ]);
    }
  });

  it("say before their creation what they would do", async () => {
    const query = {
      keywords: "kestrel phone, peregrine",
      platforms: ["news", "twitter"],
      dimensions: ["textual"],
      location: "Lisbon",
      follow: { feeds: [feeds.url(feed)] },
    };
    const { status, body } = await user.post(`${INSIGHTS}/check`, { query });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      terms: ["kestrel phone", "peregrine"],
      parsed: {
        sentence: "(all of: kestrel, phone) or (peregrine)",
        terms: [
          { text: "kestrel phone", expression: { kind: "all" } },
          { expression: { kind: "word", value: "peregrine" } },
        ],
      },
      platforms: [
        { platform: "news", state: "waiting", mode: "follow", narrowed_locally: true },
        { platform: "twitter", state: "not_configured", mode: "import", queries: [] },
      ],
      warnings: [
        { message: "The location means Lisbon, Lisbon, PT.", start: null, end: null, fix: null },
        { message: "The location has no effect on news.", start: null, end: null, fix: null },
      ],
    });
  });

  it("say in the check, the creation and a change what other tools would read otherwise, and how to write it", async () => {
    const query = { keywords: "kestrel NOT jobs", platforms: ["news"], dimensions: ["textual"] };
    const warning = { message: expect.stringContaining("NOT"), start: 8, end: 11, fix: "kestrel -jobs" };
    const check = await user.post(`${INSIGHTS}/check`, { query });
    expect((check.body as { warnings: unknown[] }).warnings).toContainEqual(warning);
    const created = await user.post(INSIGHTS, { query });
    expect(created.body).toMatchObject({ id: expect.any(Number), warnings: [warning] });
    const path = created.headers.get("location") ?? "";
    const fixed = await user.send("PATCH", path, { body: { keywords: "kestrel -jobs" } });
    expect(fixed.body).toMatchObject({ terms: "kestrel -jobs", warnings: [] });
    const changed = await user.send("PATCH", path, { body: { keywords: "kestrel OR" } });
    expect(changed.body).toMatchObject({ warnings: [{ start: 8, end: 10, fix: "kestrel" }] });
    expect((await user.send("PATCH", path, { body: { note: "x" } })).body).toMatchObject({ warnings: [] });
  });

  it.each([
    ["hashtag=caf\u00E9", "hashtag=cafe\u0301", "hashtag=CAFE", "hashtag=#Caf\u00E9", "hashtag= caf\u00E9 "],
    ["author=ipek", "author=İpek", "author=@IPEK"],
    ["author=New York", "author=new\u00A0york"],
  ])("filter their postings alike by %s and its other spellings", async (...filters) => {
    const path = await create({ platforms: ["reddit"], follow: {} });
    const posting = (number: number, more: object) =>
      JSON.stringify({
        platform: "reddit",
        social_id: `p${number}`,
        post_date: "1/31/2026",
        post_time: `12:00:0${number}`,
        text_of_post: "x",
        ...more,
      });
    const rows = [
      posting(1, { text_post_tags: ["Caf\u00E9"], author_username: "İpek" }),
      posting(2, { text_post_tags: [" cafe\u0301 "], author_username: "@ipek" }),
      posting(3, { author_name: "New\u00A0York" }),
      posting(4, { author_name: " New York " }),
    ];
    await user.post(`${path}/postings`, rows.join("\n"), { "content-type": "application/x-ndjson" });
    await expect.poll(async () => (await read(path)).unanalysed_count).toBe(0);
    const found = filters.includes("author=New York") ? ["p4", "p3"] : ["p2", "p1"];
    for (const filter of filters)
      expect(
        ids(await postings(path, `?${filter.replace(/=.*/, (value) => `=${encodeURIComponent(value.slice(1))}`)}`)),
      ).toEqual(found);
  });

  it("say at their creation which places were understood, and refuse a location without any", async () => {
    const query = { keywords: "kestrel", platforms: ["twitter"], dimensions: ["textual"] };
    const location = "Lyon, France; 97201; Xyzzy";
    const { status, body } = await user.post(INSIGHTS, { query: { ...query, location } });
    expect(status).toBe(200);
    expect((body as { notice: string }).notice).toContain(
      "The location means Lyon, Auvergne-Rhône-Alpes, FR; US zip code 97201. The location Xyzzy is not known.",
    );
    for (const path of [INSIGHTS, `${INSIGHTS}/check`]) {
      const refused = await user.post(path, { query: { ...query, location: "Springfield" } });
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ["query.location"]]);
      expect((refused.body as Failure).error).toContain("Springfield, Missouri, US");
    }
  });

  it("take in postings, count what is known, and analyze them", async () => {
    feeds.feeds.set(feed, []);
    const path = await create({ platforms: ["news", "reddit"] });
    const line = (number: number) =>
      JSON.stringify({
        platform: "reddit",
        social_id: `t3_${number}`,
        post_date: "1/5/2026",
        post_time: `00:00:0${number}`,
        text_of_post: "I hate waiting in line.",
        like_count: "-3",
      });
    const ndjson = { "content-type": "application/x-ndjson" };
    const first = await user.post(`${path}/postings`, [line(1), line(2), line(2)].join("\n"), ndjson);
    expect([first.status, first.body]).toEqual([200, { accepted: 2, duplicates: 1, warnings: [] }]);
    const second = await user.post(`${path}/postings`, [line(2), line(3)].join("\n"), ndjson);
    expect(second.body).toMatchObject({ accepted: 1, duplicates: 1 });
    await expect.poll(async () => ids(await postings(path))).toEqual(["t3_3", "t3_2", "t3_1"]);
    expect((await postings(path))[0]).toMatchObject({
      terms: "kestrel",
      like_count: "-3",
      sentiments: expect.any(String),
    });
    const foreign = await user.post(`${path}/postings`, `${line(4)}\n${line(5).replace("reddit", "tiktok")}`, ndjson);
    expect([foreign.status, fieldsOf(foreign)]).toEqual([400, ["postings[1].platform"]]);
    expect(await postings(path)).toHaveLength(3);
  });

  it("filter their postings by the query language and by time", async () => {
    feeds.feeds.set(feed, [item(1, "Kestrel phone"), item(2, "Kestrel tablet"), item(3, "Kestrel lamp")]);
    const path = await create();
    await expect.poll(async () => (await postings(path)).length).toBe(3);
    expect(ids(await postings(path, "?q=phone%20OR%20lamp"))).toEqual([`${feed}-1`, `${feed}-3`]);
    expect(ids(await postings(path, "?platform=reddit"))).toEqual([]);
    expect(ids(await postings(path, "?end_date=2020-01-01"))).toEqual([]);
    const wrong = await user.get(`${path}/postings?q=%22&platform=x&start_date=2026-02-30`);
    expect(wrong.status).toBe(400);
  });

  it("forget an erased posting for good", async () => {
    feeds.feeds.set(feed, [item(1), item(2)]);
    const path = await create();
    await expect.poll(async () => (await postings(path)).length).toBe(2);
    const erased = await user.send("DELETE", `${INSIGHTS}/postings?platform=news&social_id=${feed}-1`);
    expect([erased.status, erased.body]).toEqual([200, { deleted: 1 }]);
    const seen = feeds.requests.filter((each) => each === feed).length;
    await expect.poll(() => feeds.requests.filter((each) => each === feed).length).toBeGreaterThan(seen + 1);
    expect(ids(await postings(path))).toEqual([`${feed}-2`]);
    expect(await read(path)).toMatchObject({ posting_count: 1 });
  });

  it("show that a platform fails, and continue once it answers", async () => {
    feeds.feeds.set(feed, [item(1)]);
    feeds.status = 503;
    const path = await create();
    await expect.poll(async () => (await read(path)).platforms[0]?.state).toBe("failing");
    expect((await read(path)).platforms[0]?.last_error).toEqual(expect.any(String));
    feeds.status = 200;
    await expect.poll(async () => (await read(path)).posting_count).toBe(1);
    expect((await read(path)).platforms[0]).toMatchObject({ last_error: null });
  });

  it("tell for which time their collection is complete", async () => {
    feeds.feeds.set(feed, [item(1)]);
    const path = await create();
    await expect.poll(async () => (await postings(path)).length).toBe(1);
    const { status, body } = await user.get(`${path}/coverage`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ platforms: [{ platform: "news", spans: expect.any(Array) }] });
  });

  it("are created once for one idempotency key", async () => {
    const body = { query: { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"] } };
    const key = { "idempotency-key": `insight-${feedNumber}` };
    const answers = await Promise.all([1, 2, 3].map(() => user.post(INSIGHTS, body, key)));
    expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
    const other = await user.post(INSIGHTS, { query: { ...body.query, keywords: "merlin" } }, key);
    expect(other.status).toBe(400);
  });
});
