import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FeedServer } from "../support/feed-server.js";
import { LIMITS } from "../support/limits.js";
import { type Answer, startServer, type TestServer, TRANSPORTS } from "../support/server.js";
import { type ApiDocument, Documented } from "./documented.js";
import { fieldsOf, INSIGHTS, User } from "./routes.js";
import { DOCUMENTED_POSTINGS, recount, STATED_POSTINGS, type ListedPosting, type Summary } from "./summary-postings.js";

const NDJSON = { "content-type": "application/x-ndjson" };
const SUMMARY = `${INSIGHTS}/{id}/summary`;
/** From the first of `STATED_POSTINGS` to the last one. */
const SPAN = "start_date=2026-01-26&end_date=2026-02-02";
const DAY_MS = 86_400_000;

describe.each(TRANSPORTS)("summaries with services %s", (transport) => {
  let server: TestServer;
  let user: User;
  let feeds: FeedServer;
  let document: ApiDocument;
  /** Has `STATED_POSTINGS`, analyzed. */
  let insight = "";

  beforeAll(async () => {
    feeds = await FeedServer.start();
    server = await startServer({ ALLOW_PRIVATE_URLS: "true", NEWS_FEEDS: "none" }, transport);
    user = await User.signIn(server);
    document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
  });
  beforeEach(async () => {
    if (insight === "") insight = await imported(STATED_POSTINGS);
  });
  afterAll(async () => {
    await server.close();
    await feeds.close();
  });

  /** The path of a new insight with these postings, analyzed. */
  async function imported(postings: readonly object[], query: object = {}): Promise<string> {
    const defaults = { keywords: "charging", platforms: ["news", "reddit"], dimensions: ["textual"] };
    const created = await user.post(INSIGHTS, { query: { ...defaults, ...query } });
    expect(created.status, created.text).toBe(200);
    const path = created.headers.get("location") ?? "";
    if (postings.length === 0) return path;
    const lines = postings.map((posting) => JSON.stringify(posting)).join("\n");
    const answer = await user.post(`${path}/postings`, lines, NDJSON);
    expect(answer.body, answer.text).toMatchObject({ accepted: postings.length, duplicates: 0 });
    await expect.poll(async () => (await user.get(path)).body).toMatchObject({ unanalysed_count: 0 });
    return path;
  }

  /** What the document does not say of an answer. */
  function undocumented(answer: Answer): string[] {
    const content = document.paths[SUMMARY]?.["get"]?.responses["200"]?.content?.["application/json"];
    if (content === undefined) throw new Error("the document does not hold summaries");
    return new Documented(document).differences(answer.body, content.schema);
  }

  async function read(path: string, query: string): Promise<Summary> {
    const answer = await user.get(`${path}/summary?${query}`);
    expect(answer.status, answer.text).toBe(200);
    expect(undocumented(answer)).toEqual([]);
    return answer.body as Summary;
  }

  async function listed(path: string, query: string): Promise<ListedPosting[]> {
    return ((await user.get(`${path}/postings?limit=200&${query}`)).body as { postings: ListedPosting[] }).postings;
  }

  it("count what the list of postings shows, in all and by day", async () => {
    const summary = await read(insight, SPAN);
    const postings = await listed(insight, SPAN);
    expect(postings).toHaveLength(STATED_POSTINGS.length);
    expect(summary).toMatchObject({
      start: "2026-01-26T00:00:00.000Z",
      end: "2026-02-02T00:00:00.000Z",
      interval: "day",
      totals: recount(postings).counts,
      top: recount(postings).top,
    });
    expect(summary.series).toHaveLength(7);
    for (const { start, end, completeness: _, ...counts } of summary.series) {
      expect(Date.parse(end) - Date.parse(start)).toBe(DAY_MS);
      const ofDay = postings.filter(({ post_date: date }) => Date.parse(`${date} UTC`) === Date.parse(start));
      expect(counts).toEqual(recount(ofDay).counts);
    }
    expect(summary).not.toHaveProperty("share_of_voice");
  });

  it.each([
    "platform=reddit",
    "platform=news,reddit",
    "sentiment=anger",
    "intention=valuation",
    "language=en",
    "q=lisbon%20OR%20queue",
    "platform=news&q=lisbon",
    "polarity=positive,neutral",
    "topic=Lisbon&platform=news",
    "hashtag=EV&country=pt,none",
    "author=ann&spam=false,true",
    "domain=news.example.com&start=2026-01-31T00:00:00Z",
    "q=nowhere",
  ])("count the postings that a list shows with the filter %s", async (filter) => {
    const postings = await listed(insight, `${SPAN}&${filter}`);
    expect(postings.length > 0).toBe(filter !== "q=nowhere");
    const { totals, top } = await read(insight, `${SPAN}&${filter}`);
    expect({ counts: totals, top }).toEqual(recount(postings));
  });

  it("and lists are refused for what is no code of a language or country, with the code that is meant", async () => {
    const query = "language=Portuguese,en,none&country=uk&country=DE";
    for (const path of [`${insight}/summary`, `${insight}/postings`]) {
      const refused = await user.get(`${path}?${query}`);
      expect([path, refused.status, refused.body]).toMatchObject([
        path,
        400,
        {
          details: [
            { field: "language", message: 'Give ISO 639-1 codes, such as "pt": "Portuguese" is "pt".' },
            { field: "country", message: 'Give ISO 3166-1 codes, such as "DE": "uk" is "GB".' },
          ],
        },
      ]);
      const unknown = await user.get(`${path}?language=und&country=Atlantis`);
      expect(unknown.text).toContain('or \\"none\\" for postings without a country.');
      expect([unknown.status, fieldsOf(unknown)]).toEqual([400, ["language", "country"]]);
    }
  });

  it("have steps of hours and of weeks, cut to the span", async () => {
    const hours = await read(insight, "interval=hour&start_date=2026-01-31&end_date=2026-02-01");
    expect(hours).toMatchObject({ interval: "hour", totals: { postings: 2 } });
    expect(hours.series).toHaveLength(24);
    expect(hours.series.flatMap(({ postings }, hour) => (postings === 0 ? [] : [hour]))).toEqual([8, 23]);
    const months = await read(
      insight,
      "interval=month&start_date=2026-01-01&end_date=2026-03-01&time_zone=Asia/Kolkata",
    );
    expect(months).toMatchObject({ interval: "month", time_zone: "Asia/Kolkata", start: "2025-12-31T18:30:00.000Z" });
    expect(months.series.map(({ start }) => start)).toEqual(["2025-12-31T18:30:00.000Z", "2026-01-31T18:30:00.000Z"]);
    // 26 January 2026 is a Monday.
    const weeks = await read(insight, "interval=week&start_date=2026-01-28&end_date=2026-02-04");
    expect(weeks.series.map(({ start, end, postings }) => [start.slice(0, 10), end.slice(0, 10), postings])).toEqual([
      ["2026-01-28", "2026-02-02", 5],
      ["2026-02-02", "2026-02-04", 0],
    ]);
  });

  it("list as many values as are asked for, and how many there are", async () => {
    const { top } = await read(insight, `${SPAN}&top=1`);
    expect(top.hashtags).toEqual({
      values: [{ value: "EV", count: 3, share: 0.5 }],
      distinct: 3,
      error: 0,
      distinct_error: 0,
    });
    expect(top.authors.values).toEqual([
      {
        platform: "news",
        author_id: null,
        author_username: null,
        author_name: "Ann",
        count: 2,
        share: 2 / STATED_POSTINGS.length,
      },
    ]);
  });

  it("compare the shares of several insights, also under a filter", async () => {
    const other = await imported(STATED_POSTINGS.slice(0, 2), { keywords: "stations" });
    const [own, its] = [insight, other].map((path) => Number(path.split("/").at(-1)));
    const compared = await read(insight, `${SPAN}&compare=${its},${own}`);
    expect(compared.share_of_voice).toEqual([
      {
        id: own,
        terms: "charging",
        postings: 6,
        posting_share: 0.75,
        authors: 3,
        author_share: 0.75,
        author_error: 0,
      },
      {
        id: its,
        terms: "stations",
        postings: 2,
        posting_share: 0.25,
        authors: 1,
        author_share: 0.25,
        author_error: 0,
      },
    ]);
    const filtered = await read(insight, `${SPAN}&compare=${its}&q=lisbon`);
    expect(filtered.share_of_voice?.map(({ postings }) => postings)).toEqual([2, 1]);
  });

  it("show at once what is imported, erased and imported again", async () => {
    const path = await imported(STATED_POSTINGS.slice(0, 1));
    const count = async () => (await read(path, SPAN)).totals.postings;
    expect(await count()).toBe(1);
    const added = { ...STATED_POSTINGS[1], platform: "reddit", author_id: "t2_erased", social_id: "t3_erased" };
    await user.post(`${path}/postings`, JSON.stringify(added), NDJSON);
    await expect.poll(count).toBe(2);
    const erased = await user.send("DELETE", `${INSIGHTS}/postings?platform=reddit&author_id=t2_erased`);
    expect(erased.body).toEqual({ deleted: 1 });
    expect(await count()).toBe(1);
  });

  it("judge no spikes without 14 complete days before, nor under a filter, and say so", async () => {
    const at = (days: number) => new Date(Date.now() - days * DAY_MS);
    const item = (days: number) => ({ guid: `g${days}`, title: `Charging ${days}`, text: "I love it.", at: at(days) });
    feeds.feeds.set("/days", [1, 2, 3].map(item));
    const path = await imported([], { platforms: ["news"], follow: { feeds: [feeds.url("/days")] } });
    await expect.poll(async () => (await user.get(path)).body).toMatchObject({ posting_count: 3, unanalysed_count: 0 });
    const span = `start_date=${at(5).toISOString().slice(0, 10)}&end_date=${at(1).toISOString().slice(0, 10)}`;
    const { spikes, coverage, series, totals } = await read(path, span);
    expect(totals.postings).toBe(2);
    const needs = {
      postings: "14 complete days before the day; there are 0",
      negative_share: "one complete day with at least 30 postings that have a polarity",
    };
    expect(spikes).toEqual({
      judgements: (["postings", "negative_share"] as const).map((metric) => ({
        platform: null,
        metric,
        status: "not_enough_history",
        judged: 0,
        needs: needs[metric],
      })),
      spikes: [],
    });
    expect(coverage).toEqual((await user.get(`${path}/coverage?${span}`)).body);
    // What was collected completely begins with the oldest item of the feed, in the middle of the third day.
    expect(series.map(({ completeness }) => completeness)).toEqual(["thin", "thin", "thin", "complete"]);
    const filtered = await read(path, `${span}&q=charging`);
    expect(filtered.spikes.judgements.map(({ status }) => status)).toEqual(["filtered", "filtered"]);
  });

  it("refuse what they cannot count, by field", async () => {
    const wrong = async (query: string) => {
      const answer = await user.get(`${insight}/summary?${query}`);
      expect(answer.status, answer.text).toBe(400);
      return fieldsOf(answer);
    };
    expect(await wrong("start_date=2026-02-30&interval=year&top=0&platform=x&compare=a")).toEqual(
      expect.arrayContaining(["start_date", "interval", "top", "platform", "compare[0]"]),
    );
    expect(await wrong("compare=999999")).toEqual(["compare[0]"]);
    expect(await wrong("start_date=2025-01-01&end_date=2026-01-03")).toEqual(["start_date"]);
    expect(await wrong("q=%22open")).toEqual(["q"]);
    expect(await wrong("time_zone=Europe/Atlantis")).toEqual(["time_zone"]);
    expect(await wrong("start=2026-01-01T00:30:00Z")).toEqual(["start"]);
    expect((await user.get(`${INSIGHTS}/999999/summary`)).status).toBe(404);
  });

  it("are documented by the answer to a true request", async () => {
    const path = await imported(DOCUMENTED_POSTINGS);
    const content = document.paths[SUMMARY]?.["get"]?.responses["200"]?.content?.["application/json"];
    // The coverage changes once, with the first poll of each platform.
    const summary = await vi.waitFor(
      async () => {
        const answer = await read(path, "start_date=2026-01-30&end_date=2026-02-01&top=3");
        // The query is that of this insight, given when it was created.
        const { versions } = answer as Summary & { versions: unknown };
        expect({ ...(content?.example as Summary), versions }).toEqual(answer);
        return answer;
      },
      { timeout: LIMITS.condition, interval: 250 },
    );
    const page = await readFile(new URL("../../docs/summaries.md", import.meta.url), "utf8");
    const shown: unknown = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? "");
    expect(summary).toMatchObject(shown as object);
  });
});
