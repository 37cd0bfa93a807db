import { EXPORTED_KEYS, POSTING_KEYS } from "@hourglass/posting";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { admin } from "./admin.js";
import { type ApiDocument, Documented } from "./documented.js";
import { EXPORTS, EXPORTS_ALIAS, fieldsOf, INSIGHTS, User } from "./routes.js";

const NDJSON = { "content-type": "application/x-ndjson" };
/** Compressed downloads have no length, and another tag. */
const PLAIN = { "accept-encoding": "identity" };
const JANUARY = { start_date: "2026-01-01", end_date: "2026-02-01" };

/** Postings as an import gives them: the second before the first, one outside of the range, one of another author. */
const POSTINGS = [
  {
    social_id: "b",
    post_date: "1/31/2026",
    post_time: "23:59:59",
    text_of_post: '=cmd|"x", \u0000\n🦅',
    like_count: "-3",
  },
  { social_id: "a", post_date: "1/1/2026", post_time: "00:00:00", text_of_post: "…", text_post_tags: ["x, y", "z"] },
  { social_id: "c", post_date: "2/1/2026", post_time: "00:00:00", text_of_post: "A kestrel in February." },
  { social_id: "d", post_date: "1/5/2026", post_time: "10:00:00", text_of_post: "I love this.", author_id: "ada" },
].map((posting) => ({ platform: "reddit", ...posting }));

