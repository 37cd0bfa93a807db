import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { RUN_QUEUE } from "@hourglass/operation";
import { createLogger, openEmbeddedQueue, openSqliteStore, type Outcome, type Queue } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { done, failed, runAdmin } from "./admin-command.js";

/** The queue of a data folder, opened by another process. */
async function openQueueOf(dataDir: string): Promise<{ queue: Queue; close: () => Promise<void> }> {
  const log = createLogger("silent");
  const store = await openSqliteStore({ dataDir, log });
  const queue = await openEmbeddedQueue({ database: store.database, log });
  return {
    queue,
    close: async () => {
      await queue.close();
      await store.close();
    },
  };
}

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

let dataDir: string;
let queue: Queue;
let close: () => Promise<void>;
const admin = (...args: string[]) => runAdmin({ DATA_DIR: dataDir }, args);
const listed = async () => (await admin("jobs", "dead")).stdout.split("\n").filter((line) => line !== "");
const ids = async () => (await listed()).map((line) => line.split("\t")[0] ?? "");

/** Lets jobs die for a reason, one after the other. */
async function kill(bodies: readonly string[], reason: string): Promise<void> {
  const consumer = await queue.consume(RUN_QUEUE, { prefetch: 1 }, () =>
    Promise.resolve<Outcome>({ kind: "dead", reason }),
  );
  const before = await queue.countDead(RUN_QUEUE);
  for (const [index, body] of bodies.entries()) {
    await queue.publish(RUN_QUEUE, bytes(body));
    await vi.waitFor(async () => expect(await queue.countDead(RUN_QUEUE)).toBe(before + index + 1));
  }
  await consumer.stop(1000);
}

describe("the admin command on dead jobs", () => {
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-jobs-"));
    ({ queue, close } = await openQueueOf(dataDir));
  });
  afterEach(async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Ends what was put back; returns the bodies. */
  async function takeRetried(count: number): Promise<string[]> {
    const taken: string[] = [];
    const consumer = await queue.consume(RUN_QUEUE, { prefetch: 1 }, ({ body }) => {
      taken.push(Buffer.from(body).toString("hex"));
      return Promise.resolve<Outcome>({ kind: "done" });
    });
    await vi.waitFor(() => expect(taken).toHaveLength(count));
    await consumer.stop(1000);
    return taken;
  }

  it("lists them, oldest first, with what they say", async () => {
    expect(await admin("jobs", "dead")).toEqual({ code: 0, stdout: "", stderr: "" });
    await kill(["082a"], "failed after 5 attempts");
    await kill(["6e6f7420", ""], "not a RunOperation message");
    const lines = await listed();
    expect(lines[0]).toMatch(
      /^\d+\toperation\.run\t1\t\d{4}-\d\d-\d\dT[\d:.]+Z\tfailed after 5 attempts\t\{"operationId":"42"\}$/,
    );
    expect(lines.slice(1).map((line) => line.split("\t").slice(4))).toEqual([
      ["not a RunOperation message", "4 bytes: 6e6f7420"],
      ["not a RunOperation message", "0 bytes: "],
    ]);
    expect((await admin("jobs", "dead", "--limit", "1")).stdout).toBe(`${lines[0]}\n`);
    expect((await admin("jobs", "dead", "--queue", RUN_QUEUE)).stdout).toBe(`${lines.join("\n")}\n`);
  });

  it("keeps a reason on its line, whatever it quotes", async () => {
    await kill(["0801"], "two\nlines\ta \u001b[31mcolour\u0000 and a \u202eturn \\ ü 🙂");
    const [line = "", ...more] = await listed();
    expect(more).toEqual([]);
    expect(line.split("\t")[4]).toBe("two\\u{a}lines\\u{9}a \\u{1b}[31mcolour\\u{0} and a \\u{202e}turn \\\\ ü 🙂");
  });

  it("retries and drops one by its id", async () => {
    await kill(["0801", "0802"], "no reason");
    const [first = "", second = ""] = await ids();
    expect(await admin("jobs", "retry", "--id", first)).toEqual(done(`^Retried job ${first}\n$`));
    expect(await admin("jobs", "drop", "--yes", "--id", second)).toEqual(done(`^Dropped job ${second}\n$`));
    expect(await ids()).toEqual([]);
    expect(await takeRetried(1)).toEqual(["0801"]);
  });

  it("retries and drops all", async () => {
    await kill(["0801", "0802", "0803"], "no reason");
    expect(await admin("jobs", "retry", "--all", "true", "--queue", RUN_QUEUE)).toEqual(done(/^Retried 3 jobs\n$/));
    expect(await admin("jobs", "retry", "--all", "true")).toEqual(done(/^Retried 0 jobs\n$/));
    expect(await takeRetried(3)).toEqual(["0801", "0802", "0803"]);
    await kill(["0804", "0805"], "no reason");
    expect(await admin("jobs", "drop", "--yes", "--all", "true")).toEqual(done(/^Dropped 2 jobs\n$/));
    expect(await ids()).toEqual([]);
  });

  it.each(["retry", "drop"])("says that there is none to %s with an id", async (verb) => {
    for (const id of ["1", "x; DROP TABLE jobs"]) {
      expect(await admin("jobs", verb, "--id", id, ...(verb === "drop" ? ["--yes"] : []))).toEqual(
        failed(/^There is no dead job with the id ".*"\. The command jobs dead lists them all\.\n$/),
      );
    }
  });
});

describe("the admin command on dead jobs, beside a running server", () => {
  let server: TestServer;
  beforeEach(async () => {
    // Dead jobs are created and inspected in the data folder.
    server = await startServer({ MONGODB_URL: "", AMQP_URL: "" });
    dataDir = server.dataDir;
    ({ queue, close } = await openQueueOf(dataDir));
  });
  afterEach(async () => {
    await close();
    await server.close();
  });

  it("shows a message that the server could not read, and the server tries it again on request", async () => {
    await kill(["ffff"], "no reason");
    const [before = ""] = await listed();
    expect(before).toContain("\t2 bytes: ffff");
    const diedAt = (line: string) => line.split("\t")[3];
    expect(await admin("jobs", "retry", "--all", "true")).toEqual(done(/^Retried 1 job\n$/));
    await vi.waitFor(async () => {
      const [after = ""] = await listed();
      expect(after).toContain("\t2 bytes: ffff");
      expect(diedAt(after)).not.toBe(diedAt(before));
    });
    expect(await admin("jobs", "drop", "--yes", "--all", "true")).toEqual(done(/^Dropped 1 job\n$/));
    expect(await ids()).toEqual([]);
  });

  it("leaves an operation that has ended as it is when its job is retried", async () => {
    const authorization = await server.signIn();
    const body = { type: "text", analyses: ["topic"], contents: ["I met Ann."] };
    const route = "/api/v2/products/api/operations";
    const created = await server.send("POST", route, { authorization, body });
    const { id } = created.body as { id: number };
    const before = await server.send("GET", `${route}/${id}?wait=60`, { authorization });
    expect(before.body).toMatchObject({ status: "done" });
    await kill([`08${id.toString(16).padStart(2, "0")}1001`, "ffff"], "no reason");
    expect(await admin("jobs", "retry", "--all", "true")).toEqual(done(/^Retried 2 jobs\n$/));
    // The second one could not be read, again; so the first one was taken, too.
    await vi.waitFor(async () => expect(await listed()).toMatchObject([expect.stringContaining("2 bytes: ffff")]));
    expect((await server.send("GET", `${route}/${id}`, { authorization })).text).toBe(before.text);
  });
});
