import { create } from "@bufbuild/protobuf";
import type { ImportHeader, InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema, type Posting } from "@hourglass/proto/insight/v1/posting";
import { AppError, type Handlers } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient } from "../testing/gateway-under-test.js";

const INSIGHTS = "/api/v2/products/insight";
const POSTINGS = `${INSIGHTS}/7/postings`;
const LINE = { platform: "reddit", post_date: "12/31/2025", post_time: "23:59:59", text_of_post: "x" };

/** The search of reddit into which postings are imported. */
const getInsight = () => Promise.resolve({ insight: { id: 7n, query: { platforms: [Platform.REDDIT] } } });

/** A service that stores nothing and remembers what it was sent. */
class Receiver {
  header: ImportHeader | undefined;
  readonly postings: Posting[] = [];
  readonly slices: number[] = [];
  isWhole = false;

  readonly importPostings: NonNullable<Handlers<typeof InsightService>["importPostings"]> = async (requests) => {
    for await (const { part, last } of requests) {
      if (part.case === "header") this.header = part.value;
      if (part.case === "slice") {
        this.slices.push(part.value.postings.length);
        this.postings.push(...part.value.postings);
      }
      this.isWhole = last;
    }
    return { accepted: this.postings.length, duplicates: 0, unmatched: 1, erased: 0 };
  };
}

