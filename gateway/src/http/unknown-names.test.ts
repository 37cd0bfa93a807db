import type { CreateInsightRequest } from "@hourglass/proto/insight/v1/insight_service";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GatewayClient } from "../testing/gateway-under-test.js";

const OPERATIONS = "/api/v2/products/api/operations";
const INSIGHTS = "/api/v2/products/insight";
const EXPORTS = `${INSIGHTS}/exports`;
const USERS = "/api/v2/users";

const api = new GatewayClient();
const created: CreateInsightRequest[] = [];

beforeAll(async () => {
  await api.start({
    operation: { listOperations: () => Promise.resolve({}), createOperation: () => Promise.resolve({ id: 1n }) },
    insight: {
      createInsight: (request) => {
        created.push(request);
        return Promise.resolve({ id: 1n, notice: "It runs." });
      },
      checkInsight: () => Promise.resolve({}),
      listPlatforms: () => Promise.resolve({}),
      listPostings: () => Promise.resolve({}),
    },
  });
});
afterAll(() => api.stop());
beforeEach(() => void created.splice(0));

async function detailsOf(response: Response): Promise<[field: string, message: string][]> {
  expect(response.status).toBe(400);
  const { code, details } = (await response.json()) as { code: string; details: { field: string; message: string }[] };
  expect(code).toBe("invalid_request");
  return details.map(({ field, message }) => [field, message]);
}

describe("a query parameter that a route does not know", () => {
  it.each([
    [`${OPERATIONS}?lmit=3`, "lmit", "Did you mean limit? There is no such parameter."],
    [`${OPERATIONS}/1?wiat=3`, "wiat", "Did you mean wait? There is no such parameter."],
    [`${INSIGHTS}/1/postings?plattfrom=news`, "plattfrom", "Did you mean platform? There is no such parameter."],
    [`${OPERATIONS}/1?verbose=1`, "verbose", "There is no such parameter. This route takes wait, data."],
    [`${INSIGHTS}/platforms?q`, "q", "This route takes no parameters."],
    ["/healthz?x=1", "x", "This route takes no parameters."],
  ])("is refused, named, and one that is near suggested: %s", async (path, field, message) => {
    expect(await detailsOf(await api.get(path))).toEqual([[field, message]]);
  });

  it("is named once, together with what else is wrong", async () => {
    const fields = await detailsOf(await api.get(`${OPERATIONS}/1?Wait=5&wait=-1&Wait=6`));
    expect(fields).toEqual([
      ["Wait", "Did you mean wait? There is no such parameter."],
      ["wait", "Give a whole number from 0 to 60."],
    ]);
    expect(await detailsOf(await api.get(`${INSIGHTS}/1/postings?countries=DE&limit=1&limit=2`))).toEqual([
      ["countries", "Did you mean country? There is no such parameter."],
      ["limit", "Give it once: it takes one value."],
    ]);
    const byRule = await detailsOf(await api.get(`${OPERATIONS}/1?waits=5&wait=999`));
    expect(byRule[1]).toEqual(["wait", "Give a whole number from 0 to 60."]);
    const answer = await api.post(`${OPERATIONS}?dry_run=true`, {
      type: "text",
      analyses: ["topics"],
      contents: ["a"],
    });
    expect((await detailsOf(answer)).map(([field]) => field)).toEqual(["dry_run", "analyses[0]"]);
  });

  it("does not come before what a caller must not know", async () => {
    expect((await api.get(`${OPERATIONS}?x=1`, { authorization: "Bearer bad" })).status).toBe(401);
    expect((await api.get(`${INSIGHTS}?x=1`, { authorization: "Bearer no-insight" })).status).toBe(403);
  });

  it("is shown by its beginning if it is long", async () => {
    const [[field] = [""]] = await detailsOf(await api.get(`${OPERATIONS}?${"x".repeat(2000)}=1`));
    expect(field.length).toBeLessThan(120);
  });
});

describe("an unknown field of a body", () => {
  const query = { keywords: "museum", platforms: ["news"], dimensions: ["textual"] };
  const range = { insight_search_ids: [1], start_date: "2026-01-01", end_date: "2026-02-01" };

  it("is refused if it looks like an optional one, be it of an object within", async () => {
    const misspelled = { query: { ...query, sneak_peak: true, loaction: "Lisbon", follow: { feed: [] } } };
    expect(await detailsOf(await api.post(INSIGHTS, misspelled))).toEqual([
      ["query.sneak_peak", "Did you mean sneak_peek? There is no such field."],
      ["query.loaction", "Did you mean location? There is no such field."],
      ["query.follow.feed", "Did you mean feeds? There is no such field."],
    ]);
    expect(created).toEqual([]);
  });

  it("is named together with what else is wrong", async () => {
    const body = { type: "text", analyses: ["topic"], contents: [7], explian: true };
    const details = await detailsOf(await api.post(OPERATIONS, body));
    expect(details.map(([field]) => field)).toEqual(["explian", "contents[0]"]);
  });

  it.each([
    [INSIGHTS, { query, sneak_peek: true }, "sneak_peek", "Give it as query.sneak_peek: it belongs in query."],
    [INSIGHTS, { query, sneakPeak: true }, "sneakPeak", "Did you mean query.sneak_peek? There is no such field."],
    [INSIGHTS, { query, feeds: [] }, "feeds", "Give it as query.follow.feeds: it belongs in query.follow."],
    [INSIGHTS, { query: { ...query, name: "x" } }, "query.name", "Give it beside query: it does not belong in query."],
    [EXPORTS, { ...range, hashtag: ["a"] }, "hashtag", "Give it as filter.hashtag: it belongs in filter."],
    [
      EXPORTS,
      { ...range, filter: { hashtags: ["a"] } },
      "filter.hashtags",
      "Did you mean hashtag? There is no such field.",
    ],
    [
      EXPORTS,
      { ...range, filter: { countries: [] } },
      "filter.countries",
      "Did you mean country? There is no such field.",
    ],
    [
      EXPORTS,
      { ...range, filter: { tag: ["a"] } },
      "filter.tag",
      expect.stringMatching(/^There is no such field\. Leave it out, or give one of these: platform, /),
    ],
    [
      USERS,
      { email: "a@example.com", active: false },
      "active",
      "There is no such field. Leave it out, or give one of these: email, first_name, last_name, role.",
    ],
    [
      "/api/v2/keys",
      { name: "a", scopes: ["exports"], expiry: "2027-01-01" },
      "expiry",
      expect.stringMatching(/^There is no such field\./),
    ],
  ])(
    "is refused where it restricts something, with the place it belongs to: %s %j",
    async (path, body, field, message) => {
      expect(await detailsOf(await api.post(path, body))).toEqual([[field, message]]);
    },
  );

  it("is ignored otherwise", async () => {
    const others = { request: "mine", types: 1, metadata_of_client: {} };
    expect((await api.post(INSIGHTS, { query: { ...query, sneak_peek: true, sneakers: 1 }, ...others })).status).toBe(
      200,
    );
    expect(created).toHaveLength(1);
    expect((await api.post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["a"], ...others })).status).toBe(
      201,
    );
  });

  it("costs little, however many there are", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 0]));
    expect((await api.post(INSIGHTS, { query, ...many })).status).toBe(200);
  });
});
