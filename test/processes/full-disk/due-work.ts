import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import {
  createLogger,
  DUE_INDEX,
  DueJobs,
  dueKind,
  type DueRecord,
  Lifecycle,
  openStorage,
  type Store,
} from "@hourglass/runtime";

const DAY_MS = 24 * 60 * 60_000;
const RECORDS = 100;
const GIVE_UP_MS = 30_000;

interface Alarm extends DueRecord {
  text: string;
}

/**
 * Fills the disk of its folder, and then does work that deletes and has become due. Prints how many records were left when
 * the disk was full, and at the end.
 */
async function main(disk: string): Promise<void> {
  const log = createLogger("silent");
  const lifecycle = new Lifecycle(log);
  const remote = { mongodbUrl: undefined, amqpUrl: undefined, amqpPrefix: "" };
  const config = { ...remote, dataDir: path.join(disk, "data"), leaseMs: 15_000 };
  const { store, queue } = await openStorage({ config, log, lifecycle, parts: ["store", "queue"] });
  const records = await alarmsOf(store);
  let now = Date.now();
  for (let id = 0; id < RECORDS; id += 1) await records.insert({ id, dueAt: now + DAY_MS, text: "x".repeat(4000) });
  fill(path.join(disk, "filler"));
  await insertUntilRefused(records);
  const count = () => records.count({ dueAt: { gt: 0 } });
  const before = await count();
  const alarm = dueKind<Alarm>({
    name: "alarm",
    records,
    leaseMs: 15_000,
    deletes: true,
    failure: "it could not be deleted",
    work: (claim) => claim.delete(),
  });
  const jobs = new DueJobs({ name: "media.sweep", queue, kinds: [alarm], places: 4, log, now: () => now });
  now += 2 * DAY_MS;
  const running = jobs.start();
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while ((await count()) > 0 && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50));
  process.stdout.write(`${before} ${await count()}\n`);
  await running.stop(2000);
  await lifecycle.stop(2000);
}

function alarmsOf(store: Store) {
  return store.collection<Alarm>({ name: "alarms", indexes: [DUE_INDEX] });
}

function fill(file: string): void {
  const handle = openSync(file, "w");
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch {
    closeSync(handle);
  }
}

/** The log of the database has had some room before. */
async function insertUntilRefused(records: Awaited<ReturnType<typeof alarmsOf>>): Promise<void> {
  try {
    for (let id = RECORDS; ; id += 1) await records.insert({ id, dueAt: null, text: "y".repeat(4000) });
  } catch {
    return;
  }
}

await main(process.argv[2] ?? "");
