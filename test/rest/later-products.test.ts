import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import type { ApiDocument } from "./documented.js";
import { EXPORTS, EXPORTS_ALIAS, fieldsOf, INSIGHTS, User } from "./routes.js";

/** Insights and exports: errors in a request are reported, whether or not their services exist yet. */
describe("insights and exports", () => {
  let server: TestServer;
  let user: User;

  beforeAll(async () => {
    server = await startServer();
    user = await User.signIn(server);
  });
  afterAll(() => server.close());

  const insight = { keywords: "museum", platforms: ["news"], dimensions: ["textual"] };

  it("are marked in the OpenAPI document as planned as long as they answer 501, and no other route is", async () => {
    const document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );
    const [planned, unbuilt]: [string[], string[]] = [[], []];
    for (const { path, method, operation } of operations) {
      const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
      const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      const answer = await user.send(method, path.replace(/\{\w+\}/, "1"), { body: example, headers });
      if (operation["x-status"] === "planned") planned.push(`${method} ${path}`);
      if (answer.status === 501) unbuilt.push(`${method} ${path}`);
      if (answer.status === 501) expect(Object.keys(operation.responses)).toContain("501");
    }
    expect(planned).toEqual(unbuilt);
  });

  it.each<[string, unknown, string[]]>([
    ["no query", {}, ["query"]],
    ["a query of another type", { query: [] }, ["query"]],
    ["an empty query", { query: {} }, ["query.keywords", "query.platforms", "query.dimensions"]],
    [
      "empty fields",
      { query: { keywords: "", platforms: [], dimensions: [] } },
      ["query.keywords", "query.platforms", "query.dimensions"],
    ],
    [
      "unknown names",
      { query: { ...insight, platforms: ["news", "myspace"], dimensions: ["visual-image"] } },
      ["query.platforms[1]", "query.dimensions[0]"],
    ],
    [
      "repetitions",
      { query: { ...insight, platforms: ["news", "news"], dimensions: ["visual", "visual"] } },
      ["query.platforms", "query.dimensions"],
    ],
    ["keywords too long", { query: { ...insight, keywords: "x".repeat(501) } }, ["query.keywords"]],
    [
      "wrong options",
      { query: { ...insight, location: 5, sneak_peek: "yes" } },
      ["query.location", "query.sneak_peek"],
    ],
  ])("answers 400 and {error} to %s", async (_name, body, fields) => {
    const answer = await user.post(INSIGHTS, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toHaveProperty("error", expect.any(String));
    expect(fieldsOf(answer).sort()).toEqual([...fields].sort());
  });

  it.each([EXPORTS, EXPORTS_ALIAS])("names every wrong field at %s", async (path) => {
    const answer = await user.post(path, { insight_search_ids: [], start_date: "1/2/2026", end_date: null });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).sort()).toEqual(["end_date", "insight_search_ids", "start_date"]);
    const backwards = { insight_search_ids: [1], start_date: "2026-01-02", end_date: "2026-01-01" };
    expect(fieldsOf(await user.post(path, backwards))).toEqual(["start_date"]);
  });

  it.each(["pause", "resume"])("answers 400 to the %s of an insight whose id is not an id", async (verb) => {
    for (const id of ["0", "-1", "x", "1e3", "9007199254740992"]) {
      expect((await user.send("PUT", `${INSIGHTS}/${id}/${verb}`)).status).toBe(400);
    }
  });

  it("checks the range of a summary and the lines of postings", async () => {
    const summary = (query: string) => user.get(`${INSIGHTS}/1/summary?${query}`);
    expect(fieldsOf(await summary("start_date=2026-02-30&end_date=x"))).toEqual(["start_date", "end_date"]);
    expect(fieldsOf(await summary("start_date=2026-02-02&end_date=2026-02-01"))).toEqual(["start_date"]);
    const ndjson = { "content-type": "application/x-ndjson" };
    const answer = await user.post(`${INSIGHTS}/1/postings`, '{"platform":"news"}\nx', ndjson);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(["postings[0].post_date", "postings[0].post_time", "postings[1]"]);
    expect((await user.post(`${INSIGHTS}/1/postings`, {})).status).toBe(415);
  });
});
