import { create } from "@bufbuild/protobuf";
import { OperationSchema, OperationStatus } from "@hourglass/proto/operation/v1/operation";
import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient, type FakeHandlers } from "./testing/gateway-under-test.js";
import { RawConnection } from "./testing/raw-connection.js";

const OPERATIONS = "/api/v2/products/api/operations";
const INSIGHTS = "/api/v2/products/insight";
const EXPORTS = `${INSIGHTS}/exports`;

describe("gateway", () => {
  const gateway = new GatewayClient();
  const { start, get, post } = gateway;

  afterEach(() => gateway.stop());

  describe("failures of services", () => {
    it.each([
      ["invalid", 400],
      ["unauthenticated", 401],
      ["forbidden", 403],
      ["not-found", 404],
      ["conflict", 400],
      ["too-many", 429],
      ["too-large", 413],
      ["unimplemented", 501],
      ["unavailable", 503],
      ["deadline", 504],
      ["internal", 500],
    ] as const)("%s becomes %d", async (kind, status) => {
      const fail = () => Promise.reject(new AppError(kind, "So it is.", { code: "file_used", retryAfterMs: 2500 }));
      await start({ operation: { getOperation: fail } });
      const response = await get(`${OPERATIONS}/1`, { "x-request-id": "mine" });
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ error: "So it is.", code: "file_used", request_id: "mine" });
      expect(response.headers.get("x-request-id")).toBe("mine");
      expect(response.headers.get("retry-after")).toBe([429, 503, 504].includes(status) ? "3" : null);
      expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
    });

    it("tells nothing of an unforeseen error", async () => {
      await start({ operation: { getOperation: () => Promise.reject(new Error("secret detail")) } });
      const response = await get(`${OPERATIONS}/1`);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("secret");
    });

    it("names the quota that a service refuses by", async () => {
      const refuse = () => Promise.reject(new AppError("too-many", "Wait.", { retryAfterMs: 5000 }));
      await start({ operation: { createOperation: refuse } });
      const response = await post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["a"] });
      expect(response.status).toBe(429);
      expect(response.headers.get("ratelimit")).toBe('"unfinished-operations";r=0;t=5');
      expect(response.headers.get("ratelimit-policy")).toBe('"unfinished-operations";q=10000');
    });

    it("turns proto paths into those of the client, and leaves the sentences as they are", async () => {
      const violations = [
        { field: "contents[2].file_id", message: "Upload the file again." },
        { field: "idempotency_key", message: "Give another key." },
      ];
      await start({ operation: { createOperation: () => Promise.reject(AppError.invalid(violations)) } });
      const response = await post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["a"] });
      expect(await response.json()).toMatchObject({
        error: "contents[2]: upload the file again. Another field is wrong too: see the details.",
        details: [
          { field: "contents[2]", message: "Upload the file again." },
          { field: "Idempotency-Key", message: "Give another key." },
        ],
      });
    });
  });

  describe("rate limit", () => {
    it("counts each user's requests and tells what is left", async () => {
      await start({}, { config: { bodyBytesMax: 1000, rateLimitPerMinute: 2 } });
      const answers = [await get(`${OPERATIONS}/x`), await get(INSIGHTS), await get(`${OPERATIONS}/1`)];
      expect(answers.map(({ status }) => status)).toEqual([404, 501, 429]);
      expect(answers.map(({ headers }) => headers.get("ratelimit")?.split(";")[1])).toEqual(["r=1", "r=0", "r=0"]);
      expect(answers.map(({ headers }) => headers.get("ratelimit-policy"))).toEqual(
        answers.map(() => '"user";q=2;w=60'),
      );
      expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
      const other = await get(`${OPERATIONS}/1`, { authorization: "Bearer other" });
      expect(other.status).toBe(501);
    });
  });

  describe("waiting", () => {
    it("stops with the record as it is, and lets go of it when the client leaves", async () => {
      const seen: string[] = [];
      let waiters = 0;
      const operation = create(OperationSchema, { id: 1n, status: OperationStatus.RUNNING });
      const handlers: FakeHandlers = {
        operation: {
          getOperation: ({ wait }, { signal }) => {
            if (wait === 0) return Promise.resolve({ operation });
            waiters += 1;
            return new Promise((_, reject) => {
              signal.addEventListener("abort", () => {
                seen.push("let go");
                reject(new AppError("cancelled", "Gone."));
              });
            });
          },
        },
      };
      const started = await start(handlers);
      const { port } = started;
      const leaver = await RawConnection.open(port);
      leaver.write(`GET ${OPERATIONS}/1?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`);
      await expect.poll(() => waiters).toBe(1);
      leaver.end();
      await expect.poll(() => seen).toEqual(["let go"]);
      const waiting = get(`${OPERATIONS}/1?wait=60`);
      await expect.poll(() => waiters).toBe(2);
      const startedAt = performance.now();
      await started.stop(60_000);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      const response = await waiting;
      expect(response.status).toBe(200);
      expect(response.headers.get("connection")).toBe("close");
    });
  });

  describe("stopping", () => {
    it("finishes what is in progress and is not ready meanwhile", async () => {
      let finish: () => void = () => undefined;
      const answer = new Promise<{ id: bigint }>((resolve) => (finish = () => resolve({ id: 5n })));
      let begun = false;
      const createOperation = () => {
        begun = true;
        return answer;
      };
      const started = await start({ operation: { createOperation } });
      const { port } = started;
      const kept = await RawConnection.open(port);
      kept.write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");
      await kept.until(() => kept.statuses.length === 1, 20_000);
      const created = post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["a"] });
      await expect.poll(() => begun).toBe(true);
      const stopped = started.stop(60_000);
      await kept.untilClosed(20_000);
      finish();
      expect((await created).status).toBe(201);
      await stopped;
      await expect(get("/healthz")).rejects.toThrow();
    });

    it("does not wait for connections that have not asked for anything", async () => {
      const started = await start();
      await RawConnection.open(started.port);
      (await RawConnection.open(started.port)).write("GET /healthz HTTP/1.1\r\nHo");
      const startedAt = performance.now();
      await started.stop(60_000);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    });

    it("cuts what does not finish in time", async () => {
      let begun = false;
      const createOperation = () => {
        begun = true;
        return new Promise<never>(() => undefined);
      };
      const started = await start({ operation: { createOperation } });
      const created = post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["a"] });
      const failed = expect(created).rejects.toThrow();
      await expect.poll(() => begun).toBe(true);
      await started.stop(200);
      await failed;
    });
  });

  it("logs a line for each answer, without secrets", async () => {
    const { log } = await start();
    await post(
      `${OPERATIONS}?secret=1`,
      { type: "text", analyses: ["topic"], contents: ["secret"] },
      { "x-request-id": "r" },
    );
    await get("/secret");
    await get(OPERATIONS, { authorization: "Bearer hg_secret" });
    await expect.poll(() => log.length).toBe(3);
    expect(log[0]).toMatchObject({ request_id: "r", method: "POST", route: OPERATIONS, status: 501, user_id: 1 });
    expect(log[1]).toMatchObject({ route: "unmatched", status: 404 });
    expect(log[2]).toMatchObject({ route: OPERATIONS, user_id: 5, key_id: 7 });
    expect(JSON.stringify(log)).not.toMatch(/secret|Bearer/);
  });

  it("names in its line the record that was created or read", async () => {
    const { log } = await start({
      operation: { createOperation: () => Promise.resolve({ id: 7n }), getOperation: () => Promise.resolve({}) },
      export: { createExport: () => Promise.resolve({ id: 8n }) },
      insight: { createInsight: () => Promise.resolve({ id: 9n, notice: "It runs." }) },
    });
    await post(OPERATIONS, { type: "text", analyses: ["topic"], contents: ["a"] });
    await get(`${OPERATIONS}/17`);
    await get(`${OPERATIONS}/nonsense`);
    await get(OPERATIONS);
    await post(EXPORTS, { insight_search_ids: [1], start_date: "2026-01-01", end_date: "2026-01-02" });
    const query = { keywords: "a", platforms: ["youtube-videos"], dimensions: ["visual"], location: null };
    await post(INSIGHTS, { query });
    await get(`${INSIGHTS}/19`);
    const lines = () => log.filter(({ msg }) => msg === "request");
    await expect.poll(lines).toHaveLength(7);
    const ids = lines().map(({ operationId, exportId, insightId }) => ({ operationId, exportId, insightId }));
    expect(ids).toEqual([
      { operationId: 7 },
      { operationId: 17 },
      {},
      {},
      { exportId: 8 },
      { insightId: 9 },
      { insightId: 19 },
    ]);
  });

  it("names the record in the line of a Connect call too", async () => {
    const { log } = await start({
      operation: { createOperation: () => Promise.resolve({ id: 7n }), getOperation: () => Promise.resolve({}) },
    });
    const service = "/hourglass.operation.v1.OperationService";
    const content = { text: "a" };
    const made = { type: "OPERATION_TYPE_TEXT", analyses: ["ANALYSIS_TYPE_TOPIC"], contents: [content] };
    await post(`${service}/CreateOperation`, made);
    await post(`${service}/GetOperation`, { id: "17" });
    await post(`${service}/ListOperations`, {});
    const lines = () => log.filter(({ msg }) => msg === "request");
    await expect.poll(lines).toHaveLength(3);
    expect(lines().map(({ operationId }) => operationId)).toEqual([7, 17, undefined]);
  });

  it("tells Auth and the log the address of the client, as far as trusted proxies know it", async () => {
    const seen: string[] = [];
    const signIn = ({ clientAddress }: { clientAddress: string }) => {
      seen.push(clientAddress);
      return Promise.reject(new AppError("unauthenticated", "No."));
    };
    const config = { bodyBytesMax: 1000, rateLimitPerMinute: 0, trustedProxies: { networks: ["127.0.0.0/8"] } };
    const { log } = await start({ auth: { signIn } }, { config });
    const forwarded = { "x-forwarded-for": "6.6.6.6, 2001:DB8::1" };
    await post("/api/v1/users/sign_in", { user: { email: "a@example.com", password: "x" } }, forwarded);
    expect(seen).toEqual(["2001:db8::1"]);
    await expect.poll(() => log).toEqual([expect.objectContaining({ client_address: "2001:db8::1" })]);
  });

  it("tells metrics the pattern of the path, not the path, and whether the client asked to wait", async () => {
    const seen: unknown[] = [];
    await start({}, { onRequest: ({ method, route, status, waited }) => seen.push([method, route, status, waited]) });
    for (const query of ["", "?wait=0", "?wait=1"]) await get(`${OPERATIONS}/123${query}`);
    const answered = (waited: boolean) => ["GET", `${OPERATIONS}/:id`, 501, waited];
    await expect.poll(() => seen).toEqual([answered(false), answered(false), answered(true)]);
  });

  it("is not ready when a dependency is unavailable", async () => {
    const readiness = () => Promise.resolve({ ready: false, dependencies: { store: { state: "away" } } });
    await start({}, { readiness, metrics: () => Promise.resolve({ contentType: "text/plain", body: "" }) });
    const response = await get("/readyz");
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toEqual({ status: "not_ready", dependencies: { store: { state: "away" } } });
  });

  it("tells the public whether it is ready, and nothing of what it depends on or how it does", async () => {
    let ready = true;
    await start({}, { readiness: () => Promise.resolve({ ready, dependencies: { media: { state: "away" } } }) });
    expect(await (await get("/readyz")).json()).toEqual({ status: "degraded" });
    ready = false;
    const waiting = await get("/readyz");
    expect(waiting.status).toBe(503);
    expect(await waiting.json()).toEqual({ status: "not_ready" });
    const metrics = await get("/metrics");
    expect(metrics.status).toBe(404);
    expect(await metrics.json()).toMatchObject({ code: "route_not_found" });
    expect(await (await get("/openapi.json")).json()).not.toHaveProperty(["paths", "/metrics"]);
  });
});
