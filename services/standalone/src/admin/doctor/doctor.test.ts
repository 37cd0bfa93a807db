import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { OPERATIONS } from "@hourglass/operation";
import {
  createLogger,
  newJob,
  openEmbeddedQueue,
  openSqliteStore,
  type JobRecord,
  type Queue,
  type SqliteStore,
} from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAdminConfig } from "../../config.js";
import type { Administration } from "../administration.js";
import { examine, findingsOf } from "./doctor.js";
import type { Finding } from "./findings.js";
import { examineVersions } from "./holdings.js";

const log = createLogger("silent");
const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 60 * 60_000;

let dataDir: string;
let store: SqliteStore;
let queue: Queue;
let bad: boolean;
let administration: Pick<Administration, "config" | "queue" | "patient" | "markBad">;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-doctor-"));
  store = await openSqliteStore({ dataDir, log });
  queue = await openEmbeddedQueue({ database: store.database, log });
  bad = false;
  administration = {
    config: readAdminConfig({ DATA_DIR: dataDir, SPEECH_LANGUAGES: "en" }),
    queue: () => Promise.resolve(queue),
    patient: () => Promise.resolve({ store, contents: store.contents }),
    markBad: () => void (bad = true),
  };
});
afterEach(async () => {
  await queue.close();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

const about = async (name: string): Promise<Finding[]> =>
  (await findingsOf(administration, () => NOW)).filter((finding) => finding.about === name);
/** Has the doctor see a queue that outlives its processes, in which a message waits. */
const fill = (name: string): void => {
  const filled: Partial<Queue> = {
    ...{ isLocal: false, depth: (asked: string) => Promise.resolve(asked === name ? 1 : 0) },
    ...{ countDead: () => Promise.resolve(0), countConsumers: () => Promise.resolve(0) },
    oldestSeconds: () => Promise.resolve(undefined),
  };
  administration.queue = () => Promise.resolve(filled as Queue);
};
const consume = (name: string) => queue.consume(name, { prefetch: 1 }, () => Promise.resolve({ kind: "done" }));

describe("the doctor on queues", () => {
  it("tells of work that nobody takes, and who would", async () => {
    fill("insight.recheck");
    expect(await about("queue insight.recheck")).toMatchObject([
      { verdict: "bad", next: expect.stringMatching(/role insight\.sweep/) as string },
    ]);
    expect(await about("processes")).toMatchObject([{ verdict: "look" }]);
    // Nothing waits there, and that nothing runs is said once.
    expect(await about("queue export.run")).toMatchObject([{ verdict: "ok" }]);
  });

  it("tells of a queue without consumers while others have some", async () => {
    await consume("operation.run");
    expect(await about("processes")).toMatchObject([{ verdict: "ok" }]);
    expect(await about("queue operation.run")).toMatchObject([
      { verdict: "ok", found: expect.stringMatching(/consumers: 1$/) as string },
    ]);
    expect(await about("queue export.run")).toMatchObject([{ verdict: "look" }]);
  });

  it("tells of dead letters, and how to read them", async () => {
    await queue.consume("export.run", { prefetch: 1 }, () => Promise.resolve({ kind: "dead", reason: "why" }));
    await queue.publish("export.run", new Uint8Array([1]));
    await expect.poll(() => queue.countDead("export.run")).toBe(1);
    expect(await about("queue export.run")).toMatchObject([
      { verdict: "look", next: expect.stringMatching(/jobs dead --queue export\.run/) as string },
    ]);
  });
});

describe("the doctor on the store", () => {
  it.each([
    [4 * 60_000, "ok"],
    [HOUR_MS / 2, "look"],
    [2 * HOUR_MS, "bad"],
  ])("judges how long the oldest operation has waited (%i ms)", async (ms, verdict) => {
    const job = newJob({ companyId: 1, createdAt: NOW - ms });
    const operations = await store.collection<JobRecord>({ name: OPERATIONS.name });
    await operations.insert({ ...job, id: 1, status: "ready" });
    expect(await about("waiting operations")).toMatchObject([{ verdict }]);
    expect(await about("waiting exports")).toMatchObject([{ verdict: "ok", found: "none waits" }]);
  });

  it("names a search that stands still, why, and when it is tried again", async () => {
    const until = NOW + 90_000;
    const late = { nextAt: NOW - HOUR_MS, outcome: null, attempts: 1, platform: "news", preview: false };
    const search = { ...late, id: "7:news", insightId: 7, dueAt: until, setback: { why: "failed", until } };
    await (await store.collection<typeof search>({ name: "insight_searches" })).insert(search);
    expect(await about("insight 7 on news")).toMatchObject([
      {
        verdict: "bad",
        found: "stands still, 1 hour late: it failed several times, next try at 2026-11-22T12:01:30.000Z",
        next: expect.stringMatching(/insight\.collect/) as string,
      },
    ]);
  });

  it("says that data of an older release is brought to this one at its start", async () => {
    expect(await about("data")).toMatchObject([{ verdict: "ok" }]);
    const later = { export: 1, insight: 3 };
    const stored = (version: number) => ({ owner: "insight", version, at: new Date(NOW).toISOString() });
    const examined = async (...migrations: ReturnType<typeof stored>[]) => {
      await store.contents.writeBooks({ counters: [], budgets: [], migrations });
      return examineVersions(store.contents, later);
    };
    const found = (version: number) => [
      { verdict: "look", about: "data of insight", found: `version ${version} of 3` },
    ];
    expect(await examined()).toMatchObject(found(1));
    expect(await examined(stored(2))).toMatchObject(found(2));
    expect(await examined(stored(2), stored(3))).toMatchObject([{ verdict: "ok", about: "data" }]);
  });

  it("says what is free on the disk, and whether there is room to delete on a full one", async () => {
    expect(await about("disk")).toMatchObject([
      { verdict: "look", found: expect.stringMatching(/ free, 0 MiB of 8 MiB kept for deletions$/) as string },
    ]);
    await writeFile(path.join(dataDir, "reserve"), new Uint8Array(8 * 1024 * 1024));
    expect(await about("disk")).toMatchObject([
      { found: expect.stringMatching(/ free, 8 MiB of 8 MiB kept for deletions$/) as string },
    ]);
  });
});

describe("the page of the doctor", () => {
  it("has a line for each finding, what to do next below it, and how many there are", async () => {
    fill("operation.run");
    const page = await examine(administration as Administration, {});
    expect(page.at(-1)).toMatch(/^[1-9]\d* bad, \d+ to look at, \d+ ok$/);
    const line = page.findIndex((each) => /^bad\s+queue operation\.run\s+1 waiting/.test(each));
    expect(page[line + 1]).toMatch(/^\s+Start a worker with the role operation\.run, or restart one that hangs/);
    expect(bad).toBe(true);
  });

  it("goes on when something cannot be looked at, and says why", async () => {
    administration.queue = () => Promise.reject(new Error("no way"));
    const [printed = ""] = await examine(administration as Administration, { json: "true" });
    const findings = JSON.parse(printed) as Finding[];
    expect(findings.filter(({ about: subject }) => subject === "queues")).toMatchObject([
      { verdict: "bad", found: expect.stringMatching(/^could not be looked at: /) as string },
    ]);
    expect(findings.map(({ about: subject }) => subject)).toContain("API keys");
    expect(bad).toBe(true);
  });
});
