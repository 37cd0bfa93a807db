import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, startServer, type TestServer } from "../support/server.js";
import { FORM_TYPE, formOf } from "./multipart.js";
import { EXPORTS, type Failure, INSIGHTS, ME, OPERATIONS, TEXT_OPERATION, UPLOAD, User } from "./routes.js";

const CSV = { "content-type": "text/csv" };
const GET_OPERATION = "/hourglass.operation.v1.OperationService/GetOperation";
const GRPC_WEB = { "content-type": "application/grpc-web+json" };
const QUERY = { keywords: "kestrel", platforms: ["reddit"], dimensions: ["textual"] };

/** Requests that are answered with codes of the documentation that no other test sees from outside. */
describe("a failure has the code that the documentation explains", () => {
  let server: TestServer;
  let user: User;
  let insight: string;

  beforeAll(async () => {
    const limits = { MAX_UNFINISHED_OPERATIONS: "1", MAX_UNFINISHED_EXPORTS: "1" };
    server = await startServer({ NEWS_FEEDS: "none", ...limits });
    user = await User.signIn(server);
    insight = (await user.post(INSIGHTS, { query: QUERY })).headers.get("location") ?? "";
  });
  afterAll(() => server.close());

  function expectCode({ status, text, body }: Answer, [wanted, code]: readonly [number, string]): Failure {
    expect([status, (body as Partial<Failure> | undefined)?.code], text).toEqual([wanted, code]);
    return body as Failure;
  }

  it.each([
    ["unsupported_media_type", { "content-type": "text/plain" }],
    ["unsupported_charset", { "content-type": "application/json; charset=latin1" }],
    ["unsupported_content_encoding", { "content-type": "application/json", "content-encoding": "gzip" }],
  ])("for a body that is sent in another form: %s", async (code, headers) => {
    expectCode(await user.send("POST", OPERATIONS, { body: "{}", headers }), [415, code]);
  });

  it("for another password: wrong_password", async () => {
    const body = { current_password: "not this one", password: "a new password of theirs" };
    const { details } = expectCode(await user.send("PUT", `${ME}/password`, { body }), [400, "wrong_password"]);
    expect(details?.map(({ field }) => field)).toEqual(["current_password"]);
  });

  it("for a file without bytes: empty_file", async () => {
    const body = formOf([{ body: Buffer.alloc(0) }]);
    expectCode(await user.send("POST", UPLOAD, { body, headers: { "content-type": FORM_TYPE } }), [400, "empty_file"]);
  });

  it.each([
    [INSIGHTS, { query: { ...QUERY, keywords: 'red "kestrel' } }, "query.keywords"],
    [EXPORTS, { start_date: "2026-01-01", end_date: "2026-02-01", filter: { q: 'red "kestrel' } }, "filter.q"],
  ])("with the place of a mistake in keywords, of POST %s: invalid_query", async (route, wrong, field) => {
    const body = route === EXPORTS ? { ...wrong, insight_search_ids: [Number(insight.split("/").at(-1))] } : wrong;
    const { details } = expectCode(await user.post(route, body), [400, "invalid_query"]);
    expect(details).toMatchObject([{ field, start: 4, end: 5 }]);
  });

  it("for keywords in a parameter: invalid_query", async () => {
    const answer = await user.get(`${insight}/postings?q=${encodeURIComponent('red "kestrel')}`);
    expect(expectCode(answer, [400, "invalid_query"]).details).toMatchObject([{ field: "q", start: 4, end: 5 }]);
  });

  it("for postings that are not CSV: invalid_csv", async () => {
    const open = 'platform,social_id,post_date,post_time,text_of_post\r\nreddit,a,1/2/2026,10:00:00,"never closed\r\n';
    expectCode(await user.post(`${insight}/postings`, open, CSV), [400, "invalid_csv"]);
  });

  it("for an import into a search that is paused: insight_paused", async () => {
    const other = (await user.post(INSIGHTS, { query: QUERY })).headers.get("location") ?? "";
    expect((await user.send("PUT", `${other}/pause`)).status).toBe(200);
    const at = { post_date: "1/2/2026", post_time: "10:00:00" };
    const row = JSON.stringify({ platform: "reddit", social_id: "a", ...at, text_of_post: "A kestrel." });
    const answer = await user.post(`${other}/postings`, row, { "content-type": "application/x-ndjson" });
    expectCode(answer, [400, "insight_paused"]);
  });

  it.each([
    ["too_many_unfinished_operations", OPERATIONS, () => TEXT_OPERATION],
    [
      "too_many_unfinished_exports",
      EXPORTS,
      () => ({
        insight_search_ids: [Number(insight.split("/").at(-1))],
        start_date: "2026-01-01",
        end_date: "2026-02-01",
      }),
    ],
  ])("for more than may be unfinished: %s", async (code, route, body) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => user.post(route, body())));
    const refused = answers.filter(({ status }) => status !== 201 && status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectCode(answer, [429, code]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("for a method that the contract does not have: method_not_found", async () => {
    const body = JSON.stringify({ id: "1" });
    const headers = { "content-type": "application/json" };
    const answer = await user.send("POST", `${GET_OPERATION}s`, { body, headers });
    expect([answer.status, answer.text.includes("METHOD_NOT_FOUND")], answer.text).toEqual([404, true]);
  });

  it.each([
    ["compression_unsupported", Buffer.concat([Buffer.from([1, 0, 0, 0, 2]), Buffer.from("{}")])],
    ["incomplete_message", Buffer.concat([Buffer.from([0, 0, 0, 0, 9]), Buffer.from("{}")])],
  ])("for a message of gRPC-web: %s", async (code, body) => {
    const answer = await user.send("POST", GET_OPERATION, { body, headers: GRPC_WEB });
    const details = answer.headers.get("grpc-status-details-bin") ?? trailerOf(answer.text, "grpc-status-details-bin");
    expect(Buffer.from(details, "base64").toString("latin1"), answer.text).toContain(code.toUpperCase());
  });
});

function trailerOf(text: string, name: string): string {
  const line = text.split("\r\n").find((each) => each.toLowerCase().includes(`${name}:`)) ?? "";
  return line.slice(line.indexOf(":") + 1).trim();
}
