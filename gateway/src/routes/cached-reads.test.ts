import { create } from "@bufbuild/protobuf";
import type { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import type { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { AppError, type Handlers } from "@hourglass/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { authenticate, GatewayClient } from "../testing/gateway-under-test.js";

const OPERATIONS = "/api/v2/products/api/operations";
const INSIGHTS = "/api/v2/products/insight";
const OTHER = { authorization: "Bearer other" };

/** Operations of the first company, by id; what is not named is deleted. */
function fakeOperations(ids: readonly bigint[], status = OperationStatus.DONE) {
  const present = new Set(ids);
  const isSeen = (id: bigint, companyId: number) => present.has(id) && companyId === 1;
  const handlers = {
    getOperation: vi.fn<NonNullable<Handlers<typeof OperationService>["getOperation"]>>(({ id }, { principal }) => {
      if (!isSeen(id, principal.companyId)) throw new AppError("not-found", "There is none.");
      const finishedAt = status === OperationStatus.DONE ? { seconds: 1_700_000_000n + id, nanos: 0 } : undefined;
      const query = { type: OperationType.TEXT, contents: [{ value: { case: "text" as const, value: `text ${id}` } }] };
      return Promise.resolve({ operation: create(OperationSchema, { id, status, query, finishedAt }) });
    }),
    checkOperations: vi.fn<NonNullable<Handlers<typeof OperationService>["checkOperations"]>>(
      ({ operations }, { principal }) =>
        Promise.resolve({
          unchangedIds: operations.map(({ id }) => id).filter((id) => isSeen(id, principal.companyId)),
        }),
    ),
  };
  return { handlers, present };
}

describe("reading an operation that is done again", () => {
  const gateway = new GatewayClient();
  const { start, get, raw } = gateway;
  afterEach(() => gateway.stop());

  it("asks only whether it is still there", async () => {
    const { handlers } = fakeOperations([7n]);
    await start({ operation: handlers });
    const bodies = [];
    for (let read = 0; read < 3; read++) bodies.push(await (await get(`${OPERATIONS}/7`)).text());
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain("text 7");
    expect(handlers.getOperation).toHaveBeenCalledOnce();
    expect(handlers.checkOperations).toHaveBeenCalledTimes(2);
  });

  it("is answered, logged and counted like the first time", async () => {
    const { handlers } = fakeOperations([7n]);
    const observed: unknown[] = [];
    const { log } = await start(
      { operation: handlers },
      {
        config: { bodyBytesMax: 1000, rateLimitPerMinute: 100 },
        onRequest: (request) => observed.push({ ...request, seconds: 0 }),
      },
    );
    const visible = async () => {
      const { status, headers } = await get(`${OPERATIONS}/7`, { "x-request-id": "mine" });
      const kept = [...headers].filter(([name]) => !["date", "ratelimit"].includes(name));
      return { status, kept, remaining: headers.get("ratelimit")?.split(";")[1] };
    };
    const [first, second] = [await visible(), await visible()];
    expect({ ...second, remaining: "" }).toEqual({ ...first, remaining: "" });
    expect([first.remaining, second.remaining]).toEqual(["r=99", "r=98"]);
    await vi.waitFor(() => expect(log).toHaveLength(2));
    const [one, two] = log.map((line) => ({ ...line, time: "", ms: 0 }));
    expect(two).toEqual(one);
    expect(two).toMatchObject({
      route: `${OPERATIONS}/:id`,
      status: 200,
      operationId: 7,
      request_id: "mine",
      user_id: 1,
    });
    expect(observed[1]).toEqual(observed[0]);
  });

  it("is 404 once it is deleted, and does not come back", async () => {
    const { handlers, present } = fakeOperations([7n]);
    await start({ operation: handlers });
    await get(`${OPERATIONS}/7`);
    present.delete(7n);
    expect((await get(`${OPERATIONS}/7`)).status).toBe(404);
    expect((await get(`${OPERATIONS}/7`)).status).toBe(404);
  });

  it("is 404 for another company, which the service is asked about", async () => {
    const { handlers } = fakeOperations([7n]);
    await start({ operation: handlers });
    await get(`${OPERATIONS}/7`);
    const foreign = await get(`${OPERATIONS}/7`, OTHER);
    expect(foreign.status).toBe(404);
    expect(await foreign.text()).not.toContain("text 7");
    expect(handlers.checkOperations).not.toHaveBeenCalled();
    expect((await get(`${OPERATIONS}/7`)).status).toBe(200);
  });

  it.each([
    ["its token has ended", 401, () => Promise.reject(new AppError("unauthenticated", "Sign in."))],
    ["the product is off", 403, async (token: string) => ({ ...(await authenticate(token)), products: [] })],
  ] as const)("is refused once %s", async (_, status, later) => {
    const { handlers } = fakeOperations([7n]);
    let admit: typeof authenticate = authenticate;
    await start({ operation: handlers }, { authenticate: (token) => admit(token) });
    expect((await get(`${OPERATIONS}/7`)).status).toBe(200);
    admit = later;
    expect((await get(`${OPERATIONS}/7`)).status).toBe(status);
  });

  it("asks once about all that are read at a time", async () => {
    const ids = [1n, 2n, 3n, 4n];
    const { handlers } = fakeOperations(ids);
    await start({ operation: handlers });
    const readAll = () => Promise.all(ids.map((id) => get(`${OPERATIONS}/${id}`).then((response) => response.json())));
    const first = await readAll();
    // Whether requests share a turn of the event loop is up to their connections; each of them gets its own answer.
    expect(await readAll()).toEqual(first);
    expect(handlers.checkOperations.mock.calls.flatMap(([{ operations }]) => operations)).toHaveLength(4);
    expect(handlers.getOperation).toHaveBeenCalledTimes(4);
  });

  it("is read in full while it is not done", async () => {
    const { handlers } = fakeOperations([7n], OperationStatus.RUNNING);
    await start({ operation: handlers });
    for (let read = 0; read < 2; read++) expect((await get(`${OPERATIONS}/7`)).headers.get("retry-after")).toBe("1");
    expect(handlers.getOperation).toHaveBeenCalledTimes(2);
    expect(handlers.checkOperations).not.toHaveBeenCalled();
  });

  it("says that the service is unavailable, and is answered again when it is back", async () => {
    const { handlers } = fakeOperations([7n]);
    await start({ operation: handlers });
    await get(`${OPERATIONS}/7`);
    handlers.checkOperations.mockRejectedValueOnce(new AppError("unavailable", "Away."));
    expect((await get(`${OPERATIONS}/7`)).status).toBe(503);
    expect((await get(`${OPERATIONS}/7`)).status).toBe(200);
  });

  it("still refuses a query that is wrong", async () => {
    const { handlers } = fakeOperations([7n]);
    await start({ operation: handlers });
    await get(`${OPERATIONS}/7`);
    expect((await get(`${OPERATIONS}/7?wait=61`)).status).toBe(400);
    expect((await get(`${OPERATIONS}/7?wait=x`)).status).toBe(400);
    expect((await get(`${OPERATIONS}/7?wait=1`)).status).toBe(200);
    expect((await raw(`${OPERATIONS}/7`, {}, "HEAD")).body).toHaveLength(0);
  });
});

describe("reading what a service gives a revision again", () => {
  const gateway = new GatewayClient();
  const { start, get } = gateway;
  afterEach(() => gateway.stop());

  /** Pages and summaries of the first company, which change with the revision. */
  function fakeInsights() {
    const world = { revision: "1", rendered: 0 };
    const answer = (known: string, companyId: number) => {
      if (companyId !== 1) throw new AppError("not-found", "There is none.");
      if (world.revision !== "" && known === world.revision) return { revision: known, unchanged: true };
      world.rendered += 1;
      return { revision: world.revision, nextCursor: `page ${world.revision}`, summary: { interval: 1 } };
    };
    const handlers: Handlers<typeof InsightService> = {
      listPostings: ({ knownRevision }, { principal }) => Promise.resolve(answer(knownRevision, principal.companyId)),
      summarize: ({ knownRevision }, { principal }) => Promise.resolve(answer(knownRevision, principal.companyId)),
    };
    return { world, insight: handlers };
  }

  it.each(["postings", "postings?limit=7", "summary"])("makes no body as long as nothing changes: %s", async (what) => {
    const { world, insight } = fakeInsights();
    await start({ insight });
    const read = async () => {
      const { status, headers } = await get(`${INSIGHTS}/7/${what}`);
      return { status, etag: headers.get("etag"), type: headers.get("content-type") };
    };
    const first = await read();
    expect(await read()).toEqual(first);
    expect(world.rendered).toBe(1);
    world.revision = "2";
    expect(await read()).toMatchObject({ status: 200 });
    expect(world.rendered).toBe(2);
  });

  it("keeps companies, searches and filters apart", async () => {
    const { world, insight } = fakeInsights();
    await start({ insight });
    expect((await get(`${INSIGHTS}/7/postings`)).status).toBe(200);
    expect((await get(`${INSIGHTS}/7/postings`, OTHER)).status).toBe(404);
    await get(`${INSIGHTS}/8/postings`);
    await get(`${INSIGHTS}/7/postings?sentiment=joy`);
    expect(world.rendered).toBe(3);
  });

  it("keeps nothing of a store that cannot tell", async () => {
    const { world, insight } = fakeInsights();
    world.revision = "";
    await start({ insight });
    for (let read = 0; read < 2; read++) expect((await get(`${INSIGHTS}/7/postings`)).status).toBe(200);
    expect(world.rendered).toBe(2);
  });
});

describe("a client that has what it asks for", () => {
  const gateway = new GatewayClient();
  const { start, get, post, raw } = gateway;
  afterEach(() => gateway.stop());

  const insight = {
    listPostings: () => Promise.resolve({ postings: [], nextCursor: "" }),
    listInsights: () => Promise.resolve({ insights: [], nextCursor: "" }),
  };

  it.each([`${OPERATIONS}/7`, `${INSIGHTS}/7/postings`, INSIGHTS])("is answered 304: GET %s", async (path) => {
    await start({ operation: fakeOperations([7n]).handlers, insight });
    const first = await get(path);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers.get("cache-control")).toBe("no-store");
    for (const method of ["GET", "HEAD"]) {
      const again = await raw(path, { "if-none-match": `"other", ${etag}` }, method);
      expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
      expect(again.headers).toMatchObject({ etag, "cache-control": "no-store" });
      expect(again.headers["content-type"]).toBeUndefined();
    }
    const other = await get(path, { "if-none-match": '"other"' });
    expect(other.status).toBe(200);
    expect(await other.text()).toBe(await first.text());
  });

  it("gets other bytes under another tag", async () => {
    await start({ operation: fakeOperations([7n, 8n]).handlers });
    const tags = await Promise.all([7, 8].map(async (id) => (await get(`${OPERATIONS}/${id}`)).headers.get("etag")));
    expect(tags[0]).not.toBe(tags[1]);
    expect((await get(`${OPERATIONS}/8`, { "if-none-match": tags[0] ?? "" })).status).toBe(200);
  });

  it("is answered 304 for an operation of megabytes, by a weak tag, since it is sent as it is written", async () => {
    const contents = Array.from({ length: 100 }, () => ({ value: { case: "text" as const, value: "x".repeat(1000) } }));
    const finishedAt = { seconds: 1_700_000_000n, nanos: 0 };
    const operation = {
      id: 7n,
      status: OperationStatus.DONE,
      query: { type: OperationType.TEXT, contents },
      finishedAt,
    };
    await start({ operation: { getOperation: () => Promise.resolve({ operation }) } });
    const etag = (await get(`${OPERATIONS}/7`)).headers.get("etag") ?? "";
    expect(etag).toBe('W/"7-2023-11-14T22:13:20.000Z"');
    expect((await raw(`${OPERATIONS}/7`, { "if-none-match": etag })).status).toBe(304);
  });

  it("learns first that it may not have it", async () => {
    const { handlers, present } = fakeOperations([7n]);
    await start({ operation: handlers });
    const known = { "if-none-match": (await get(`${OPERATIONS}/7`)).headers.get("etag") ?? "" };
    expect((await get(`${OPERATIONS}/7`, { ...known, ...OTHER })).status).toBe(404);
    expect((await get(`${OPERATIONS}/7`, { ...known, authorization: "Bearer bad" })).status).toBe(401);
    present.delete(7n);
    expect((await get(`${OPERATIONS}/7`, known)).status).toBe(404);
  });

  it("keeps nothing of failures, nor of what a request has changed", async () => {
    await start({ operation: { createOperation: () => Promise.resolve({ id: 7n }) } });
    const created = await post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["a"] });
    for (const { headers } of [created, await get(`${OPERATIONS}/x`)]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("etag")).toBeNull();
    }
  });
});
