import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { makeCallers, type Caller, type Need } from "./callers.js";
import { FORM_TYPE, formOf } from "./multipart.js";
import {
  AUDIT,
  EXPORTS,
  EXPORTS_ALIAS,
  INSIGHTS,
  KEYS,
  ME,
  OPERATIONS,
  SIGN_IN,
  UPLOAD,
  User,
  USERS,
  type Failure,
} from "./routes.js";

/** Ends of routes that change nothing, although their method is POST. */
const READS_BY_POST = /\/(check|links)$/;

/** What is said to everybody who is known. */
const ABOUT_THE_SERVER = ["/api/v2/server", "/api/v2/models"];

/** An id that no record has. */
const GHOST = "8999999999999";

const A_FILE = {
  body: formOf([{ disposition: 'name="file"; filename="a.png"', body: png() }]),
  headers: { "content-type": FORM_TYPE },
};

/** What a route asks of its caller. A route of a new kind is described here. */
function needOf(method: string, path: string): Need {
  const reads = method === "get" || READS_BY_POST.test(path);
  if (path === `${USERS}/{id}` && reads) return { for: "users who read" };
  if (path.startsWith(USERS) || path === AUDIT) return { for: "admins" };
  if ((path === ME || ABOUT_THE_SERVER.includes(path)) && reads) return { for: "anyone with a token" };
  if (path.startsWith(ME) || path === SIGN_IN) return { for: "sessions" };
  if (path.startsWith(KEYS)) return { for: "users who write" };
  return { for: reads ? "readers" : "writers", scope: scopeOf(path) };
}

function scopeOf(path: string): "operations" | "insights" | "exports" {
  if (path.startsWith(EXPORTS) || path.startsWith(EXPORTS_ALIAS)) return "exports";
  if (path.startsWith(OPERATIONS)) return "operations";
  if (path.startsWith(INSIGHTS)) return "insights";
  throw new Error(`Say in this test which scope an API key needs for ${path}.`);
}

interface Described {
  security?: unknown[];
  parameters?: { name?: string; in?: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> };
}

interface Route {
  method: string;
  path: string;
  described: Described;
}

/** Every route that needs a token, by the OpenAPI document, which holds all routes. */
async function routesOf(server: TestServer): Promise<Route[]> {
  const document = (await server.send("GET", "/openapi.json")).body as {
    paths: Record<string, Record<string, Described>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) =>
      described.security?.length === 0 ? [] : [{ method, path, described }],
    ),
  );
}

