import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sender, startServer, type TestServer } from "../support/server.js";
import {
  EXPORTS,
  INSIGHTS,
  OPERATIONS,
  ROUTES,
  SIGN_IN,
  TEXT_OPERATION,
  UPLOAD,
  User,
  type Failure,
} from "./routes.js";

type States = Record<string, { state: string }>;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const CREATIONS = [OPERATIONS, INSIGHTS, EXPORTS];

describe("HTTP", () => {
  let server: TestServer;
  let user: User;

  beforeAll(async () => {
    server = await startServer({ MAX_BODY_BYTES: "100000" });
    user = await User.signIn(server);
  });
  afterAll(() => server.close());

  describe.each(ROUTES.map(([path, ...methods]) => ({ path, methods })))("at $path", ({ path, methods }) => {
    it("answers other methods with 405 and Allow, with and without a token", async () => {
      for (const method of METHODS.filter((candidate) => !methods.includes(candidate))) {
        for (const answer of [await user.send(method, path), await server.send(method, path)]) {
          expect(answer.status, method).toBe(405);
          expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...methods, "OPTIONS"].sort());
          if (method !== "HEAD") expect((answer.body as Failure).code).toBe("method_not_allowed");
        }
      }
    });

    it("answers HEAD like GET, without the body", async () => {
      if (!methods.includes("HEAD")) return;
      const [get, head] = [await user.get(path), await user.send("HEAD", path)];
      expect(head.status).toBe(get.status);
      expect(head.text).toBe("");
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    });

    it("sends JSON with its media type, nosniff and no-store, and an ETag with what is read", async () => {
      const method = methods[0] ?? "GET";
      const { status, headers } = await user.send(method, path, { headers: { "x-request-id": "My.Id_1-2" } });
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("x-request-id")).toBe("My.Id_1-2");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      if (path.startsWith("/api/")) {
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.has("etag")).toBe(method === "GET" && status === 200);
      }
    });

    it("lets scripts of other origins ask", async () => {
      const requested = { origin: "https://app.example", "access-control-request-method": methods[0] ?? "" };
      const preflight = await server.send("OPTIONS", path, { headers: requested });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-methods")?.split(",")).toEqual(
        expect.arrayContaining(methods),
      );
      for (const name of ["Authorization", "Content-Type", "Idempotency-Key"]) {
        expect(preflight.headers.get("access-control-allow-headers")).toContain(name);
      }
      expect(preflight.headers.get("x-request-id")).toBeTruthy();
    });
  });

  it("shows scripts of other origins the headers they need", async () => {
    const { headers } = await server.send("GET", `${OPERATIONS}/1`, { headers: { origin: "https://app.example" } });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    for (const name of ["Authorization", "Location", "X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy"]) {
      expect(headers.get("access-control-expose-headers")).toContain(name);
    }
  });

  it.each([
    "/api",
    "/api/v1/users",
    "/api/v3/products/insight",
    `${OPERATIONS}/1/`,
    `${OPERATIONS}/1/results`,
    "/API/v2/products/insight",
    "/api/v2/products/api/exports/1/x",
    "//api/v2/products/insight",
    "/api/v2/products/insight/../insight/1/2/3",
    "/%00",
    "/%zz",
    "/docs/nothing",
    "/favicon.ico",
    "/.env",
  ])("answers 404 to %s, with and without a token", async (path) => {
    for (const answer of [await user.get(path), await server.send("POST", path, { body: {} })]) {
      if (path.startsWith("/docs/") && answer.status === 405) continue;
      expect(answer.status).toBe(404);
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.body).toEqual({
        error: expect.any(String),
        code: expect.any(String),
        request_id: expect.any(String),
      });
    }
  });

  it("has the console at the address itself", async () => {
    const answer = await server.send("GET", "/");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it("makes its own request id when the client's is not acceptable", async () => {
    const ids = await Promise.all(
      ["", "a b", "x".repeat(129), "a,b", '"'].map(async (id) => {
        const answer = await server.send("GET", "/nowhere", { headers: { "x-request-id": id } });
        expect((answer.body as Failure).request_id).toBe(answer.headers.get("x-request-id"));
        return answer.headers.get("x-request-id");
      }),
    );
    for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  describe.each([...CREATIONS, SIGN_IN])("bodies at %s", (path) => {
    const post = (body: unknown, headers: Record<string, string>) => user.post(path, body, headers);

    it.each([
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonx",
      "application/json; charset=utf-16",
      "application/json; charset=latin1",
      "",
    ])("refuses %s with 415", async (type) => {
      const answer = await post(Buffer.from("{}"), { "content-type": type });
      expect(answer.status).toBe(415);
      expect((answer.body as Failure).error).toEqual(expect.any(String));
    });

    it.each([
      "application/json",
      "APPLICATION/JSON",
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
    ])("takes %s", async (type) => {
      expect((await post("{}", { "content-type": type })).status).toBe(400);
    });

    it.each(["gzip", "br", "deflate", "x"])("refuses a body encoded with %s", async (encoding) => {
      const answer = await post(gzipSync("{}"), { "content-encoding": encoding });
      expect(answer.status).toBe(415);
    });

    it.each([
      "",
      " ",
      "{",
      "[]",
      "1",
      "null",
      '"a"',
      "{}x",
      "{'a':1}",
      "\u0000",
      "NaN",
      "[".repeat(50_000),
      '{"a":'.repeat(12_000),
    ])("answers 400 to what is not a JSON object (%#)", async (body) => {
      const answer = await user.send("POST", path, { body: Buffer.from(body) });
      expect(answer.status).toBe(400);
      expect((answer.body as Failure).code).toBe("invalid_json");
    });

    it.each([[[0xff]], [[0xc3, 0x28]], [[0xed, 0xa0, 0x80]], [[0xc0, 0xaf]], [[0xf5, 0x80, 0x80, 0x80]]])(
      "answers 400 to bytes that are not UTF-8: %j",
      async (bytes) => {
        const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
        const answer = await user.send("POST", path, { body });
        expect(answer.status).toBe(400);
        expect((answer.body as Failure).code).toBe("invalid_utf8");
      },
    );

    it("answers 413 to a body that is too large, with and without Content-Length", async () => {
      const said = await user.send("POST", path, { body: Buffer.alloc(100_001, " ") });
      expect(said.status).toBe(413);
      const response = await fetch(server.url + path, {
        method: "POST",
        headers: { authorization: user.authorization, "content-type": "application/json" },
        body: new ReadableStream({
          start(controller) {
            for (let chunk = 0; chunk < 20; chunk++) controller.enqueue(Buffer.alloc(10_000, " "));
            controller.close();
          },
        }),
        duplex: "half",
      });
      expect(response.status).toBe(413);
      expect(((await response.json()) as Failure).code).toBe("body_too_large");
    });
  });

  it("takes a body of exactly the size it allows", async () => {
    const body = JSON.stringify(TEXT_OPERATION).padEnd(100_000);
    expect((await user.send("POST", OPERATIONS, { body: Buffer.from(body) })).status).toBe(201);
  });

  it("does not mind __proto__, constructor and repeated keys", async () => {
    const hostile = `{"__proto__":{"type":"file"},"constructor":{},"toString":1,"type":"file",${JSON.stringify(TEXT_OPERATION).slice(1)}`;
    expect((await user.send("POST", OPERATIONS, { body: Buffer.from(hostile) })).status).toBe(201);
    expect(Object.prototype).not.toHaveProperty("type");
    const only = await user.send("POST", OPERATIONS, { body: `{"__proto__":${JSON.stringify(TEXT_OPERATION)}}` });
    expect(only.status).toBe(400);
  });

  it("checks in the order: token, product, media type, body", async () => {
    const noToken = await server.send("POST", OPERATIONS, { body: "x", headers: { "content-type": "text/plain" } });
    expect(noToken.status).toBe(401);
    const wrongType = await user.post(UPLOAD, "x", { "content-type": "text/plain" });
    expect(wrongType.status).toBe(415);
  });

  it("serves its OpenAPI document, its docs page, its keys and its health without a token", async () => {
    expect((await server.send("GET", "/healthz")).body).toEqual({ status: "ok" });
    const monitor = sender(server.opsUrl);
    const ready = await monitor("GET", "/readyz");
    expect(ready.status).toBe(200);
    type Answer = { status: string; dependencies: States; parts?: States };
    const { status, dependencies, parts = {} } = ready.body as Answer;
    // An installation without a model that is downloaded with the first speech is ready, and says what it lacks.
    expect(status).toBe("ready");
    expect(Object.keys(parts).filter((name) => name !== "media:speech")).toEqual([]);
    expect(dependencies).toMatchObject(parts);
    // A process that holds the state names its store; one that only forwards requests names the services that it calls.
    expect((dependencies["store"] ?? dependencies["operation"])?.state).toBe("ready");
    const metrics = await monitor("GET", "/metrics");
    expect(metrics.headers.get("content-type")).toContain("text/plain");
    expect(metrics.text).toContain("hourglass_http_request_duration_seconds_count");
    const document = (await server.send("GET", "/openapi.json")).body;
    const { version } = (await user.send("GET", "/api/v2/server")).body as { version: string };
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version } });
  });
});

describe("the rate limit", () => {
  it("counts a user's requests over all routes", async () => {
    const server = await startServer({ RATE_LIMIT_PER_MINUTE: "4" });
    try {
      const user = await User.signIn(server);
      const answers = [];
      for (const path of [`${OPERATIONS}/1`, INSIGHTS, `${OPERATIONS}/x`, EXPORTS, OPERATIONS, `${OPERATIONS}/1`]) {
        answers.push(await user.get(path));
      }
      expect(answers.map(({ status }) => status).slice(4)).toEqual([429, 429]);
      for (const { headers } of answers) {
        expect(headers.get("ratelimit")).toMatch(/^"user";r=\d+;t=\d+$/);
        expect(headers.get("ratelimit-policy")).toBe('"user";q=4;w=60');
      }
      expect(answers.map(({ headers }) => headers.get("retry-after")).slice(4)).toEqual([
        expect.stringMatching(/^\d+$/),
        expect.stringMatching(/^\d+$/),
      ]);
      expect((answers[4]?.body as Failure).code).toBe("too_many_requests");
      expect((await server.send("GET", "/healthz")).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});
