import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWholeSentence } from "../support/sentences.js";
import { EMAIL, startServer, type TestServer } from "../support/server.js";
import { fieldsOf, OPERATIONS, TEXT_OPERATION, UPLOAD, User, type Failure } from "./routes.js";

const ALL_ANALYSES =
  "sentiment-simple sentiment-real topic spam-detection personality-mb intention face-id object-id activity-id logo-id caption".split(
    " ",
  );

describe("operations", () => {
  let server: TestServer;
  let user: User;

  beforeAll(async () => {
    server = await startServer();
    user = await User.signIn(server);
  });
  afterAll(() => server.close());

  const create = (changes: object, headers?: Record<string, string>) =>
    user.post(OPERATIONS, { ...TEXT_OPERATION, ...changes }, headers);

  it("answers a creation with 201, the id and a Location", async () => {
    const answer = await create({});
    expect(answer.status).toBe(201);
    const { id, ...others } = answer.body as { id: number };
    expect(others).toEqual({});
    expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    expect(answer.headers.get("location")).toBe(`${OPERATIONS}/${id}`);
  });

  it("reads the operation object, its data only when it is done", async () => {
    const created = await create({ contents: ["I love it.", "I hate it."] });
    const route = created.headers.get("location") ?? "";
    const seen = new Set<string>();
    for (let status = ""; status !== "done";) {
      const { body, headers } = await user.get(route);
      const operation = body as { status: string; data: unknown; finished_at: string | null; progress: object };
      status = operation.status;
      seen.add(status);
      expect(["ready", "pending", "running", "done"]).toContain(status);
      expect(operation.data === null).toBe(status !== "done");
      expect(operation.finished_at === null).toBe(status !== "done");
      expect(headers.get("retry-after") === null).toBe(status === "done");
    }
    expect((await user.get(route)).body).toEqual({
      id: (created.body as { id: number }).id,
      status: "done",
      query: { ...TEXT_OPERATION, contents: ["I love it.", "I hate it."], contents_groups: null },
      data: {
        contents_count: 2,
        contents: ["I love it.", "I hate it."].map((content) => ({
          type: "text",
          content,
          dimensions: ["textual"],
          analysis_type: ["sentiment-simple"],
          analysis_types: ["sentiment-simple"],
          analyses: [
            {
              source: "content",
              type: "sentiment-simple",
              dimension: "textual",
              group_index: null,
              data: { value: expect.stringMatching(/^(positive|neutral|negative)$/), prob: expect.any(Number) },
              model: { id: expect.any(String), version: expect.any(String) },
              language: expect.stringMatching(/^(en|und)$/),
              supported: true,
            },
          ],
        })),
      },
      failed_contents: 0,
      progress: { done: 2, total: 2 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      created_by: { user_id: expect.any(Number), key_id: null, name: EMAIL },
    });
  });

  it.each([
    ["no_spaces", "en", "thisisacompletelygluedtextthatnobodycanread"],
    ["several_languages", "mul", "I love it aber das Essen war kalt"],
    ["undetermined", "und", "?"],
    ["language", "mi", "He rā tino pai tēnei mō te haere ki te tāone, ki te hoko kai mā te whānau."],
  ])("says why little is to be expected of a result: %s", async (reason, language, content) => {
    const { data } = (await user.analyze({ ...TEXT_OPERATION, contents: [content] })) as {
      data: { contents: { analyses: object[] }[] };
    };
    expect(data.contents[0]?.analyses).toMatchObject([{ language, supported: false, unsupported_reason: reason }]);
  });

  it("keeps texts exactly as they came: NUL, right-to-left, joiners, emoji, and what looks like markup", async () => {
    const contents = [
      "a\u0000b",
      "\u202eabc\u202c",
      "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
      " \t\r\n ",
      "\ufeffx",
      "<script>&amp;\u2028",
      "__proto__",
      "e\u0301 \u00e9",
    ];
    const operation = await user.analyze({ ...TEXT_OPERATION, contents });
    expect(operation["query"]).toMatchObject({ contents });
    const { contents: results } = operation["data"] as { contents: { content: string }[] };
    expect(results.map(({ content }) => content)).toEqual(contents);
  });

  it("accepts as many contents, and texts as long, as the documented limits", async () => {
    const longest = `${"a".repeat(19_999)}\u{1f600}`; // counted in code points
    const operation = await user.analyze({ ...TEXT_OPERATION, contents: [longest] });
    expect(operation).toMatchObject({ status: "done", query: { contents: [longest] } });
    const many = await create({ contents: Array.from({ length: 1000 }, (_, index) => `text ${index}`) });
    expect(many.status).toBe(201);
    await user.send("DELETE", many.headers.get("location") ?? "");
  });

  it("holds the answer to ?wait= until the operation has ended", async () => {
    const created = await create({});
    const { body } = await user.get(`${created.headers.get("location")}?wait=60`);
    expect(body).toMatchObject({ status: "done" });
  });

  it.each(["61", "-1", "x", "", "1.5", "1e1"])("refuses ?wait=%s", async (wait) => {
    const created = await create({});
    const answer = await user.get(`${created.headers.get("location")}?wait=${wait}`);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(["wait"]);
  });

  it.each<[string, object, string[]]>([
    ["nothing", { type: undefined, analyses: undefined, contents: undefined }, ["type", "analyses", "contents"]],
    ["nulls", { type: null, analyses: null, contents: null }, ["type", "analyses", "contents"]],
    ["wrong types", { type: 1, analyses: "topic", contents: {} }, ["type", "analyses", "contents"]],
    ["an unknown type", { type: "video" }, ["type"]],
    ["the type in another case", { type: "TEXT" }, ["type"]],
    ["empty lists", { analyses: [], contents: [] }, ["analyses", "contents"]],
    ["unknown analyses", { analyses: ["topic", "mood", "", null, 3] }, [1, 2, 3, 4].map((i) => `analyses[${i}]`)],
    ["a repeated analysis", { analyses: ["topic", "topic"] }, ["analyses"]],
    ["twelve analyses", { analyses: [...ALL_ANALYSES, "topic"] }, ["analyses"]],
    ["only visual analyses of text", { analyses: ["caption", "face-id"] }, ["analyses"]],
    ["no strings", { contents: ["a", 1, null, {}, [], true] }, [1, 2, 3, 4, 5].map((i) => `contents[${i}]`)],
    ["empty texts", { contents: ["", "a", ""] }, ["contents[0]", "contents[2]"]],
    ["a text too long", { contents: ["a", "x".repeat(20_001)] }, ["contents[1]"]],
    ["lone surrogates", { contents: ["\ud800", "a\udc00"] }, ["contents[0]", "contents[1]"]],
    ["1001 contents", { contents: Array.from({ length: 1001 }, () => "a") }, ["contents"]],
    ["groups that are none", { contents_groups: "0" }, ["contents_groups"]],
    ["a group out of range", { contents_groups: ["0", "1"] }, ["contents_groups[1]"]],
    ["an empty group", { contents_groups: [""] }, ["contents_groups[0]"]],
    ["explain that is no boolean", { explain: "true", contents: [""] }, ["explain", "contents[0]"]],
    ["offsets in bytes", { offsets: "bytes", contents: [""] }, ["offsets", "contents[0]"]],
    ["groups of words", { contents_groups: ["a,b", 0] }, ["contents_groups[1]", "contents_groups[0]"]],
    [
      "wrong shape and wrong values",
      { type: "x", contents: ["", 5.5], analyses: ["topic", "x"] },
      ["type", "analyses[1]", "contents[1]", "contents[0]"],
    ],
    [
      "fractional and huge file ids",
      { type: "file", analyses: ["caption"], contents: [1.5, 0, -1, 2 ** 53, 1e300] },
      ["0", "1", "2", "3", "4"].map((i) => `contents[${i}]`),
    ],
    [
      "what is no URL",
      { type: "file", analyses: ["caption"], contents: ["ftp://a/b", "a"] },
      ["contents[0]", "contents[1]"],
    ],
    [
      "ids and URLs at once",
      { type: "file", analyses: ["caption"], contents: [1, "https://a.example/"] },
      ["contents"],
    ],
  ])("names every wrong field: %s", async (_name, changes, fields) => {
    const answer = await create(changes);
    expect(answer.status, answer.text).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
    for (const { message } of (answer.body as Failure).details ?? []) expect(message).toSatisfy(isWholeSentence);
  });

  it("refuses a file id that does not exist", async () => {
    const answer = await create({ type: "file", analyses: ["caption"], contents: [1] });
    expect([400, 501]).toContain(answer.status);
  });

  it("takes null for absent, and keeps groups", async () => {
    expect((await create({ contents_groups: null })).status).toBe(201);
    const operation = await user.analyze({ ...TEXT_OPERATION, contents: ["a", "b"], contents_groups: ["0, 1"] });
    expect(operation["query"]).toMatchObject({ contents_groups: ["0, 1"] });
  });

  it("lists operations newest first, page by page, without contents and data", async () => {
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) ids.push(((await create({})).body as { id: number }).id);
    type Page = { operations: Record<string, unknown>[]; next_cursor: string | null };
    const first = (await user.get(`${OPERATIONS}?limit=2`)).body as Page;
    expect(first.operations.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(first.operations[0]).not.toHaveProperty("data");
    const second = (await user.get(`${OPERATIONS}?limit=1&cursor=${first.next_cursor}`)).body as Page;
    expect(second.operations.map(({ id }) => id)).toEqual([ids[0]]);
    const failed = (await user.get(`${OPERATIONS}?status=failed`)).body as Page;
    expect(failed).toEqual({ operations: [], next_cursor: null });
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=x", "limit"],
    ["limit=", "limit"],
    ["status=gone", "status"],
    [`cursor=${"x".repeat(101)}`, "cursor"],
    ["cursor=nonsense", "cursor"],
  ])("refuses a list of ?%s", async (query, field) => {
    const answer = await user.get(`${OPERATIONS}?${query}`);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it("deletes an operation for good", async () => {
    const route = (await create({})).headers.get("location") ?? "";
    const deleted = await user.send("DELETE", route);
    expect(deleted.status).toBe(204);
    expect(deleted.text).toBe("");
    expect((await user.get(route)).status).toBe(404);
    expect((await user.send("DELETE", route)).status).toBe(404);
  });

  it("gives the first answer again to the same key and body, and refuses another body", async () => {
    const key = { "idempotency-key": "order 66" };
    const answers = await Promise.all([create({}, key), create({}, key)]);
    answers.push(await create({}, key));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await create({ contents: ["other"] }, key)).status).toBe(400);
  });

  it.each(["", "\u00e9", "x".repeat(256), "a\tb"])("refuses the idempotency key %j", async (key) => {
    const answer = await create({}, { "idempotency-key": key });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(["Idempotency-Key"]);
  });

  it("takes uploads as multipart only", async () => {
    expect((await user.post(UPLOAD, {})).status).toBe(415);
    const multipart = { "content-type": "multipart/form-data; boundary=x" };
    const answer = await user.post(
      UPLOAD,
      `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n`,
      multipart,
    );
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(["file"]);
  });
});
