import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../support/limits.js";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { admin } from "./admin.js";
import { type ApiDocument, Documented } from "./documented.js";
import { EXPORTS, fieldsOf, INSIGHTS, User } from "./routes.js";

const QUERY = { keywords: "kestrel", platforms: ["reddit", "news"], dimensions: ["textual"] };
const LINE = { platform: "reddit", post_date: "1/31/2026", post_time: "10:20:30", text_of_post: "A kestrel hovers." };
const NDJSON = { "content-type": "application/x-ndjson" };
const CSV = { "content-type": "text/csv" };

interface Explained {
  type: string;
  data: { explanation?: { spans: { text: string }[] } };
}

describe.each(TRANSPORTS)("imports with services %s", (transport) => {
  let server: TestServer;
  let user: User;
  let documented: Documented;
  let document: ApiDocument;

  beforeAll(async () => {
    server = await startServer({ NEWS_FEEDS: "none" }, transport);
    user = await User.signIn(server);
    document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
    documented = new Documented(document);
  });
  afterAll(() => server.close());

  /** The path of a new insight. */
  async function newInsight(): Promise<string> {
    const created = await user.post(INSIGHTS, { query: QUERY });
    expect(created.status, created.text).toBe(200);
    return created.headers.get("location") ?? "";
  }

  function lines(...postings: object[]): string {
    return postings.map((posting) => JSON.stringify({ ...LINE, ...posting })).join("\n");
  }

  /** What the document does not say of an answer. */
  function undocumented(answer: Answer, method: string, route: string): string[] {
    const content = document.paths[route]?.[method]?.responses["200"]?.content?.["application/json"];
    if (content === undefined) throw new Error(`the document does not hold ${method} ${route}`);
    return documented.differences(answer.body, content.schema);
  }

  async function listed(insight: string, count: number): Promise<Record<string, unknown>[]> {
    let postings: Record<string, unknown>[] = [];
    await expect
      .poll(async () => {
        const answer = await user.get(`${insight}/postings`);
        expect(undocumented(answer, "get", `${INSIGHTS}/{id}/postings`)).toEqual([]);
        postings = (answer.body as { postings: Record<string, unknown>[] }).postings;
        return postings.length;
      })
      .toBe(count);
    return postings;
  }

  it("store lines once, whose analysis and counts a list then shows", async () => {
    const insight = await newInsight();
    const body = lines({ social_id: "a", like_count: "-3" }, { social_id: "b" }, { social_id: "b" });
    const first = await user.post(`${insight}/postings`, body, NDJSON);
    expect([first.status, first.body]).toEqual([200, { accepted: 2, duplicates: 1, warnings: [] }]);
    expect(undocumented(first, "post", `${INSIGHTS}/{id}/postings`)).toEqual([]);
    expect((await user.post(`${insight}/postings`, body, NDJSON)).body).toEqual({
      accepted: 0,
      duplicates: 3,
      warnings: [],
    });
    const postings = await listed(insight, 2);
    expect(postings.find(({ social_id: id }) => id === "a")).toMatchObject({
      platform: "reddit",
      terms: "kestrel",
      like_count: "-3",
      post_date: "1/31/2026",
      more_info: { key: expect.any(String) as string, emotion: expect.any(Object) as object },
    });
    const record = await user.get(insight);
    expect(undocumented(record, "get", `${INSIGHTS}/{id}`)).toEqual([]);
    expect(record.body).toMatchObject({ posting_count: 2, query: { follow: null } });
  });

  it("are listed and exported by their social_id where their time is the same", async () => {
    const insight = await newInsight();
    const body = lines(...["b", "10", "a", "9"].map((id) => ({ social_id: id })), { text_of_post: "No id." });
    await user.post(`${insight}/postings`, body, NDJSON);
    const idsOf = (postings: readonly Record<string, unknown>[]) => postings.map(({ social_id: id }) => id);
    const order = [null, "10", "9", "a", "b"];
    expect(idsOf(await listed(insight, 5))).toEqual([...order].reverse());
    for (const query of ["", "&platform=reddit", "&sort=like_count"]) {
      const answer = await user.get(`${insight}/postings?order=asc${query}`);
      expect(idsOf((answer.body as { postings: Record<string, unknown>[] }).postings)).toEqual(order);
    }
    const id = Number(insight.split("/").at(-1));
    const range = { start_date: "2026-01-01", end_date: "2026-02-01" };
    const made = await user.post(EXPORTS, { ...range, insight_search_ids: [id] });
    const done = await user.get(`${made.headers.get("location") ?? ""}?wait=60`);
    expect(idsOf((done.body as { data: Record<string, unknown>[] }).data)).toEqual(order);
  });

  it("can be read one by one, and explained by the models of now", async () => {
    const insight = await newInsight();
    await user.post(
      `${insight}/postings`,
      lines({ text_of_post: "I love the kestrels of Lisbon, wonderful!" }),
      NDJSON,
    );
    const [posting] = await listed(insight, 1);
    const path = `${insight}/postings/${(posting?.["more_info"] as { key: string }).key}`;
    expect((await user.get(path)).body).toEqual(posting);
    const explained = await user.get(`${path}?explain=true`);
    expect([explained.status, undocumented(explained, "get", `${INSIGHTS}/{id}/postings/{key}`)]).toEqual([200, []]);
    const { analyses, ...rest } = explained.body as { analyses: Explained[] };
    expect(rest).toEqual(posting);
    expect(analyses.map(({ type }) => type).sort()).toEqual([
      ...["intention", "sentiment-real", "sentiment-simple", "spam-detection", "topic"],
    ]);
    const simple = analyses.find(({ type }) => type === "sentiment-simple");
    expect(simple).toMatchObject({ data: { value: "positive" }, model: { id: expect.any(String) as string } });
    expect(simple?.data.explanation?.spans.map(({ text }) => text).join(" ")).toMatch(/love|wonderful/);
    const missing = await user.get(`${insight}/postings/reddit-0000000000000000000000`);
    expect([missing.status, (missing.body as { code: string }).code]).toEqual([404, "posting_not_found"]);
    const elsewhere = await user.get(path.replace(insight, await newInsight()));
    expect(elsewhere.status).toBe(404);
  });

  it("are analyzed again on an operator's request, unless the present models have analyzed them", async () => {
    const insight = await newInsight();
    await user.post(`${insight}/postings`, lines({ social_id: "a" }, { social_id: "b" }), NDJSON);
    await listed(insight, 2);
    const id = insight.split("/").at(-1) ?? "";
    expect(await admin(server.storage, "reanalyze", "--insight", id)).toMatch(new RegExp(`^${id}\trunning\t`));
    await expect
      .poll(() => admin(server.storage, "reanalyze", "--insight", id, "--status"), { timeout: LIMITS.condition })
      .toMatch(new RegExp(`^${id}\tdone\t2 of 2\t0 analyzed again\t`));
  });

  it("repeat their first answer with the same key", async () => {
    const insight = await newInsight();
    const headers = { ...NDJSON, "idempotency-key": `import ${insight}` };
    const answers = [lines({ social_id: "a" }), lines({ social_id: "a" }), lines({ social_id: "c" })].map(
      (body) => () => user.post(`${insight}/postings`, body, headers),
    );
    const [first, second, other] = [await answers[0]!(), await answers[1]!(), await answers[2]!()];
    expect([first.body, second.body]).toEqual([first.body, { accepted: 1, duplicates: 0, warnings: [] }]);
    expect([other.status, fieldsOf(other)]).toEqual([400, ["Idempotency-Key"]]);
  });

  it("name lines of platforms that the insight does not have, and store nothing", async () => {
    const insight = await newInsight();
    const answer = await user.post(`${insight}/postings`, lines({}, { platform: "tiktok" }), NDJSON);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["postings[1].platform"]]);
    const csv =
      "platform,post_date,post_time,text_of_post\nreddit,1/31/2026,10:20:30,x\nreddit,never,10:20:30,x\ntiktok,1/31/2026,10:20:30,x\n";
    const refused = await user.post(`${insight}/postings`, csv, CSV);
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ["rows[4].platform"]]);
    expect((await user.get(insight)).body).toMatchObject({ posting_count: 0 });
  });

  it("leave out what does not match or was erased, if the rows are postings at all", async () => {
    const insight = await newInsight();
    const csv =
      "id,when,body\n1,2026-01-31 10:20:30,A kestrel\n2,2026-01-31 10:20:30,A falcon\n3,never,A kestrel\n4,2026-01-31,A kestrel\n";
    const map = { platform: { value: "reddit" }, social_id: "id", posted_at: "when", text_of_post: "body" };
    const query = `?match=true&map=${encodeURIComponent(JSON.stringify(map))}`;
    expect((await user.post(`${insight}/postings${query}`, csv, CSV)).body).toMatchObject({
      accepted: 2,
      unmatched: 1,
      skipped: 1,
      skipped_rows: [{ row: 4 }],
    });
    const erased = await user.send("DELETE", `${INSIGHTS}/postings?platform=reddit&social_id=4`);
    expect([erased.status, erased.body]).toEqual([200, { deleted: 1 }]);
    expect((await user.post(`${insight}/postings${query}`, csv, CSV)).body).toMatchObject({
      accepted: 0,
      duplicates: 1,
      unmatched: 1,
      erased: 1,
      skipped: 1,
    });
  });

  it("state a span to be complete, which makes its days so, and refuse wrong rows of it", async () => {
    const insight = await newInsight();
    const path = `${insight}/postings?complete_from=2026-01-01&complete_to=2026-02-01T00:00:00Z`;
    const refused = await user.post(path, "platform,post_date,post_time\nreddit,never,10:20:30\n", CSV);
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ["rows[2].post_date"]]);
    expect((await user.post(path, lines({}), NDJSON)).body).toMatchObject({ accepted: 1, duplicates: 0 });
    const coverage = await user.get(`${insight}/coverage?start_date=2025-12-31&end_date=2026-02-02`);
    const platforms = (coverage.body as { platforms: { spans: { start: string; completeness: string }[] }[] })
      .platforms;
    expect(platforms[0]?.spans).toMatchObject([
      { start: "2025-12-31T00:00:00.000Z", completeness: "unknown" },
      { start: "2026-01-01T00:00:00.000Z", end: "2026-02-01T00:00:00.000Z", completeness: "complete", reasons: [] },
      { completeness: "unknown" },
    ]);
    for (const [query, field] of [
      ["complete_from=2026-01-01", "complete_from"],
      ["complete_from=2026-02-01&complete_to=2026-01-01", "complete_from"],
      ["complete_from=2026-02-30&complete_to=2026-03-01", "complete_from"],
      ["complete_from=2026-02-01&complete_to=2999-01-01", "complete_to"],
      ["validate_only=maybe", "validate_only"],
    ]) {
      const answer = await user.post(`${insight}/postings?${query}`, lines({}), NDJSON);
      expect([answer.status, fieldsOf(answer)], query).toEqual([400, [field]]);
    }
  });

  it("say what they would do, and store nothing", async () => {
    const insight = await newInsight();
    const csv =
      "platform,post_date,post_time,text_of_post,social_id\n" +
      "reddit,1/31/2026,10:20:30,A kestrel #hovers,1\nreddit,never,10:20:30,A kestrel,2\nnews,1/31/2026,10:20:30,A falcon,3\n";
    const answer = await user.post(`${insight}/postings?validate_only=true&match=true`, csv, CSV);
    expect([answer.status, undocumented(answer, "post", `${INSIGHTS}/{id}/postings`)]).toEqual([200, []]);
    expect(answer.body).toMatchObject({
      ...{ accepted: 1, duplicates: 0, unmatched: 1, skipped: 1, skipped_rows: [{ row: 3 }] },
      first: [{ platform: "reddit", social_id: "1", text_post_tags: ["hovers"], terms: "kestrel", sentiments: null }],
      left_out: [{ row: 4, message: "It does not match the keywords." }],
    });
    expect((await user.get(insight)).body).toMatchObject({ posting_count: 0 });
    const wrong = await user.post(`${insight}/postings?validate_only=true`, lines({ social_id: "1.23E+18" }), NDJSON);
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ["postings[0].social_id"]]);
  });

  it("keep the digits of long whole numbers", async () => {
    const insight = await newInsight();
    const line = lines({ social_id: "a" }).replace(/\}$/, ',"more_info":{"thread":9007199254740993}}');
    expect((await user.post(`${insight}/postings`, line, NDJSON)).body).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await listed(insight, 1)).toMatchObject([{ more_info: { thread: "9007199254740993" } }]);
  });

  it("say what they did, and refuse files that contradict themselves", async () => {
    const insight = await newInsight();
    const csv = "platform,posted_at,text_of_post,text_post_lang,mood\nreddit,03/04/2026 08:00,A kestrel,pt_BR,good\n";
    const answer = await user.post(`${insight}/postings?validate_only=true`, csv, CSV);
    expect([answer.status, undocumented(answer, "post", `${INSIGHTS}/{id}/postings`)]).toEqual([200, []]);
    expect(answer.body).toMatchObject({
      first: [{ post_date: "3/4/2026", text_post_lang: "pt" }],
      warnings: [
        expect.stringContaining("mood") as string,
        expect.stringContaining("date_format=d/m/yyyy") as string,
        expect.stringContaining("pt_BR") as string,
      ],
    });
    const contradicting = `${csv}reddit,25/04/2026 08:00,A kestrel,pt,good\n`;
    const refused = await user.post(`${insight}/postings`, contradicting, CSV);
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ["date_format"]]);
    const stated = "?date_format=d/m/yyyy&time_zone=Europe/Lisbon";
    expect((await user.post(`${insight}/postings${stated}`, contradicting, CSV)).body).toMatchObject({ accepted: 2 });
    expect(await listed(insight, 2)).toMatchObject([
      { post_date: "4/25/2026", post_time: "07:00:00" },
      { post_date: "4/3/2026", post_time: "07:00:00" },
    ]);
    for (const [query, field] of [
      ["date_format=y/d/m", "date_format"],
      ["time_zone=Mars/Base", "time_zone"],
    ]) {
      const wrong = await user.post(`${insight}/postings?${query}`, csv, CSV);
      expect([wrong.status, fieldsOf(wrong)], query).toEqual([400, [field]]);
    }
  });

  it("leave out lines without text and media, and refuse fields that there are not", async () => {
    const insight = await newInsight();
    const body = lines({ text_of_post: null }, {}, { text_of_post: "", media_urls: ["https://a.example/1.png"] });
    const jsonl = { "content-type": "application/jsonl" };
    expect((await user.post(`${insight}/postings?validate_only=true`, body, jsonl)).body).toMatchObject({
      accepted: 2,
      skipped: 1,
      skipped_rows: [{ row: 1 }],
    });
    const wrong = await user.post(`${insight}/postings`, lines({ text_of_pots: "x" }), NDJSON);
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ["postings[0].text_of_pots"]]);
  });

  it("know a posting by its address, however that is spelled, and find codes in one spelling", async () => {
    const insight = await newInsight();
    const urls = ["https://example.com/a", "https://EXAMPLE.com:443/%61", "https://example.com/a#post-2"];
    const body = lines(...urls.map((url) => ({ social_url: url, text_post_lang: "por", place_country_code: "UK" })));
    expect((await user.post(`${insight}/postings`, body, NDJSON)).body).toMatchObject({ accepted: 2, duplicates: 1 });
    await listed(insight, 2);
    const found = await user.get(`${insight}/postings?language=pt&country=GB`);
    expect((found.body as { postings: unknown[] }).postings).toHaveLength(2);
  });

  it("are tried by viewers, who may not make them", async () => {
    const insight = await newInsight();
    const made = await user.post("/api/v2/users", {
      email: `viewer-${insight.split("/").at(-1)}@example.com`,
      role: "viewer",
    });
    const { email, password } = made.body as { email: string; password: string };
    const viewer = await User.signIn(server, email, password);
    expect((await viewer.post(`${insight}/postings?validate_only=true`, lines({}), NDJSON)).status).toBe(200);
    expect((await viewer.post(`${insight}/postings`, lines({}), NDJSON)).status).toBe(403);
  });

  it("are also made by a command", async () => {
    const insight = await newInsight();
    const file = path.join(server.dataDir, "tweets.csv");
    await writeFile(file, "id,timestamp,body\n7,2026-01-31 10:20:30,A kestrel\n8,never,A kestrel\n");
    const map = path.join(server.dataDir, "map.json");
    await writeFile(map, '{"platform":{"value":"reddit"}}');
    const id = insight.split("/").at(-1) ?? "";
    await admin(server.storage, "import", "--insight", id, "--file", file, "--preset", "4cat", "--map", map);
    expect(await listed(insight, 1)).toMatchObject([{ social_id: "7", text_of_post: "A kestrel" }]);
  });

  it("and all other answers about insights are as documented", async () => {
    const insight = await newInsight();
    const check = await user.post(`${INSIGHTS}/check`, { query: QUERY });
    expect(undocumented(check, "post", `${INSIGHTS}/check`)).toEqual([]);
    expect(undocumented(await user.get(`${INSIGHTS}/platforms`), "get", `${INSIGHTS}/platforms`)).toEqual([]);
    expect(undocumented(await user.get(`${insight}/coverage`), "get", `${INSIGHTS}/{id}/coverage`)).toEqual([]);
    expect(undocumented(await user.get(INSIGHTS), "get", INSIGHTS)).toEqual([]);
  });

  it("go into insights that have a name and a note, which lists find and the owner changes", async () => {
    const own = { name: "Kestrels of İzmir", note: "For the report." };
    const created = await user.post(INSIGHTS, { query: QUERY, ...own });
    const insight = created.headers.get("location") ?? "";
    const first = await user.get(insight);
    expect(undocumented(first, "get", `${INSIGHTS}/{id}`)).toEqual([]);
    const { id } = (await user.get("/api/v2/me")).body as { id: number };
    expect(first.body).toMatchObject({ ...own, created_by: { user_id: id, key_id: null } });
    const changed = await user.send("PATCH", insight, { body: { name: "Falcons", note: "" } });
    expect([changed.status, undocumented(changed, "patch", `${INSIGHTS}/{id}`)]).toEqual([200, []]);
    expect(await user.get(insight)).toMatchObject({
      body: { name: "Falcons", created_by: { user_id: id, key_id: null } },
    });
    expect([changed.body]).toMatchObject([{ name: "Falcons" }]);
    expect(changed.body).not.toHaveProperty("note");
    const idsOf = async (query: string) =>
      ((await user.get(`${INSIGHTS}?${query}`)).body as { insights: { id: number }[] }).insights.map((each) => each.id);
    const ownId = Number(insight.split("/").at(-1));
    expect(await idsOf("q=fALCON")).toEqual([ownId]);
    expect(await idsOf("q=kestrel&limit=1")).toHaveLength(1);
    expect(await idsOf("status=paused")).toEqual([]);
    expect((await user.send("PUT", `${insight}/pause`)).status).toBe(200);
    expect(await idsOf("status=paused&q=falc")).toEqual([ownId]);
    for (const [body, field] of [
      [{}, "name"],
      [{ name: "x".repeat(121) }, "name"],
      [{ note: "x".repeat(2001) }, "note"],
    ] as const) {
      const refused = await user.send("PATCH", insight, { body });
      expect([refused.status, fieldsOf(refused)]).toEqual([400, [field]]);
    }
    const wrong = await user.post(INSIGHTS, { query: QUERY, name: "x".repeat(121) });
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ["name"]]);
  });

  // Last: the postings of another test would wait for the analysis of these, for minutes on slow storage.
  it("take 10,000 lines", async () => {
    const insight = await newInsight();
    const many = Array.from({ length: 10_000 }, (_, index) => ({ social_id: `n${index}` }));
    const answer = await user.post(`${insight}/postings`, lines(...many), NDJSON);
    expect([answer.status, answer.body]).toEqual([200, { accepted: 10_000, duplicates: 0, warnings: [] }]);
    expect((await user.send("DELETE", insight)).status).toBe(204);
  });
});
