import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { AUDIT, fieldsOf, INSIGHTS, OPERATIONS, TEXT_OPERATION, User } from "./routes.js";

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Parameters that name the same entries in the same order. */
const HARMLESS = ["cursor", "limit", "total", "since"];
/** A value of each filter that is not its default. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ status: "done", type: "file", analysis: "topic", q: "kestrel", from: "2020-01-01", to: "2040-01-01" },
  ...{ action: "user.sign_in", user_id: "1", sort: "name", order: "asc" },
  ...{ platform: "reddit", polarity: "positive", sentiment: "joy", intention: "wish", language: "en" },
  ...{ country: "de", spam: "true", author: "ada", topic: "kestrel", hashtag: "kestrel", domain: "example.com" },
  ...{ label: "bird", start_date: "2026-01-01", end_date: "2026-02-01" },
  ...{ start: "2026-01-01T00:00:00Z", end: "2026-02-01T00:00:00Z" },
};
/** Where a value means something else. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [INSIGHTS]: { status: "running" },
  [`${INSIGHTS}/{id}/postings`]: { type: "post", sort: "like_count" },
};

let server: TestServer;
let user: User;
let insight: string;
let document: ApiDocument;

beforeAll(async () => {
  server = await startServer({ NEWS_FEEDS: "none" });
  user = await User.signIn(server);
  document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
  for (let round = 0; round < 2; round += 1) {
    await user.post(OPERATIONS, TEXT_OPERATION);
    const query = { keywords: "kestrel", platforms: ["reddit"], dimensions: ["textual"] };
    insight = (await user.post(INSIGHTS, { query })).headers.get("location") ?? "";
    await User.signIn(server); // another entry of the audit log
  }
  const lines = [1, 2].map((number) => {
    const at = { post_date: `1/${number}/2026`, post_time: "10:00:00" };
    return JSON.stringify({ platform: "reddit", social_id: `p${number}`, ...at, text_of_post: "A kestrel." });
  });
  const imported = await user.post(`${insight}/postings`, lines.join("\n"), { "content-type": "application/x-ndjson" });
  expect(imported.body).toMatchObject({ accepted: 2 });
});
afterAll(() => server.close());

/** Names of the parameters of a list that choose or order its entries. */
function filtersOf(route: string): string[] {
  const given = document.paths[route]?.get?.parameters ?? [];
  return given
    .map(({ $ref, ...own }) =>
      $ref === undefined ? own : document.components.parameters[$ref.split("/").at(-1) ?? ""],
    )
    .filter((parameter) => parameter?.in === "query")
    .map((parameter) => parameter?.name ?? "")
    .filter((name) => !HARMLESS.includes(name));
}

it.each([OPERATIONS, INSIGHTS, AUDIT, `${INSIGHTS}/{id}/postings`])(
  "a cursor of %s is refused with every filter that its page did not have",
  async (route) => {
    const path = route.replace(`${INSIGHTS}/{id}`, insight);
    const next = async () => ((await user.get(`${path}?limit=1`)).body as { next_cursor: string | null }).next_cursor;
    // Postings are listed once they are analyzed.
    await expect.poll(next).toEqual(expect.any(String));
    const cursor = `limit=1&cursor=${(await next()) ?? ""}`;
    expect((await user.get(`${path}?${cursor}`)).status).toBe(200);
    const filters = filtersOf(route).filter((name) => !name.startsWith("metadata."));
    expect(filters.length).toBeGreaterThan(3);
    for (const name of filters) {
      const value = OTHERS[route]?.[name] ?? VALUES[name];
      if (value === undefined) throw new Error(`a value is missing for ${name} of ${route}`);
      const refused = await user.get(`${path}?${cursor}&${name}=${encodeURIComponent(value)}`);
      expect([name, refused.status, fieldsOf(refused)], refused.text).toEqual([name, 400, ["cursor"]]);
    }
  },
);