describe.each(TRANSPORTS)("exports with services %s", (transport) => {
  let server: TestServer;
  let user: User;
  let document: ApiDocument;
  let insight: string;
  /** Path of a done export. */
  let done: string;

  beforeAll(async () => {
    server = await startServer({ NEWS_FEEDS: "none" }, transport);
    user = await User.signIn(server);
    document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
    insight = await newInsight();
    const lines = POSTINGS.map((posting) => JSON.stringify(posting)).join("\n");
    expect((await user.post(`${insight}/postings`, lines, NDJSON)).body).toMatchObject({ accepted: 4 });
    done = await exported({ ...JANUARY, insight_search_ids: [idOf(insight)] });
  });
  afterAll(() => server.close());

  async function newInsight(): Promise<string> {
    const query = { keywords: "kestrel", platforms: ["reddit"], dimensions: ["textual"] };
    return (await user.post(INSIGHTS, { query })).headers.get("location") ?? "";
  }

  function idOf(path: string): number {
    return Number(path.split("/").at(-1));
  }

  /** The path of an export that has ended. */
  async function exported(body: object): Promise<string> {
    const created = await user.post(EXPORTS, body);
    expect(created.status, created.text).toBe(201);
    const path = created.headers.get("location") ?? "";
    expect((await user.get(`${path}?wait=60`)).body).toMatchObject({ status: "done" });
    return path;
  }

  /** What the document does not say of an answer. */
  function undocumented(answer: Answer, method: string, route: string): string[] {
    const content = document.paths[route]?.[method]?.responses[answer.status]?.content?.["application/json"];
    if (content === undefined) throw new Error(`the document does not hold ${answer.status} of ${method} ${route}`);
    return new Documented(document).differences(answer.body, content.schema);
  }

  it("hold the analyzed postings of the range, by time, with every key", async () => {
    const answer = await user.get(done);
    expect(undocumented(answer, "get", `${EXPORTS}/{id}`)).toEqual([]);
    const { data, coverage, ...head } = answer.body as { data: Record<string, unknown>[]; coverage: unknown };
    expect(head).toMatchObject({
      id: idOf(done),
      query: { ...JANUARY, insight_search_ids: [idOf(insight)] },
      progress: { done: 3, total: 3, analysed: 3, rendered: 3 },
      rows: 3,
      revised_at: null,
    });
    expect(coverage).toMatchObject([
      { insight_search_id: idOf(insight), platforms: [{ spans: expect.any(Array) as unknown }] },
    ]);
    expect(data.map(({ social_id: id }) => id)).toEqual(["a", "d", "b"]);
    for (const posting of data) expect(Object.keys(posting)).toEqual(POSTING_KEYS);
    expect(data[1]).toMatchObject({ author_id: "ada", sentiments: expect.any(String) as string, terms: "kestrel" });
    expect((await user.get(`${EXPORTS_ALIAS}/${idOf(done)}`)).body).toEqual(answer.body);
    const listed = await user.get(EXPORTS);
    expect(undocumented(listed, "get", EXPORTS)).toEqual([]);
    expect(listed.body).toMatchObject({ exports: [head] });
  });

  it("hold the postings that a filter asks for, and say which", async () => {
    const asked = { ...JANUARY, insight_search_ids: [idOf(insight)] };
    const filter = {
      author: ["ADA", "none"],
      hashtag: ["none"],
      start: "2026-01-02T00:00:00.000Z",
      q: "love OR kestrel",
    };
    const answer = await user.get(await exported({ ...asked, filter }));
    expect(undocumented(answer, "get", `${EXPORTS}/{id}`)).toEqual([]);
    const { data, ...head } = answer.body as { data: Record<string, unknown>[] };
    expect(data.map(({ social_id: id }) => id)).toEqual(["d"]);
    expect(head).toMatchObject({ rows: 1, progress: { total: 1 }, query: { ...JANUARY, filter } });
  });

  it.each([
    [{ sentiment: ["bliss"], q: '"open' }, ["filter.sentiment[0]", "filter.q"]],
    [{ polarity: ["good"], end: "soon" }, ["filter.polarity[0]", "filter.end"]],
    [{ sentimen: ["joy"] }, ["filter.sentimen"]],
    [{ language: ["en", "klingon"], country: ["none", "uk"] }, ["filter.country[1]", "filter.language[1]"]],
  ])("are refused with the filter %j", async (filter, fields) => {
    const asked = { ...JANUARY, insight_search_ids: [idOf(insight)], filter };
    const refused = await user.post(EXPORTS, asked);
    expect([refused.status, fieldsOf(refused).sort()]).toEqual([400, fields.sort()]);
  });

  it("are downloaded in every format, as large as the record says", async () => {
    const { data, files } = (await user.get(done)).body as {
      data: Record<string, unknown>[];
      files: { format: string; size: number }[];
    };
    expect(files.map(({ format }) => format).sort()).toEqual(["csv", "json", "ndjson", "parquet"]);
    for (const { format, size } of files) {
      const answer = await user.get(`${done}/download?format=${format}`, PLAIN);
      expect([format, answer.status, answer.headers.get("content-length")]).toEqual([format, 200, String(size)]);
    }
    const text = async (format: string) => (await user.get(`${done}/download?format=${format}`)).text;
    expect(JSON.parse(await text("json"))).toEqual(data);
    const moments = ["2026-01-01T00:00:00Z", "2026-01-05T10:00:00Z", "2026-01-31T23:59:59Z"];
    const lines = (await text("ndjson")).trimEnd().split("\n");
    const objects = lines.map((line) => JSON.parse(line) as object);
    expect(objects).toEqual(data.map((posting, index) => ({ ...posting, posted_at: moments[index] })));
    for (const object of objects) expect(Object.keys(object)).toEqual(EXPORTED_KEYS);
    const csv = await text("csv");
    expect(csv).toContain(`,"'=cmd|""x"", \u0000\n🦅",`);
    expect(csv.split("\r\n").map((row) => row.split(",").at(-1))).toEqual(["posted_at", ...moments, ""]);
    expect(await text("parquet")).toMatch(/^PAR1[^]*PAR1$/);
  });

  it("are downloaded in parts, and not again by who has them", async () => {
    const path = `${done}/download?format=json`;
    const whole = await user.get(path, PLAIN);
    const etag = whole.headers.get("etag") ?? "";
    const part = await user.get(path, { ...PLAIN, range: "bytes=5-20", "if-range": etag });
    expect([part.status, part.text]).toEqual([206, whole.text.slice(5, 21)]);
    expect((await user.get(path, { ...PLAIN, "if-none-match": etag })).status).toBe(304);
    expect((await user.get(path, { range: "bytes=1000000-" })).status).toBe(416);
  });

  it("are rendered with other columns or separators on request", async () => {
    const get = async (query: string) => (await user.get(`${done}/download?${query}`)).text;
    expect(await get("format=csv&columns=social_id,platform&delimiter=semicolon")).toBe(
      "social_id;platform\r\na;reddit\r\nd;reddit\r\nb;reddit\r\n",
    );
    expect(JSON.parse(await get("format=json&ids_only=true"))).toEqual(
      ["a", "d", "b"].map((id) => ({ platform: "reddit", social_id: id, social_url: null })),
    );
    expect(await get("format=csv&columns=posted_at,social_id")).toMatch(
      /^posted_at,social_id\r\n2026-01-01T00:00:00Z,a\r\n/,
    );
    expect(await get("format=parquet&columns=social_id")).toMatch(/^PAR1[^]*PAR1$/);
    expect(fieldsOf(await user.get(`${done}/download?format=xls&columns=a&delimiter=x&bom=1`)).sort()).toEqual(
      ["bom", "columns", "delimiter", "format"].sort(),
    );
  });

  it.each([
    ["CSV", "text/csv"],
    ["NDJSON", "application/x-ndjson"],
  ])("lose nothing when their %s is imported again, but what the analysis fills", async (_, type) => {
    const other = await newInsight();
    const file = (await user.get(done, { accept: type })).text;
    const imported = await user.post(`${other}/postings`, file, { "content-type": type });
    expect(imported.body).toMatchObject({ accepted: 3, warnings: [] });
    const again = await exported({ ...JANUARY, insight_search_ids: [idOf(other)] });
    const dataOf = async (path: string) => ((await user.get(path)).body as { data: Record<string, unknown>[] }).data;
    const moved = (await dataOf(done)).map((posting) => ({ ...posting, insight_search_id: String(idOf(other)) }));
    expect(await dataOf(again)).toEqual(moved);
  });

  it("of a range without postings are valid in every format", async () => {
    const path = await exported({
      insight_search_ids: [idOf(insight)],
      start_date: "2020-01-01",
      end_date: "2020-01-02",
    });
    expect((await user.get(path)).body).toMatchObject({ rows: 0, data: [] });
    const text = async (format: string) => (await user.get(`${path}/download?format=${format}`)).text;
    expect(await text("ndjson")).toBe("");
    expect(await text("csv")).toBe(`${EXPORTED_KEYS.join(",")}\r\n`);
    expect(await text("parquet")).toMatch(/^PAR1[^]*PAR1$/);
  });

  it("are not read by a link while the product of their company is switched off", async () => {
    const { url } = (await user.post(`${done}/links`, { format: "csv" })).body as { url: string };
    const status = async () => (await fetch(url)).status;
    const turn = (active: boolean) =>
      admin(server.storage, "product", "set", "--company", "Example", "--uid", "insight", "--active", String(active));
    expect(await status()).toBe(200);
    await turn(false);
    await expect.poll(status, { timeout: 10_000 }).toBe(404);
    await turn(true);
    await expect.poll(status, { timeout: 10_000 }).toBe(200);
  });

  it("are read by a link without a token, until they are deleted", async () => {
    const path = await exported({ ...JANUARY, insight_search_ids: [idOf(insight)] });
    const created = await user.post(`${path}/links`, { format: "csv" });
    expect(created.status).toBe(201);
    expect(undocumented(created, "post", `${EXPORTS}/{id}/links`)).toEqual([]);
    const { url } = created.body as { url: string };
    const follow = async (address: string) => {
      const response = await fetch(address);
      return { status: response.status, text: await response.text() };
    };
    expect(await follow(url)).toEqual({ status: 200, text: (await user.get(`${path}/download?format=csv`)).text });
    expect((await follow(`${url.slice(0, -1)}_`)).status).toBe(404);
    expect((await user.send("DELETE", path)).status).toBe(204);
    expect((await follow(url)).status).toBe(404);
    for (const gone of [path, `${path}/download`]) expect((await user.get(gone)).status).toBe(404);
  });

  it("of unknown insights are refused by the index of each", async () => {
    const answer = await user.post(EXPORTS, { ...JANUARY, insight_search_ids: [999, idOf(insight), 998] });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["insight_search_ids[0]", "insight_search_ids[2]"]]);
  });
});
