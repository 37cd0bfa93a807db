import { afterAll, beforeAll, expect, it } from "vitest";
import { type Answer, startServer, type TestServer } from "../support/server.js";
import { png } from "../support/png.js";
import { FORM_TYPE, formOf } from "./multipart.js";
import { EXPORTS, INSIGHTS, KEYS, ME, OPERATIONS, SIGN_IN, TEXT_OPERATION, UPLOAD, User, USERS } from "./routes.js";

/** Headers of HTTP itself, of its caches and of browsers, which are alike everywhere. */
const EVERYWHERE = [
  ...["connection", "keep-alive", "date", "transfer-encoding", "vary", "cache-control"],
  ...["access-control-allow-origin", "access-control-expose-headers"],
  ...["content-type", "content-length", "content-encoding", "content-security-policy", "cross-origin-opener-policy"],
  ...["cross-origin-resource-policy", "origin-agent-cluster", "referrer-policy", "strict-transport-security"],
  ...["x-content-type-options", "x-dns-prefetch-control", "x-download-options", "x-frame-options"],
  ...["x-permitted-cross-domain-policies", "x-xss-protection"],
];

interface Described {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Described> }>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

let server: TestServer;
let user: User;
let document: ApiDocument;

beforeAll(async () => {
  server = await startServer({ NEWS_FEEDS: "none" });
  user = await User.signIn(server);
  document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
});
afterAll(() => server.close());

/** The headers of an answer that the document does not declare for its route and status. */
function undeclared({ status, headers }: Answer, method: string, route: string): string[] {
  const described = document.paths[route]?.[method.toLowerCase()]?.responses[status];
  if (described === undefined) return [`${method} ${route} ${status} is not described`];
  const { $ref } = described;
  const named = $ref === undefined ? described : document.components.responses[$ref.split("/").at(-1) ?? ""];
  const known = new Set(Object.keys(named?.headers ?? {}).map((name) => name.toLowerCase()));
  return [...headers.keys()]
    .filter((name) => !EVERYWHERE.includes(name) && !known.has(name))
    .map((name) => `${method} ${route} ${status}: ${name}`);
}

it("every header of an answer is declared", async () => {
  const found: string[] = [];
  const send = async (method: string, route: string, path = route, options: Parameters<User["send"]>[2] = {}) => {
    const answer = await user.send(method, path, options);
    found.push(...undeclared(answer, method, route));
    return answer;
  };
  const create = async (route: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await send("POST", route, route, { body, headers: { "idempotency-key": route, ...headers } });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.headers.get("location") ?? "";
  };
  const operation = await create(OPERATIONS, TEXT_OPERATION);
  const file = await create(UPLOAD, formOf([{ body: png() }]), { "content-type": FORM_TYPE });
  const query = { keywords: "kestrel", platforms: ["reddit"], dimensions: ["textual"] };
  const insight = await create(INSIGHTS, { query });
  const span = { start_date: "2026-01-01", end_date: "2026-02-01" };
  const exported = await create(EXPORTS, { ...span, insight_search_ids: [Number(insight.split("/").at(-1))] });
  expect((await user.get(`${operation}?wait=60`)).status).toBe(200);
  expect((await user.get(`${exported}?wait=60`)).status).toBe(200);
  const one = (route: string) => `${route}/{id}`;
  for (const [route, path] of [
    [one(OPERATIONS), operation],
    [`${one(OPERATIONS)}/contents`, `${operation}/contents`],
    [one(UPLOAD), file],
    [`${one(UPLOAD)}/content`, `${file}/content`],
    [one(INSIGHTS), insight],
    [`${one(INSIGHTS)}/postings`, `${insight}/postings`],
    [`${one(INSIGHTS)}/coverage`, `${insight}/coverage?start_date=2026-01-01&end_date=2026-02-01`],
    [`${one(INSIGHTS)}/summary`, `${insight}/summary?start_date=2026-01-01&end_date=2026-02-01`],
    [one(EXPORTS), exported],
    [`${one(EXPORTS)}/download`, `${exported}/download?format=csv`],
    ...[ME, KEYS, USERS, OPERATIONS, UPLOAD, INSIGHTS, EXPORTS, `${INSIGHTS}/platforms`, "/api/v2/server"].map(
      (path) => [path, path] as const,
    ),
    ...["/api/v2/models", "/healthz", "/readyz", "/openapi.json", "/.well-known/jwks.json"].map(
      (path) => [path, path] as const,
    ),
  ] as const) {
    const answer = await send("GET", route, path);
    const etag = answer.headers.get("etag");
    if (etag !== null) await send("GET", route, path, { headers: { "if-none-match": etag } });
    await send("GET", route, `${path}${path.includes("?") ? "&" : "?"}nothing=1`);
    if (path !== route) await send("GET", route, path.replace(/\/\d+/, "/999"));
  }
  for (const range of ["bytes=0-3", "bytes=9999999-"]) {
    await send("GET", `${one(UPLOAD)}/content`, `${file}/content`, { headers: { range } });
    await send("GET", `${one(EXPORTS)}/download`, `${exported}/download?format=csv`, { headers: { range } });
  }
  await send("POST", OPERATIONS, OPERATIONS, { body: {} });
  await send("POST", OPERATIONS, OPERATIONS, { body: "x", headers: { "content-type": "text/plain" } });
  await send("POST", SIGN_IN, SIGN_IN, { body: { user: { email: "nobody@example.com", password: "x" } } });
  await send("POST", `${ME}/renew`);
  await send("POST", `${one(UPLOAD)}/links`, `${file}/links`);
  await send("POST", `${one(EXPORTS)}/links`, `${exported}/links`, { body: { format: "csv" } });
  await send("PATCH", one(INSIGHTS), insight, { body: { note: "theirs" } });
  await send("PUT", `${one(INSIGHTS)}/pause`, `${insight}/pause`);
  for (const [route, path] of [
    [one(EXPORTS), exported],
    [one(INSIGHTS), insight],
    [one(OPERATIONS), operation],
  ] as const) {
    await send("DELETE", route, path);
  }
  expect([...new Set(found)]).toEqual([]);
});
