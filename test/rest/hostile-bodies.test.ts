import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type Answer, type TestServer } from "../support/server.js";
import { EXPORTS, EXPORTS_ALIAS, INSIGHTS, OPERATIONS, SIGN_IN, TEXT_OPERATION, User } from "./routes.js";

const RUNS = 120;
const CREATIONS = [OPERATIONS, INSIGHTS, `${INSIGHTS}/check`, EXPORTS, EXPORTS_ALIAS, SIGN_IN];

const path = fc.constantFrom(...CREATIONS);

/** Any JSON, and JSON that is almost valid. */
const almostRight = fc.record(
  {
    type: fc.oneof(fc.constantFrom("text", "file"), fc.jsonValue()),
    analyses: fc.oneof(fc.array(fc.oneof(fc.constantFrom("topic", "caption"), fc.jsonValue())), fc.jsonValue()),
    contents: fc.oneof(fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue())), fc.jsonValue()),
    contents_groups: fc.oneof(fc.array(fc.oneof(fc.constantFrom("0", "0,1", ","), fc.string())), fc.jsonValue()),
    query: fc.oneof(
      fc.record({
        keywords: fc.string(),
        platforms: fc.array(fc.constantFrom("news", "x")),
        dimensions: fc.jsonValue(),
        follow: fc.oneof(fc.record({ feeds: fc.array(fc.webUrl()), pages: fc.jsonValue() }), fc.jsonValue()),
      }),
      fc.jsonValue(),
    ),
    insight_search_ids: fc.oneof(fc.array(fc.double()), fc.array(fc.integer()), fc.jsonValue()),
    start_date: fc.oneof(fc.constantFrom("2026-02-30", "2026-01-01"), fc.jsonValue()),
    end_date: fc.oneof(fc.constantFrom("2026-02-30", "0000-00-00"), fc.jsonValue()),
    user: fc.oneof(fc.record({ email: fc.string(), password: fc.string() }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

describe("hostile bodies", () => {
  let server: TestServer;
  let user: User;

  beforeAll(async () => {
    server = await startServer();
    user = await User.signIn(server);
  });
  afterAll(() => server.close());

  /** Expects a JSON response that is not an internal error, whatever the body was. */
  function expectSane(answer: Answer): void {
    expect(answer.status === 501 || answer.status < 500, `${answer.status} ${answer.text}`).toBe(true);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.body).toBeTypeOf("object");
    if (answer.status >= 400) expect(answer.body).toHaveProperty("error");
  }

  it("any bytes are answered in JSON, never with 5xx", async () => {
    const property = fc.asyncProperty(path, fc.uint8Array({ maxLength: 300 }), async (route, bytes) => {
      expectSane(await user.send("POST", route, { body: bytes }));
    });
    await fc.assert(property, { numRuns: repeats(RUNS) });
  });

  it("any JSON is answered in JSON, never with 5xx", async () => {
    const property = fc.asyncProperty(
      path,
      fc.oneof(
        fc.json(),
        almostRight.map((value) => JSON.stringify(value)),
      ),
      async (route, text) => {
        expectSane(await user.send("POST", route, { body: Buffer.from(text) }));
      },
    );
    await fc.assert(property, { numRuns: repeats(2 * RUNS) });
  });

  it("any lines and any CSV of postings are answered in JSON, never with 5xx", async () => {
    const line = fc
      .record(
        {
          platform: fc.oneof(fc.constantFrom("news", "reddit"), fc.jsonValue()),
          post_date: fc.oneof(fc.constantFrom("1/31/2026", "2/30/2026"), fc.jsonValue()),
          post_time: fc.oneof(fc.constant("00:00:00"), fc.jsonValue()),
          like_count: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
          more_info: fc.jsonValue(),
          media_urls: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((object) => JSON.stringify(object));
    const bodies = fc.oneof(
      fc.array(fc.oneof(line, fc.string({ unit: "binary" }))).map((lines) => Buffer.from(lines.join("\n"))),
      fc.uint8Array({ maxLength: 300 }),
    );
    const type = fc.constantFrom("application/x-ndjson", "text/csv");
    const map = fc.oneof(fc.constant('{"platform":{"value":"news"},"posted_at":"a"}'), fc.json(), fc.string());
    const property = fc.asyncProperty(bodies, type, fc.option(map), async (body, contentType, columns) => {
      const query = columns === null ? "" : `?${new URLSearchParams({ map: columns }).toString()}`;
      const headers = { "content-type": contentType };
      expectSane(await user.send("POST", `${INSIGHTS}/1/postings${query}`, { body, headers }));
    });
    await fc.assert(property, { numRuns: repeats(RUNS) });
  });

  it("any text is echoed exactly or refused", async () => {
    const property = fc.asyncProperty(fc.string({ unit: "binary", minLength: 1, maxLength: 50 }), async (text) => {
      const operation = await user.analyze({ ...TEXT_OPERATION, contents: [text] });
      expect(operation).toMatchObject({ query: { contents: [text] } });
    });
    await fc.assert(property, { numRuns: repeats(40) });
  });

  it("any path and query is answered in JSON, never with 5xx", async () => {
    const segment = fc.oneof(
      fc.constantFrom("api", "v2", "products", "insight", "operations", "1", "..", "%2e"),
      fc.webSegment(),
    );
    const property = fc.asyncProperty(
      fc.array(segment, { maxLength: 7 }),
      fc.webQueryParameters(),
      async (segments, query) => {
        const answer = await user.get(`/${segments.join("/")}?${query}`);
        expect(answer.status === 501 || answer.status < 500).toBe(true);
        if (answer.status >= 400) expect(answer.body).toHaveProperty("error");
      },
    );
    await fc.assert(property, { numRuns: repeats(RUNS) });
  });

  it("any limit, cursor, status and wait is answered or refused", async () => {
    const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String));
    const query = fc.record({ limit: value, cursor: value, status: value, wait: value }, { requiredKeys: [] });
    const property = fc.asyncProperty(
      fc.constantFrom(OPERATIONS, `${OPERATIONS}/1`, INSIGHTS, EXPORTS),
      query,
      async (route, fields) => {
        const wait = fields.wait === undefined || Number(fields.wait) <= 1 ? {} : { wait: "61" };
        expectSane(await user.get(`${route}?${new URLSearchParams({ ...fields, ...wait }).toString()}`));
      },
    );
    await fc.assert(property, { numRuns: repeats(RUNS) });
  });
});
