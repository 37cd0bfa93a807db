import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import type { ApiDocument } from "./documented.js";
import { EXPORTS, EXPORTS_ALIAS, fieldsOf, INSIGHTS, User } from "./routes.js";

describe("requests for insights and exports", () => {
  let server: TestServer;
  let user: User;

  beforeAll(async () => {
    server = await startServer();
    user = await User.signIn(server);
  });
  afterAll(() => server.close());

  const insight = { keywords: "museum", platforms: ["news"], dimensions: ["textual"] };

  it("answers every documented route", async () => {
    const document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );
    // With an own session, which ends with the last request.
    const caller = await User.signIn(server);
    const isSignOut = ({ method, path }: (typeof all)[number]) => method === "DELETE" && path.endsWith("/sign_in");
    const operations = [...all.filter((each) => !isSignOut(each)), ...all.filter(isSignOut)];
    const unanswered: string[] = [];
    for (const { path, method, operation } of operations) {
      const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
      const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      const shown = (operation.parameters ?? []).filter(({ example: value }) => value !== undefined);
      const query = new URLSearchParams(
        shown.map(({ name = "", example: value = "" }): [string, string] => [name, value]),
      ).toString();
      const answer = await caller.send(method, `${path.replace(/\{\w+\}/, "1")}?${query}`, { body: example, headers });
      if (!Object.keys(operation.responses).includes(String(answer.status))) unanswered.push(`${method} ${path}`);
    }
    expect(unanswered).toEqual([]);
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
    ["names too long", { query: insight, name: "x".repeat(121), note: "x".repeat(2001) }, ["name", "note"]],
    ["keywords too long", { query: { ...insight, keywords: "x".repeat(501) } }, ["query.keywords"]],
    [
      "wrong options",
      { query: { ...insight, location: 5, sneak_peek: "yes" } },
      ["query.location", "query.sneak_peek"],
    ],
    [
      "wrong sources to follow",
      { query: { ...insight, follow: { feeds: ["ftp://a.example"], subreddits: ["r/phones"], pages: "x" } } },
      ["query.follow.feeds[0]", "query.follow.subreddits[0]", "query.follow.pages"],
    ],
  ])("answers 400 and {error} to %s", async (_name, body, fields) => {
    for (const path of [INSIGHTS, `${INSIGHTS}/check`]) {
      const answer = await user.post(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toHaveProperty("error", expect.any(String));
      expect([...new Set(fieldsOf(answer))].sort()).toEqual([...fields].sort());
    }
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

  it.each(["summary", "coverage", "postings"])("checks the days of %s", async (what) => {
    const within = (query: string) => user.get(`${INSIGHTS}/1/${what}?${query}`);
    expect(fieldsOf(await within("start_date=2026-02-30&end_date=x"))).toEqual(["start_date", "end_date"]);
    expect(fieldsOf(await within("start_date=&end_date="))).toEqual(["start_date", "end_date"]);
    expect(fieldsOf(await within("start_date=2026-02-02&end_date=2026-02-01"))).toEqual(["start_date"]);
  });

  it("checks the filters of postings, and which are erased", async () => {
    const query = "platform=news,myspace&sentiment=mood&intention=plan&limit=x";
    expect(fieldsOf(await user.get(`${INSIGHTS}/1/postings?${query}`)).sort()).toEqual(
      ["intention", "limit", "platform", "sentiment"].sort(),
    );
    const erase = (fields: string) => user.send("DELETE", `${INSIGHTS}/postings?${fields}`);
    expect(fieldsOf(await erase("social_id=1"))).toEqual(["platform"]);
    expect(fieldsOf(await erase("platform=news"))).toEqual(["social_id"]);
    expect(fieldsOf(await erase("platform=news&social_id=1&author_id=2"))).toEqual(["social_id"]);
  });

  it("checks the lines of postings, and the columns of CSV", async () => {
    const ndjson = { "content-type": "application/x-ndjson" };
    const answer = await user.post(`${INSIGHTS}/1/postings`, '{"platform":"news"}\nx', ndjson);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(["postings[0].post_date", "postings[0].post_time", "postings[1]"]);
    expect((await user.post(`${INSIGHTS}/1/postings`, {})).status).toBe(415);
    const csv = { "content-type": "text/csv" };
    expect(fieldsOf(await user.post(`${INSIGHTS}/1/postings?preset=excel`, "a,b\n1,2\n", csv))).toEqual(["preset"]);
    expect(fieldsOf(await user.post(`${INSIGHTS}/1/postings`, "a,b\n1,2\n", csv))).toEqual([
      "map.platform",
      "map.posted_at",
    ]);
  });
});