describe.each(TRANSPORTS)("who may use which route, with services %s", (transport) => {
  let server: TestServer;
  let routes: Route[];
  let callers: readonly Caller[];
  /** Records of the first company, by the beginning of their paths. */
  let records: Record<string, number>;

  beforeAll(async () => {
    server = await startServer({ NEWS_FEEDS: "none", WORKER_ROLES: "operation.sweep" }, transport);
    routes = await routesOf(server);
    callers = await makeCallers(server);
    records = await makeRecords(await User.signIn(server));
  });
  afterAll(() => server.close());

  async function makeRecords(owner: User): Promise<Record<string, number>> {
    const query = { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"] };
    const { headers } = await owner.post(INSIGHTS, { query });
    const insight = Number(headers.get("location")?.split("/").at(-1));
    const range = { insight_search_ids: [insight], start_date: "2026-01-01", end_date: "2026-01-02" };
    const idOf = ({ body }: Answer) => (body as { id: number }).id;
    return {
      [UPLOAD]: idOf(await owner.send("POST", UPLOAD, A_FILE)),
      [OPERATIONS]: idOf(await owner.post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["Hello"] })),
      [EXPORTS]: idOf(await owner.post(EXPORTS, range)),
      [EXPORTS_ALIAS]: idOf(await owner.post(EXPORTS_ALIAS, range)),
      [INSIGHTS]: insight,
      [KEYS]: idOf(await owner.post(KEYS, { name: "Kept", scopes: ["exports"] })),
      [USERS]: 1,
    };
  }

  function recordAt(path: string): number {
    const [found] = Object.entries(records).find(([beginning]) => path.startsWith(`${beginning}/`)) ?? [];
    if (found === undefined) throw new Error(`Make a record for ${path} in this test.`);
    return records[found] ?? Number.NaN;
  }

  async function send({ method, path, described }: Route, authorization: string, id: string): Promise<Answer> {
    const query = (described.parameters ?? []).filter((each) => each.in === "query" && each.required === true);
    const texts = query.map(({ name = "", example = "2026-01-01" }) => `${name}=${String(example)}`);
    const url = path.replace("{id}", id) + (texts.length === 0 ? "" : `?${texts.join("&")}`);
    const options = authorization === "" ? {} : { authorization };
    return server.send(method.toUpperCase(), url, { ...options, ...bodyOf(described) });
  }

  function bodyOf({ requestBody }: Described): { body?: unknown; headers?: Record<string, string> } {
    const [[type, media] = ["", undefined]] = Object.entries(requestBody?.content ?? {});
    if (media === undefined) return {};
    if (type === "multipart/form-data") return A_FILE;
    const [example] = [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)].filter(
      (value) => value !== undefined,
    );
    if (example === undefined && type === "application/json") throw new Error("Give the route an example of its body.");
    return { body: example ?? "", headers: { "content-type": type } };
  }

  it("finds all of them", () => {
    expect(routes.length).toBeGreaterThan(40);
  });

  it("follows from role, scopes and company, for every route and every kind of caller", async () => {
    const wrong: string[] = [];
    for (const route of routes) {
      const need = needOf(route.method, route.path);
      for (const caller of callers) {
        const answer = await send(route, await caller.authorize(need), GHOST);
        const { code = "", error = "" } = (answer.body ?? {}) as Partial<Failure>;
        const expected = caller.refusal(need);
        const isRefused = answer.status === 401 || answer.status === 403;
        const isRight = expected === undefined ? !isRefused : isRefused && code === expected && error !== "";
        if (isRight && isRefused && (answer.status === 401) !== (code === "unauthenticated")) wrong.push("status");
        if (!isRight)
          wrong.push(`${caller.name}: ${route.method} ${route.path}: ${answer.status} ${code}, not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("keeps the records of a company from all others", async () => {
    const stranger = callers.at(-1);
    const wrong: string[] = [];
    for (const route of routes.filter(({ path }) => path.includes("{id}"))) {
      const need = needOf(route.method, route.path);
      const id = String(recordAt(route.path));
      const foreign = await send(route, (await stranger?.authorize(need)) ?? "", id);
      const ghost = await send(route, (await stranger?.authorize(need)) ?? "", GHOST);
      const isHidden = foreign.status === ghost.status && [400, 404].includes(foreign.status);
      if (!isHidden) wrong.push(`${route.method} ${route.path}: ${foreign.status}, of none ${ghost.status}`);
    }
    expect(wrong).toEqual([]);
    const owner = await User.signIn(server);
    for (const [beginning, id] of Object.entries(records)) {
      const isRead = routes.some(({ method, path }) => method === "get" && path === `${beginning}/{id}`);
      if (isRead) expect((await owner.get(`${beginning}/${id}`)).status, beginning).toBe(200);
    }
  });

  it("refuses an expired token with its own code", async () => {
    const brief = await startServer({ JWT_TTL_SECONDS: "1" }, transport);
    try {
      const authorization = await brief.signIn();
      await expect
        // Without a file, which the gateway refuses before it asks a service.
        .poll(async () => (await brief.send("POST", UPLOAD, { authorization })).status, {
          timeout: 15_000,
          interval: 200,
        })
        .toBe(401);
      for (const { method, path } of routes) {
        const url = path.replace("{id}", GHOST);
        const { status, body } = await brief.send(method.toUpperCase(), url, { authorization });
        expect([status, (body as Failure).code], `${method} ${path}`).toEqual([401, "token_expired"]);
      }
    } finally {
      await brief.close();
    }
  });
});
