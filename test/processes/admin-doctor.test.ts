import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { OPERATIONS } from "@hourglass/operation";
import { createLogger, type JobRecord, newJob, openEmbeddedQueue, openSqliteStore } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startServer } from "../support/server.js";
import { runAdmin, type Outcome } from "./admin-command.js";

const log = createLogger("silent");

interface Finding {
  verdict: "ok" | "look" | "bad";
  about: string;
  found: string;
  next: string | null;
}

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-doctor-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const doctor = (...args: string[]): Promise<Outcome> => runAdmin({ DATA_DIR: dataDir }, ["doctor", ...args]);

describe("the doctor, as an operator runs it", () => {
  it("finds nothing bad beside a running server, and knows who takes work", async () => {
    const server = await startServer({ MONGODB_URL: "", AMQP_URL: "" });
    try {
      const outcome = await runAdmin({ DATA_DIR: server.dataDir }, ["doctor", "--json"]);
      expect(outcome).toMatchObject({ code: 0, stderr: "" });
      const findings = JSON.parse(outcome.stdout) as Finding[];
      expect(findings.filter(({ verdict }) => verdict === "bad")).toEqual([]);
      const of = (about: string) => findings.find((finding) => finding.about === about);
      expect(of("processes")).toMatchObject({ verdict: "ok", next: null });
      expect(of("queue insight.sweep")?.found).toMatch(/consumers: 1$/);
      expect(of("data")).toMatchObject({ verdict: "ok" });
      const page = await runAdmin({ DATA_DIR: server.dataDir }, ["doctor"]);
      expect(page).toMatchObject({ code: 0, stderr: "" });
      expect(page.stdout).toMatch(/^ok\s+queue operation\.run\s+0 dead; consumers: \d+$/m);
      expect(page.stdout).toMatch(/\n\n0 bad, \d+ to look at, \d+ ok\n$/);
    } finally {
      await server.close();
    }
  });

  it("works on a server that is stopped, and ends with 1 if work waits that nobody takes", async () => {
    const store = await openSqliteStore({ dataDir, log });
    const queue = await openEmbeddedQueue({ database: store.database, log });
    await queue.close();
    await store.close();
    const idle = await doctor();
    expect(idle).toMatchObject({ code: 0, stderr: "" });
    expect(idle.stdout).toMatch(/^look\s+processes\s+no process takes work from any queue$/m);
    const again = await openSqliteStore({ dataDir, log });
    const job = newJob({ companyId: 1, createdAt: Date.now() - 2 * 60 * 60_000 });
    const operations = await again.collection<JobRecord>({ name: OPERATIONS.name });
    await operations.insert({ ...job, id: 1 });
    await again.close();
    const waiting = await doctor();
    expect(waiting).toMatchObject({ code: 1, stderr: "" });
    expect(waiting.stdout).toMatch(
      /^bad\s+waiting operations\s+the oldest has waited for 2 hours\n\s+Add workers with the role operation\.run/m,
    );
  });

  it("says that data is of a newer release, instead of failing, and leaves it alone", async () => {
    const store = await openSqliteStore({ dataDir, log });
    const at = new Date().toISOString();
    await store.contents.writeBooks({ counters: [], budgets: [], migrations: [{ owner: "insight", version: 99, at }] });
    await store.close();
    const outcome = await doctor("--json");
    expect(outcome).toMatchObject({ code: 1, stderr: "" });
    const findings = JSON.parse(outcome.stdout) as Finding[];
    expect(findings.find(({ about }) => about === "data")).toMatchObject({
      verdict: "bad",
      found: expect.stringMatching(/newer release.*insight 99/) as string,
    });
  });

  it("makes no database where there is none", async () => {
    expect(await doctor()).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^There is no data/) as string,
    });
    expect(await readdir(dataDir)).toEqual([]);
  });
});
