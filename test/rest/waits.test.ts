import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { OPERATIONS, TEXT_OPERATION, User, type Failure } from "./routes.js";

const COLLEAGUE = "colleague@example.com";
/** Waits that one user may have at a time. */
const WAITS = 200;
const LARGE = Array.from({ length: 300 }, (_, index) => `text ${index}`);

describe("requests that wait for the end of an operation", () => {
  let server: TestServer;
  let user: User;
  let colleague: User;
  let unfinished = "";

  beforeAll(async () => {
    // No worker: what is created stays unfinished.
    server = await startServer({ WORKER_ROLES: "operation.sweep" });
    await admin(server.storage, "user", "create", "--email", COLLEAGUE, "--company", "Example");
    user = await User.signIn(server);
    colleague = await User.signIn(server, COLLEAGUE, USER_PASSWORD);
    unfinished = (await user.post(OPERATIONS, TEXT_OPERATION)).headers.get("location") ?? "";
  });
  afterAll(() => server.close());

  it("are bounded for each user, by whatever protocol, and not for others", async () => {
    const leaving = new AbortController();
    const authorization = user.authorization;
    const wait = (signal: AbortSignal) =>
      fetch(`${server.url}${unfinished}?wait=60`, { headers: { authorization }, signal });
    const waits = Array.from({ length: WAITS }, () => wait(leaving.signal).catch(() => undefined));
    const refused = await until(async () => {
      const answer = await user.get(`${unfinished}?wait=1`);
      return answer.status === 429 ? answer : undefined;
    });
    expect((refused.body as Failure).code).toBe("too_many_waits");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const byConnect = await user.post("/hourglass.operation.v1.OperationService/GetOperation", {
      id: unfinished.split("/").at(-1),
      wait: 1,
    });
    expect(byConnect.status).toBe(429);
    expect((await colleague.get(`${unfinished}?wait=1`)).status).toBe(200);
    expect((await user.get(unfinished)).status).toBe(200);
    leaving.abort();
    await Promise.all(waits);
    // Their places are free again.
    await until(async () => {
      const answer = await user.get(`${unfinished}?wait=1`);
      return answer.status === 200 ? answer : undefined;
    });
  });

  it("do not mix with reads by another protocol at the same time, which share the load", async () => {
    const contents = Array.from({ length: 300 }, (_, index) => `${index} ${"x".repeat(1_500)}`);
    const place = (await user.post(OPERATIONS, { ...TEXT_OPERATION, contents })).headers.get("location") ?? "";
    const id = place.split("/").at(-1);
    const byConnect = () => user.post("/hourglass.operation.v1.OperationService/GetOperation", { id });
    const reads = Array.from({ length: 10 }, () => [user.get(place), byConnect()]).flat();
    const queries = (await Promise.all(reads)).map(({ body }, index) =>
      index % 2 === 0
        ? (body as { query: { contents: string[] } }).query.contents
        : (body as { operation: { query: { contents: { text: string }[] } } }).operation.query.contents.map(
            ({ text }) => text,
          ),
    );
    for (const found of queries) expect(found).toEqual(contents);
  });
});

describe("a wait for an operation", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  it("gets all of it, large or small, with and without data", async () => {
    const user = await User.signIn(server);
    for (const contents of [LARGE, LARGE.slice(0, 2)]) {
      const { headers } = await user.post(OPERATIONS, { ...TEXT_OPERATION, contents });
      const place = headers.get("location") ?? "";
      const { body: waited } = await user.get(`${place}?wait=60`);
      const { body: read } = await user.get(place);
      expect(waited).toEqual(read);
      expect(read).toMatchObject({ status: "done", query: { contents }, data: { contents_count: contents.length } });
      const without = (await user.get(`${place}?wait=60&data=false`)).body;
      expect(without).toMatchObject({ status: "done", data: null, progress: { total: contents.length } });
    }
  });
});

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await expect.poll(async () => (found = await look()) !== undefined).toBe(true);
  return found as T;
}
