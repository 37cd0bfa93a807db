import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWholeSentence } from "../support/sentences.js";
import { EMAIL, startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { type ApiDocument, Documented } from "./documented.js";
import { fieldsOf, KEYS, OPERATIONS, TEXT_OPERATION, User, type Failure } from "./routes.js";

interface Page {
  operations: Record<string, unknown>[];
  contents: Record<string, unknown>[];
  next_cursor: string | null;
}

describe.each(TRANSPORTS)("finding operations again, services %s", (transport) => {
  let server: TestServer;
  let user: User;
  let documented: Documented;

  beforeAll(async () => {
    server = await startServer({}, transport);
    user = await User.signIn(server);
    documented = new Documented((await server.send("GET", "/openapi.json")).body as ApiDocument);
  });
  afterAll(() => server.close());

  const create = async (changes: object) => {
    const answer = await user.post(OPERATIONS, { ...TEXT_OPERATION, ...changes });
    expect(answer.status, answer.text).toBe(201);
    return (answer.body as { id: number }).id;
  };

  function bodyOf(answer: Answer, schema: string): Page {
    expect(answer.status, answer.text).toBe(200);
    expect(documented.differences(answer.body, { $ref: `#/components/schemas/${schema}` })).toEqual([]);
    return answer.body as Page;
  }

  /** Ids of a list and its further pages. */
  async function listed(query: string): Promise<unknown[]> {
    const ids: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = bodyOf(await user.get(`${OPERATIONS}?${query}${cursor && `&cursor=${cursor}`}`), "OperationPage");
      ids.push(...page.operations.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  }

  it("shows in each list what has changed since the last one", async () => {
    const state = async () => {
      const { operations } = bodyOf(await user.get(`${OPERATIONS}?limit=1`), "OperationPage");
      return operations.map(({ id, status }) => [id, status]);
    };
    const kept = await create({});
    expect((await user.get(`${OPERATIONS}/${kept}?wait=30`)).body).toMatchObject({ status: "done" });
    const before = await state();
    const id = await create({});
    expect((await state())[0]?.[0]).toBe(id);
    expect((await user.get(`${OPERATIONS}/${id}?wait=30`)).body).toMatchObject({ status: "done" });
    expect([await state(), await state()]).toEqual([[[id, "done"]], [[id, "done"]]]);
    const deleted = await user.send("DELETE", `${OPERATIONS}/${id}`);
    expect(deleted.status).toBe(204);
    expect(await state()).toEqual(before);
  });

  it("keeps name and metadata, and says who created it", async () => {
    const labels = { name: "Museum, January", metadata: { ticket: "4711", constructor: "", "a.b": "ü" } };
    const id = await create(labels);
    const me = (await user.get("/api/v2/me")).body as { id: number };
    const expected = { ...labels, created_by: { user_id: me.id, key_id: null, name: EMAIL } };
    expect(bodyOf(await user.get(`${OPERATIONS}/${id}`), "Operation")).toMatchObject(expected);
    const [first] = bodyOf(await user.get(`${OPERATIONS}?limit=1`), "OperationPage").operations;
    expect(first).toMatchObject({ ...expected, id, preview: "I love it." });
    const plain = (await user.get(`${OPERATIONS}/${await create({ name: null, metadata: null })}`)).body;
    expect(plain).not.toHaveProperty("name");
    expect(plain).not.toHaveProperty("metadata");
  });

  it("says which API key created it", async () => {
    const made = (await user.post(KEYS, { name: "k", scopes: ["operations"] })).body as { id: number; key: string };
    const headers = { authorization: `Bearer ${made.key}`, "content-type": "application/json" };
    const body = JSON.stringify(TEXT_OPERATION);
    const created = (await server.send("POST", OPERATIONS, { headers, body })).body as { id: number };
    const operation = (await user.get(`${OPERATIONS}/${created.id}`)).body as { created_by: Record<string, unknown> };
    expect(operation.created_by).toEqual({
      user_id: expect.any(Number) as number,
      key_id: made.id,
      name: EMAIL,
    });
  });

  it("lists by type, analysis, time and text", async () => {
    const marked = await create({ analyses: ["topic"], contents: ["The Kestrel flies."] });
    const named = await create({ analyses: ["intention"], name: "kestrel" });
    const file = await create({
      type: "file",
      analyses: ["caption"],
      contents: ["https://example.invalid/kestrel.png"],
    });
    expect(await listed("q=KESTREL")).toEqual([file, named, marked]);
    expect(await listed("q=kestrel&type=file")).toEqual([file]);
    expect(await listed("q=kestrel&analysis=topic,caption")).toEqual([file, marked]);
    expect(await listed("q=kestrel&analysis=topic&analysis=intention")).toEqual([named, marked]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await listed(`q=kestrel&from=${today}`)).toEqual([file, named, marked]);
    expect(await listed(`q=kestrel&to=${today}`)).toEqual([]);
    const moment = encodeURIComponent(new Date(Date.now() + 60_000).toISOString().replace("Z", "+00:00"));
    expect(await listed(`q=kestrel&from=2026-01-01&to=${moment}`)).toEqual([file, named, marked]);
  });

  it("reads an operation without data, and its contents in pages", async () => {
    const contents = Array.from({ length: 130 }, (_, index) => `text ${index}`);
    const id = await create({ contents });
    const path = `${OPERATIONS}/${id}`;
    const whole = (await user.get(`${path}?wait=60`)).body as { query: object; data: { contents: object[] } };
    const query = { ...whole.query, contents: [] };
    expect(bodyOf(await user.get(`${path}?data=false`), "Operation")).toEqual({ ...whole, query, data: null });
    expect((await user.get(`${path}?data=true`)).body).toEqual(whole);
    const found: object[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = bodyOf(
        await user.get(`${path}/contents?limit=60${cursor && `&cursor=${cursor}`}`),
        "OperationContentPage",
      );
      found.push(...page.contents);
      cursor = page.next_cursor;
    }
    expect(found).toEqual(whole.data.contents.map((content, index) => ({ ...content, index })));
  });

  it.each<[string, object, string[]]>([
    ["a name too long", { name: "x".repeat(121) }, ["name"]],
    ["what is no name", { name: 1, contents: [""] }, ["name", "contents[0]"]],
    ["17 keys", { metadata: Object.fromEntries([...Array(17).keys()].map((key) => [`k${key}`, ""])) }, ["metadata"]],
    ["a list", { metadata: ["a"] }, ["metadata"]],
    ["numbers", { metadata: { ticket: 4711, other: "x" } }, ["metadata.ticket"]],
    ["a value too long", { metadata: { ticket: "x".repeat(501) } }, ['metadata["ticket"]']],
    ["half a character", { metadata: { ticket: "\ud800" } }, ["metadata.ticket"]],
  ])("refuses metadata: %s", async (_, changes, fields) => {
    const answer = await user.post(OPERATIONS, { ...TEXT_OPERATION, ...changes });
    expect(answer.status, answer.text).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
    for (const { message } of (answer.body as Failure).details ?? []) expect(message).toSatisfy(isWholeSentence);
  });

  it.each([
    ["?type=video", "type"],
    ["?analysis=topic,mood", "analysis"],
    ["?from=yesterday", "from"],
    ["?to=2026-02-30", "to"],
    ["?from=2026-02-02&to=2026-02-01", "from"],
    [`?q=${"x".repeat(201)}`, "q"],
    ["/1?data=no", "data"],
    ["/1/contents?limit=201", "limit"],
    ["/1/contents?cursor=nonsense", "cursor"],
  ])("refuses %s", async (query, field) => {
    await create({});
    await user.get(`${OPERATIONS}/1?wait=60`);
    const answer = await user.get(OPERATIONS + query);
    expect(answer.status, answer.text).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
    for (const { message } of (answer.body as Failure).details ?? []) expect(message).toSatisfy(isWholeSentence);
  });

  it("answers 409 for the contents of an operation that has none to give", async () => {
    const id = await create({ type: "file", analyses: ["caption"], contents: ["https://example.invalid/a.png"] });
    const ended = (await user.get(`${OPERATIONS}/${id}?wait=60`)).body as { status: string; error: string };
    expect(ended.status).toBe("invalid");
    const answer = await user.get(`${OPERATIONS}/${id}/contents`);
    expect([answer.status, (answer.body as Failure).code]).toEqual([409, "operation_invalid"]);
    expect((answer.body as Failure).error).toBe(ended.error);
  });
});
