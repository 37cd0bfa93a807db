import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { FORM_TYPE, formOf } from "./multipart.js";
import { AUDIT, EXPORTS, EXPORTS_ALIAS, fieldsOf, INSIGHTS, KEYS, OPERATIONS, UPLOAD, User, USERS } from "./routes.js";

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: { $ref?: string }[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

const HEADER = "idempotent-replayed";

/** A creation: where, and with which body, of which each number makes another one. */
interface Creation {
  readonly path: (number: number) => string;
  readonly body: (number: number) => unknown;
  readonly headers?: Record<string, string>;
}

describe.each(TRANSPORTS)("a repeated creation over %s", (transport) => {
  let server: TestServer;
  let user: User;
  let document: ApiDocument;
  let insight = 0;
  let keys = 0;
  const files: string[] = [];
  const exports: string[] = [];

  beforeAll(async () => {
    server = await startServer({ NEWS_FEEDS: "none" }, transport);
    user = await User.signIn(server);
    document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
    const made = await user.post(INSIGHTS, { query: queryOf("kestrel") });
    insight = (made.body as { id: number }).id;
    for (const number of [1, 2]) {
      const file = await send(UPLOAD, "", 10 + number);
      files.push(file.headers.get("location") ?? "");
    }
    const exported = (await send(EXPORTS, "")).headers.get("location") ?? "";
    expect((await user.get(`${exported}?wait=60`)).body).toMatchObject({ status: "done" });
    exports.push(exported);
  });
  afterAll(() => server.close());

  const queryOf = (keywords: string) => ({ keywords, platforms: ["reddit"], dimensions: ["textual"] });
  const exported = (day: number) => ({
    insight_search_ids: [insight],
    start_date: `2026-01-0${day}`,
    end_date: "2026-02-01",
  });
  const row = { platform: "reddit", post_date: "1/31/2026", post_time: "12:00:00", text_of_post: "A kestrel" };

  /** The record that a link of each number leads to. */
  const linked = (records: readonly string[]) => (number: number) => `${records[number % records.length]}/links`;

  /** By the paths of the document. */
  const CREATIONS: Record<string, Creation> = {
    [OPERATIONS]: {
      path: () => OPERATIONS,
      body: (number) => ({ type: "text", analyses: ["topic"], contents: [`Museum ${number}`] }),
    },
    [UPLOAD]: {
      path: () => UPLOAD,
      body: (number) => formOf([{ body: png({ width: number }) }]),
      headers: { "content-type": FORM_TYPE },
    },
    [INSIGHTS]: { path: () => INSIGHTS, body: (number) => ({ query: queryOf(`kestrel ${number}`) }) },
    [`${INSIGHTS}/{id}/postings`]: {
      path: () => `${INSIGHTS}/${insight}/postings`,
      body: (number) => JSON.stringify({ ...row, social_id: `p${number}` }),
      headers: { "content-type": "application/x-ndjson" },
    },
    [EXPORTS]: { path: () => EXPORTS, body: exported },
    [EXPORTS_ALIAS]: { path: () => EXPORTS_ALIAS, body: exported },
    [KEYS]: { path: () => KEYS, body: (number) => ({ name: `Key ${number}`, scopes: ["exports"] }) },
    [USERS]: { path: () => USERS, body: (number) => ({ email: `user-${number}-${keys}@example.com` }) },
    [`${UPLOAD}/{id}/links`]: { path: (number) => linked(files)(number), body: () => undefined },
    [`${EXPORTS}/{id}/links`]: {
      path: () => `${exports[0]}/links`,
      body: (number) => ({ format: number % 2 === 0 ? "csv" : "json" }),
    },
  };
  const ROUTES = Object.keys(CREATIONS);

  function send(route: string, key: string, number = 1): Promise<Answer> {
    const { path, body, headers = {} } = CREATIONS[route] ?? expect.fail(`nothing creates at ${route}`);
    const given = { ...headers, ...(key === "" ? {} : { "idempotency-key": key }) };
    return user.send("POST", path(number), { body: body(number), headers: given });
  }
  const newKey = () => `key ${++keys}`;

  it("is declared for every route that creates", () => {
    const declared = Object.entries(document.paths).flatMap(([path, { post }]) =>
      post?.parameters?.some(({ $ref }) => $ref?.endsWith("/IdempotencyKey")) === true ? [path] : [],
    );
    expect(declared.sort()).toEqual([...ROUTES].sort());
    const creating = Object.entries(document.paths).filter(([, { post }]) => post?.responses[201] !== undefined);
    expect(creating.length).toBeGreaterThan(6);
    for (const [path] of creating) expect(declared).toContain(path);
    for (const path of declared) {
      const { responses = {} } = document.paths[path]?.["post"] ?? {};
      expect(responses[201] ?? responses[200], path).toHaveProperty("headers.Idempotent-Replayed");
    }
  });

  it.each(ROUTES)("at %s has the first answer, and says that it is repeated", async (route) => {
    const key = newKey();
    const first = await send(route, key);
    expect(first.status, first.text).toBeLessThan(300);
    expect(first.headers.get(HEADER)).toBeNull();
    for (let time = 0; time < 2; time += 1) {
      const again = await send(route, key);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(again.headers.get("location")).toBe(first.headers.get("location"));
      expect(again.headers.get(HEADER)).toBe("true");
    }
    keys += 1; // another e-mail
    expect((await send(route, "")).headers.get(HEADER)).toBeNull();
  });

  it.each(ROUTES)("at %s is refused with another request", async (route) => {
    const key = newKey();
    await send(route, key, 2);
    const other = await send(route, key, 3);
    expect([other.status, ...fieldsOf(other)]).toEqual([400, "Idempotency-Key"]);
    expect(other.body).toMatchObject({ code: "idempotency_key_reused" });
    expect(other.headers.get(HEADER)).toBeNull();
  });

  it.each(ROUTES)("at %s happens once, however many come at once", async (route) => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(route, key, 4)));
    const [first] = answers;
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([first?.status, first?.text]);
    expect((await send(route, key, 4)).headers.get(HEADER)).toBe("true");
  });

  it("is in the audit log once", async () => {
    const key = newKey();
    const count = async () => ((await user.get(`${AUDIT}?limit=200`)).body as { events: unknown[] }).events.length;
    await send(INSIGHTS, key, 5);
    const before = await count();
    await send(INSIGHTS, key, 5);
    expect(await count()).toBe(before);
  });

  it("may be told of by a script of another origin", async () => {
    expect((await send(OPERATIONS, newKey())).headers.get("access-control-expose-headers")).toContain(
      "Idempotent-Replayed",
    );
  });
});
