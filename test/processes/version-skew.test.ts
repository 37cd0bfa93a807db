import { createLogger, openSqliteStore, type Collection, type Store } from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startServer, type TestServer } from "../support/server.js";

// A newer release works on the same data: its records contain fields that this one does not know.

/** A record of an operation that another release may write. */
interface Stored {
  id: number;
  status: string;
  [field: string]: string | number | boolean | null | string[];
}

const WITHIN = { timeout: 60_000, interval: 100 };
const OPERATIONS = "/api/v2/products/api/operations";

let server: TestServer;
let store: Store;
let records: Collection<Stored>;
let authorization: string;
beforeEach(async () => {
  // The records are inspected in the data folder.
  server = await startServer({ MONGODB_URL: "", AMQP_URL: "" }, "grpc");
  store = await openSqliteStore({ dataDir: server.dataDir, log: createLogger("silent") });
  records = await store.collection<Stored>({ name: "operations" });
  authorization = await server.signIn();
});
afterEach(async () => {
  await store.close();
  await server.close();
});

async function create(): Promise<number> {
  const body = { type: "text", analyses: ["spam-detection"], contents: ["one", "two"] };
  return ((await server.send("POST", OPERATIONS, { authorization, body })).body as { id: number }).id;
}

const read = (id: number, wait = 0) => server.send("GET", `${OPERATIONS}/${id}?wait=${wait}`, { authorization });

it("answers what it can of a finished operation of a newer release", async () => {
  const id = await create();
  // Nobody has read it yet: an operation that is done changes no more, so that its body is kept.
  await vi.waitFor(async () => expect(await records.get(id)).toMatchObject({ status: "done" }), WITHIN);
  const analyses = ["spam-detection", "emotion-of-smells"];
  await records.update({ id }, { set: { analyses, retention: "30 days" } });
  const { status, body } = await read(id);
  expect(status).toBe(200);
  const [content] = (body as { data: { contents: { analyses: object[] }[] } }).data.contents;
  expect(content?.analyses).toMatchObject([{ type: "spam-detection", data: { value: "ham" } }]);
  expect(body).toMatchObject({ status: "done", query: { analyses: ["spam-detection", expect.any(String)] } });
});

it("answers and lists an operation in a state and of a kind that are new", async () => {
  const id = await create();
  await read(id, 60);
  await records.update({ id }, { set: { status: "paused", kind: "hologram" } });
  expect(await read(id)).toMatchObject({ status: 200, body: { id, data: null, query: { contents: [null, null] } } });
  const list = await server.send("GET", OPERATIONS, { authorization });
  expect(list).toMatchObject({ status: 200, body: { operations: [{ id }] } });
});

it("hands an operation on that only a newer worker can carry out, and works on", async () => {
  const id = await create();
  await read(id, 60);
  const waits = {
    status: "pending",
    kind: "hologram",
    dueAt: 1,
    laneKey: "texts:1",
    attempts: 0,
    finishedAt: null,
    retention: "30 days",
  };
  await records.update({ id }, { set: waits });
  await vi.waitFor(async () => expect(await records.get(id)).toMatchObject({ newerOffers: 1, status: "pending" }));
  expect(await records.get(id)).toMatchObject({ attempts: 0, retention: "30 days", kind: "hologram" });
  expect((await read(await create(), 20)).body).toMatchObject({ status: "done" });
  expect(await read(id)).toMatchObject({ status: 200, body: { status: "pending" } });
});
