import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type Answer, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { EXPORTS, EXPORTS_ALIAS, INSIGHTS, OPERATIONS, TEXT_OPERATION, UPLOAD, User, type Failure } from "./routes.js";

const STRANGER = "stranger@example.com";
const COLLEAGUE = "colleague@example.com";
const GHOST = 8_999_999_999_999;

describe("companies", () => {
  let server: TestServer;
  let owner: User;
  let colleague: User;
  let stranger: User;
  let id: number;

  beforeAll(async () => {
    server = await startServer();
    await admin(server.storage, "company", "create", "--name", "Other");
    await admin(server.storage, "user", "create", "--email", STRANGER, "--company", "Other");
    await admin(server.storage, "user", "create", "--email", COLLEAGUE, "--company", "Example");
    owner = await User.signIn(server);
    colleague = await User.signIn(server, COLLEAGUE, USER_PASSWORD);
    stranger = await User.signIn(server, STRANGER, USER_PASSWORD);
    id = ((await owner.post(OPERATIONS, TEXT_OPERATION)).body as { id: number }).id;
  });
  afterAll(() => server.close());

  /** Everything by which a client can distinguish two responses. */
  function visible({ status, headers, body }: Answer): unknown {
    const kept = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
    return { status, headers: kept, body: { ...(body as Failure), request_id: "" } };
  }

  it("share records among their users", async () => {
    expect((await colleague.get(`${OPERATIONS}/${id}`)).status).toBe(200);
    const { body } = await colleague.get(OPERATIONS);
    expect((body as { operations: { id: number }[] }).operations.map((operation) => operation.id)).toContain(id);
  });

  it.each(["GET", "DELETE"])("do not learn by %s which records others have", async (method) => {
    const foreign = await stranger.send(method, `${OPERATIONS}/${id}`);
    const ghost = await stranger.send(method, `${OPERATIONS}/${GHOST}`);
    expect(foreign.status).toBe(404);
    expect(visible(foreign)).toEqual(visible(ghost));
    expect((await owner.get(`${OPERATIONS}/${id}`)).status).toBe(200);
  });

  it("list their own records only", async () => {
    const { body } = await stranger.get(OPERATIONS);
    expect(body).toEqual({ operations: [], next_cursor: null });
  });

  it("keep their idempotency keys apart", async () => {
    const key = { "idempotency-key": "the same" };
    const [mine, theirs] = [
      await owner.post(OPERATIONS, TEXT_OPERATION, key),
      await stranger.post(OPERATIONS, TEXT_OPERATION, key),
    ];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.text).not.toBe(theirs.text);
  });

  it("are refused with 403 within 10 s once a product is off, whatever the path looks like", async () => {
    await admin(server.storage, "product", "set", "--company", "Other", "--uid", "insight", "--active", "false");
    await expectWithin(10_000, async () => (await stranger.get(INSIGHTS)).status === 403);
    const body = { insight_search_ids: [1], start_date: "2026-01-01", end_date: "2026-01-02" };
    for (const path of [EXPORTS, EXPORTS_ALIAS]) {
      const answer = await stranger.post(path, body);
      expect(answer.status).toBe(403);
      expect((answer.body as Failure).code).toBe("product_inactive");
    }
    expect((await stranger.get(OPERATIONS)).status).toBe(200);
    await admin(server.storage, "product", "set", "--company", "Other", "--uid", "api", "--active", "false");
    await expectWithin(10_000, async () => (await stranger.get(OPERATIONS)).status === 403);
    // Checked before the body is.
    expect((await stranger.post(OPERATIONS, "x", { "content-type": "text/plain" })).status).toBe(403);
    expect((await stranger.post(UPLOAD, {})).status).toBe(403);
    expect((await owner.get(OPERATIONS)).status).toBe(200);
  });

  async function expectWithin(timeMs: number, condition: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + timeMs;
    while (!(await condition())) {
      expect(Date.now(), "it took too long").toBeLessThan(deadline);
      await sleep(100);
    }
  }
});
