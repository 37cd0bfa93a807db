import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { DueWorkSchema } from "@hourglass/proto/job/v1/job";
import { createLogger, openEmbeddedQueue, openSqliteStore, type Queue } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UsageError, type Administration } from "./administration.js";
import { COMMANDS } from "./commands.js";

const unavailable = () => Promise.reject(new Error("nothing is opened for a command that is wrong"));
const nothing = { accounts: unavailable, queue: unavailable } as unknown as Administration;

const QUEUE_NAMES =
  /no queue "operation\.walk".*Give one of these: operation\.run, operation\.run\.large, operation\.run\.files, export\.run, insight\.collect, insight\.analyse, insight\.recheck, insight\.sweep, export\.sweep, media\.sweep, operation\.sweep\./;

it.each([
  ["jobs retry", {}, /either --id or --all true/],
  ["jobs drop", { id: "1", all: "true" }, /either --id or --all true/],
  ["jobs drop", { all: "yes" }, /Give --all true/],
  ["jobs drop", { id: "1", queue: "operation.run" }, /an id needs none/],
  ["jobs retry", { all: "true", queue: "operation.walk" }, QUEUE_NAMES],
  ["jobs dead", { queue: "operation.walk" }, QUEUE_NAMES],
  ["jobs dead", { limit: "0" }, /Give --limit a whole number from 1 to 10000\./],
  ["jobs dead", { limit: "1e3" }, /Give --limit/],
])("%s says how to use it when it is given %j", async (name, values, message) => {
  const run = COMMANDS[name]?.run(nothing, values);
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow(message);
});

describe("dead jobs of work that is due at a time", () => {
  const log = createLogger("silent");
  let dataDir: string;
  let queue: Queue;
  let close: () => Promise<void>;
  const run = (name: string, values = {}) =>
    COMMANDS[name]?.run({ queue: () => Promise.resolve(queue) } as unknown as Administration, values);

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-due-"));
    const store = await openSqliteStore({ dataDir, log });
    queue = await openEmbeddedQueue({ database: store.database, log });
    close = async () => {
      await queue.close();
      await store.close();
    };
  });
  afterEach(async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Lets a job of a queue die. */
  async function kill(name: string, body: Uint8Array): Promise<void> {
    const consumer = await queue.consume(name, { prefetch: 1 }, () => Promise.resolve({ kind: "dead", reason: "why" }));
    await queue.publish(name, body);
    await vi.waitFor(async () => expect(await queue.countDead(name)).toBeGreaterThan(0));
    await consumer.stop(1000);
  }

  const due = { dueAt: 1_767_226_200_000n, since: 1_767_225_600_000n };
  const recheck = { ...due, kind: "recheck", record: { case: "key", value: "7:reddit" } } as const;
  const insight = { ...due, kind: "insight", record: { case: "number", value: 12n } } as const;
  const body = (message: typeof recheck | typeof insight) => toBinary(DueWorkSchema, create(DueWorkSchema, message));

  it("say the kind, the record, and since when it was due", async () => {
    await kill("insight.recheck", body(recheck));
    await kill("insight.sweep", body(insight));
    await kill("operation.sweep", new TextEncoder().encode("???"));
    const lines = (await run("jobs dead")) ?? [];
    expect(lines.map((line) => line.split("\t").filter((_, index) => [1, 5].includes(index)))).toEqual([
      ["insight.recheck", "recheck 7:reddit, due since 2026-01-01T00:00:00.000Z"],
      ["insight.sweep", "insight 12, due since 2026-01-01T00:00:00.000Z"],
      ["operation.sweep", "3 bytes: 3f3f3f"],
    ]);
  });

  it("are put back into their queue, and dropped", async () => {
    await kill("insight.recheck", body(recheck));
    expect(await run("jobs retry", { all: "true", queue: "insight.recheck" })).toEqual(["Retried 1 job"]);
    const consumed: string[] = [];
    await queue.consume("insight.recheck", { prefetch: 1 }, ({ body: retried }) => {
      consumed.push(Buffer.from(retried).toString("hex"));
      return Promise.resolve({ kind: "done" });
    });
    await vi.waitFor(() => expect(consumed).toEqual([Buffer.from(body(recheck)).toString("hex")]));
    await kill("media.sweep", body(insight));
    expect(await run("jobs drop", { all: "true" })).toEqual(["Dropped 1 job"]);
    expect(await queue.countDead("media.sweep")).toBe(0);
  });
});
