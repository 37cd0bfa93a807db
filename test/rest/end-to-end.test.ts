import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, BOTH_TRANSPORTS, type TestServer } from "../support/server.js";

const OPERATIONS = "/api/v2/products/api/operations";
const SIX = ["sentiment-simple", "sentiment-real", "topic", "spam-detection", "personality-mb", "intention"];

interface Operation {
  status: string;
  query: unknown;
  data: { contents_count: number; contents: Content[] } | null;
  progress: { done: number; total: number };
}

interface Content {
  content: string;
  analyses: { type: string; source: string; data: Record<string, unknown> & Record<string, unknown>[] }[];
}

/** The main use case, the same for services called in this process and over real gRPC ports. */
describe.each(BOTH_TRANSPORTS)("the whole path, services %s", (transport) => {
  let server: TestServer;
  let authorization: string;

  beforeAll(async () => {
    server = await startServer({}, transport);
    authorization = await server.signIn();
  });
  afterAll(() => server.close());

  async function analyze(contents: string[], analyses: string[], more: object = {}): Promise<Operation> {
    const created = await server.send("POST", OPERATIONS, {
      authorization,
      body: { type: "text", analyses, contents, ...more },
    });
    expect(created.status, created.text).toBe(201);
    const { id } = created.body as { id: number };
    const read = await server.send("GET", `${OPERATIONS}/${id}?wait=60`, { authorization });
    return read.body as Operation;
  }

  function resultOf(operation: Operation, index: number, type: string) {
    return operation.data?.contents[index]?.analyses.find((analysis) => analysis.type === type)?.data;
  }

  it("carries six analyses of real texts from sign-in to results", async () => {
    const contents = [
      "I absolutely love this, thank you so much, what a wonderful day!",
      "This is the worst service I have ever had, I hate it and I am furious.",
      "WINNER!! You have been selected to receive a £900 prize. To claim call 09061701461 now.",
      "Angela Merkel met the president of France in Paris on Monday.",
    ];
    const operation = await analyze(contents, SIX);
    expect(operation.status).toBe("done");
    expect(operation.query).toEqual({ type: "text", analyses: SIX, contents, contents_groups: null });
    expect(operation.data?.contents_count).toBe(4);
    expect(operation.data?.contents.map(({ content }) => content)).toEqual(contents);
    expect(operation.data?.contents.map(({ analyses }) => analyses.map(({ type }) => type))).toEqual(
      contents.map(() => SIX),
    );
    expect(resultOf(operation, 0, "sentiment-simple")).toMatchObject({ value: "positive" });
    expect(resultOf(operation, 1, "sentiment-simple")).toMatchObject({ value: "negative" });
    expect(resultOf(operation, 2, "spam-detection")).toMatchObject({ value: "spam" });
    expect(resultOf(operation, 3, "spam-detection")).toMatchObject({ value: "ham" });
    expect(resultOf(operation, 3, "topic")).toContainEqual({
      value: "Angela Merkel",
      topic_type: "entity",
      sub_type: "PERSON",
    });
  });

  it("pools texts by contents_groups for personality-mb", async () => {
    const operation = await analyze(["We danced all night", "I read alone", "Plans first"], ["personality-mb"], {
      contents_groups: ["0,1"],
    });
    const [first, second, third] = operation.data?.contents ?? [];
    expect(first?.analyses).toEqual(second?.analyses);
    expect(first?.analyses).toMatchObject([{ source: "group", group_index: 0, data: { group: true } }]);
    expect(third?.analyses).toMatchObject([{ source: "content", group_index: null, data: { group: false } }]);
  });

  it("says why, when asked", async () => {
    const operation = await analyze(["\u{1f600} Thank you Lisbon"], ["sentiment-simple", "topic"], { explain: true });
    expect(operation.query).toMatchObject({ explain: true });
    const { probabilities, spans } = resultOf(operation, 0, "sentiment-simple")?.["explanation"] as {
      probabilities: object;
      spans: unknown[];
    };
    expect(Object.keys(probabilities).sort()).toEqual(["negative", "neutral", "positive"]);
    const number = expect.any(Number) as number;
    expect(spans[0]).toEqual({ start: number, end: number, text: expect.any(String) as string, weight: number });
    const offsets = [{ start: 12, end: 18 }];
    expect(resultOf(operation, 0, "topic")).toContainEqual(expect.objectContaining({ value: "Lisbon", offsets }));
    expect(operation.data?.contents[0]?.analyses[0]).toMatchObject({
      model: { id: expect.stringContaining("sentiment-simple") as string, version: expect.any(String) as string },
      language: expect.any(String) as string,
      supported: true,
    });
  });

  it("names every wrong field of a request and stores nothing", async () => {
    const rejected = await server.send("POST", OPERATIONS, {
      authorization,
      body: {
        type: "text",
        analyses: ["sentiment-simple", "mood"],
        contents: ["fine", "", 7],
        contents_groups: ["0,1", "0,3"],
      },
    });
    expect(rejected.status).toBe(400);
    const { details } = rejected.body as { details: { field: string }[] };
    expect(details.map(({ field }) => field).sort()).toEqual([
      "analyses[1]",
      "contents[1]",
      "contents[2]",
      "contents_groups[1]",
    ]);
    const listed = await server.send("GET", OPERATIONS, { authorization });
    expect((listed.body as { operations: unknown[] }).operations).toHaveLength(3);
  });

  it("answers 404 for what belongs to nobody and 401 without a token", async () => {
    expect((await server.send("GET", `${OPERATIONS}/999999`, { authorization })).status).toBe(404);
    expect((await server.send("GET", `${OPERATIONS}/1`)).status).toBe(401);
  });

  it("exports the postings of an insight", async () => {
    const INSIGHTS = "/api/v2/products/insight";
    const query = { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"] };
    const insight = await server.send("POST", INSIGHTS, { authorization, body: { query } });
    const path = insight.headers.get("location") ?? "";
    const posting = { platform: "news", text_of_post: "A kestrel.", post_date: "1/15/2026", post_time: "12:00:00" };
    const headers = { "content-type": "application/x-ndjson" };
    const imported = await server.send("POST", `${path}/postings`, {
      authorization,
      headers,
      body: JSON.stringify(posting),
    });
    expect(imported.body).toMatchObject({ accepted: 1 });
    const range = { start_date: "2026-01-01", end_date: "2026-02-01" };
    const create = (ids: readonly number[]) =>
      server.send("POST", `${INSIGHTS}/exports`, { authorization, body: { insight_search_ids: ids, ...range } });
    expect((await create([999_999])).status).toBe(400);
    const created = await create([Number(path.split("/").at(-1))]);
    expect(created.status).toBe(201);
    const done = await server.send("GET", `${created.headers.get("location") ?? ""}?wait=60`, { authorization });
    expect(done.body).toMatchObject({ status: "done", data: [{ text_of_post: "A kestrel.", post_date: "1/15/2026" }] });
  });

  it("deletes an operation for good", async () => {
    const created = await server.send("POST", OPERATIONS, {
      authorization,
      body: { type: "text", analyses: ["topic"], contents: ["gone soon"] },
    });
    const route = created.headers.get("location") ?? "";
    expect((await server.send("DELETE", route, { authorization })).status).toBe(204);
    expect((await server.send("GET", route, { authorization })).status).toBe(404);
  });
});