describe("postings through the gateway", () => {
  const gateway = new GatewayClient();
  const { start, get, post } = gateway;

  afterEach(() => gateway.stop());

  async function startReceiver(): Promise<Receiver> {
    const receiver = new Receiver();
    await start({ insight: { getInsight, importPostings: receiver.importPostings } });
    return receiver;
  }

  const importLines = (text: string, query = "", headers: Record<string, string> = {}) =>
    post(POSTINGS + query, text, { "content-type": "application/x-ndjson", ...headers });
  const importCsv = (text: string, query = "") =>
    post(POSTINGS + query, text, { "content-type": "text/csv; charset=utf-8" });

  async function detailsOf(response: Response): Promise<{ field: string; message: string }[]> {
    expect(response.status).toBe(400);
    return ((await response.json()) as { details: { field: string; message: string }[] }).details;
  }
  const fieldsOf = async (response: Response) => (await detailsOf(response)).map(({ field }) => field);

  describe("that are imported", () => {
    it("reach the service in slices, in order, with all that the caller said", async () => {
      const receiver = await startReceiver();
      const lines = Array.from({ length: 1001 }, (_, index) => JSON.stringify({ ...LINE, social_id: String(index) }));
      const response = await importLines(lines.join("\n"), "", { "idempotency-key": "k" });
      expect(await response.json()).toEqual({ accepted: 1001, duplicates: 0, warnings: [] });
      expect(receiver.header).toMatchObject({ id: 7n, match: false, idempotencyKey: "k" });
      expect(receiver.postings.map(({ socialId }) => Number(socialId))).toEqual([...lines.keys()]);
      expect(Math.max(...receiver.slices)).toBeLessThanOrEqual(500);
      expect(receiver.isWhole).toBe(true);
    });

    it("reach it in more slices when they are long", async () => {
      const receiver = await startReceiver();
      const long = JSON.stringify({ ...LINE, text_of_post: "x".repeat(900_000) });
      expect((await importLines(`${long}\n${long}\n${long}`)).status).toBe(200);
      expect(receiver.slices).toEqual([1, 1, 1]);
    });

    it("may be none", async () => {
      const receiver = await startReceiver();
      expect(await (await importLines("\n")).json()).toEqual({ accepted: 0, duplicates: 0, warnings: [] });
      expect(receiver.isWhole).toBe(true);
    });

    it("are counted apart if they do not match, when the caller asks for that", async () => {
      const receiver = await startReceiver();
      expect(await (await importLines(JSON.stringify(LINE), "?match=true")).json()).toMatchObject({ unmatched: 1 });
      expect(receiver.header?.match).toBe(true);
      expect(await fieldsOf(await importLines("", "?match=yes"))).toEqual(["match"]);
    });

    it("are refused together if one is wrong, each wrong field by its line", async () => {
      const receiver = await startReceiver();
      const lines = [
        JSON.stringify(LINE),
        "{",
        JSON.stringify({ ...LINE, post_date: "2/30/2026", like_count: "many", place_id: "x".repeat(501) }),
        JSON.stringify({ platform: "myspace" }),
        "7",
        JSON.stringify({ ...LINE, like_count: "9223372036854775808" }),
      ];
      expect(await fieldsOf(await importLines(lines.join("\n")))).toEqual([
        "postings[1]",
        "postings[2].post_date",
        "postings[2].like_count",
        "postings[2].place_id",
        "postings[3].post_date",
        "postings[3].post_time",
        "postings[3].platform",
        "postings[4]",
        "postings[5].like_count",
      ]);
      expect(receiver.header).toBeUndefined();
    });

    it("are refused with lines of platforms that the search does not have among those that are wrong otherwise", async () => {
      await startReceiver();
      const elsewhere = { ...LINE, platform: "tiktok" };
      const lines = [elsewhere, { ...LINE, like_count: "many" }, { ...elsewhere, post_time: "noon" }, LINE];
      const details = await detailsOf(await importLines(lines.map((line) => JSON.stringify(line)).join("\n")));
      expect(details.map(({ field }) => field)).toEqual([
        "postings[0].platform",
        "postings[1].like_count",
        "postings[2].post_time",
        "postings[2].platform",
      ]);
      expect(details[0]?.message).toBe("Give a platform of the search: reddit.");
    });

    it("are at most 10,000, and wrong ones do not make an endless answer", async () => {
      await startReceiver();
      const many = (count: number, text: string) => Array.from({ length: count }, () => text).join("\n");
      expect(await detailsOf(await importLines(many(10_001, JSON.stringify(LINE))))).toEqual([
        { field: "postings", message: "Give at most 10,000 items." },
      ]);
      expect((await detailsOf(await importLines(many(10_000, "{}")))).length).toBeLessThan(1100);
    });

    it("are refused by the service with the same names", async () => {
      const violations = [{ field: "postings[1].platform", message: "Give one of these: news." }];
      await start({ insight: { getInsight, importPostings: () => Promise.reject(AppError.invalid(violations)) } });
      const line = JSON.stringify(LINE);
      expect(await detailsOf(await importLines(`${line}\n${line}`))).toEqual(violations);
      const csv =
        "platform,post_date,post_time,text_of_post\nreddit,later,0,x\nreddit,1/1/2026,00:00:00,x\nreddit,1/1/2026,00:00:00,x\n";
      expect(await fieldsOf(await importCsv(csv))).toEqual(["rows[4].platform"]);
    });

    it("may be CSV, whose wrong rows are left out and explained", async () => {
      const receiver = await startReceiver();
      const csv =
        "when,words,score\n2026-01-31T10:20:30Z,one,1\nlater,two,2\n2026-01-31,three,many\n1/31/2026,four,-4\n";
      const map = { platform: { value: "reddit" }, posted_at: "when", text_of_post: "words", like_count: "score" };
      const response = await importCsv(csv, `?map=${encodeURIComponent(JSON.stringify(map))}`);
      expect(await response.json()).toMatchObject({
        accepted: 2,
        skipped: 2,
        skipped_rows: [
          { row: 3, message: expect.stringMatching(/^posted_at: Give a time/) as string },
          { row: 4, message: expect.stringMatching(/^like_count: Give a whole number/) as string },
        ],
      });
      expect(receiver.postings).toMatchObject([
        { textOfPost: "one", counts: { likeCount: 1n } },
        { textOfPost: "four", counts: { likeCount: -4n } },
      ]);
    });

    it.each([
      ["?preset=5cat", ["preset"]],
      ["?map={", ["map"]],
      ["?map={}", ["map.platform", "map.posted_at"]],
      ['?map={"text":"b"}', ["map.text"]],
      ['?preset=4cat&map={"text_of_post":"words"}', ["map.text_of_post"]],
    ])("may be CSV only with columns that it has: %s", async (query, fields) => {
      const receiver = await startReceiver();
      expect(await fieldsOf(await importCsv("id,body\n1,x\n", query))).toEqual(fields);
      expect(receiver.header).toBeUndefined();
    });

    it("are refused in other types and charsets", async () => {
      await startReceiver();
      expect((await post(POSTINGS, {})).status).toBe(415);
      expect((await importLines("", "", { "content-type": "application/x-ndjson; charset=latin1" })).status).toBe(415);
    });
  });

  describe("that are listed", () => {
    it("are posting objects, filtered as asked for", async () => {
      const seen: unknown[] = [];
      const posting = create(PostingSchema, { insightSearchId: 7n, platform: Platform.NEWS, terms: "a" });
      await start({
        insight: {
          listPostings: ({ filter, limit, cursor, id }) => {
            const { platforms, sentiments, languages, topics, q, start: from, end } = filter ?? {};
            seen.push(id, limit, cursor, platforms, sentiments, languages, topics, q, from?.seconds, end?.seconds);
            return Promise.resolve({ postings: [posting], nextCursor: "n" });
          },
        },
      });
      const query =
        "?platform=news,reddit&platform=twitter&platform=news&sentiment=joy,none&language=en&q=%22a%20b%22" +
        "&topic=Leeds,%20UK&topic=birds&start_date=1970-01-02&end=1970-01-03T01:00:00%2B01:00&limit=3&cursor=c";
      expect(await (await get(POSTINGS + query)).json()).toMatchObject({
        postings: [{ insight_search_id: "7", platform: "news", social_id: null }],
        next_cursor: "n",
      });
      const platforms = [Platform.NEWS, Platform.REDDIT, Platform.TWITTER];
      expect(seen).toEqual([
        7n,
        3,
        "c",
        platforms,
        ["joy", "none"],
        ["en"],
        ["Leeds, UK", "birds"],
        '"a b"',
        86_400n,
        172_800n,
      ]);
    });

    it.each([
      ["platform=myspace", ["platform"]],
      ["start_date=2026-02-30&end_date=2026-02-01&q=a", ["start_date"]],
      ["start_date=2026-02-02&end_date=2026-02-01&platform=x", ["platform", "start_date"]],
      ["start_date=2026-02-02&end_date=2026-02-01", ["start_date"]],
      [`language=${"x".repeat(36)}`, ["language"]],
      [`q=${"x".repeat(501)}`, ["q"]],
      ["sentiment=&intention=", ["sentiment", "intention"]],
      ["limit=0", ["limit"]],
      ["sort=likes&order=up&total=yes&end=yesterday&polarity=good", ["polarity", "end", "sort", "order", "total"]],
    ])("are refused with %.40s", async (query, fields) => {
      await start({ insight: { listPostings: () => Promise.resolve({}) } });
      expect(await fieldsOf(await get(`${POSTINGS}?${query}`))).toEqual(fields);
    });

    it("are sorted, counted and read from a watermark on", async () => {
      const seen: unknown[] = [];
      await start({
        insight: {
          listPostings: ({ sort, ascending, withTotal, since }) => {
            seen.push(sort, ascending, withTotal, since);
            return Promise.resolve({ total: 12n, totalIsExact: true, watermark: "99" });
          },
        },
      });
      const page = await get(`${POSTINGS}?sort=engagement&order=asc&total=true&since=42`);
      expect(await page.json()).toMatchObject({ total: 12, total_is_exact: true, watermark: "99" });
      expect(seen).toEqual(["engagement", true, true, "42"]);
    });

    it("are refused by the service with the names of the query string", async () => {
      const violations = ["filter.q", "filter.start", "filter.platforms[0]"].map((field) => ({
        field,
        message: "No.",
      }));
      await start({ insight: { listPostings: () => Promise.reject(AppError.invalid(violations)) } });
      expect(await fieldsOf(await get(POSTINGS))).toEqual(["q", "start_date", "platform"]);
    });
  });

  describe("that are erased", () => {
    const erase = (query: string) =>
      fetch(`${gateway.url}${INSIGHTS}/postings${query}`, {
        method: "DELETE",
        headers: { authorization: AUTHORIZATION },
      });

    it("are counted", async () => {
      const seen: unknown[] = [];
      await start({
        insight: {
          erasePostings: ({ platform, socialId, authorId }) => {
            seen.push([platform, socialId, authorId]);
            return Promise.resolve({ deleted: 2n });
          },
        },
      });
      expect(await (await erase("?platform=news&social_id=a%2Cb")).json()).toEqual({ deleted: 2 });
      expect((await erase("?platform=news&author_id=7")).status).toBe(200);
      expect(seen).toEqual([
        [Platform.NEWS, "a,b", ""],
        [Platform.NEWS, "", "7"],
      ]);
    });

    it.each([
      ["", ["platform", "social_id"]],
      ["?platform=news", ["social_id"]],
      ["?platform=news&social_id=1&author_id=2", ["social_id"]],
      ["?platform=x&social_id=1", ["platform"]],
    ])("are named by platform and one id: %s", async (query, fields) => {
      await start({ insight: { erasePostings: () => Promise.resolve({ deleted: 0n }) } });
      expect(await fieldsOf(await erase(query))).toEqual(fields);
    });
  });
});
