import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger, Lifecycle, openStorage, readConfig, untilAvailable } from "@hourglass/runtime";
import { median, type Measurement } from "./measure.js";
import { ownNames } from "./scaling.js";
import type { Servers } from "./servers.js";

const JOBS = 3000;
const PUBLISHERS = 64;
const PREFETCH = 32;
const ROUNDS = 3;

/** Jobs per second from confirmed publish to done, with publishers and one consumer in this process. */
export async function measureQueues(servers: Servers[]): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  let embedded: number | undefined;
  // The queue is the same with every store.
  for (const { name, env } of servers.filter(({ env }) => env["MONGODB_URL"] === undefined)) {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await jobsPerSecond(env));
    const perSecond = median(rounds);
    embedded ??= perSecond;
    rows.push({
      name: `jobs, publish confirmed to done, ${name}`,
      value: `${perSecond.toFixed(0)} jobs/s`,
      baseline: `embedded ${embedded.toFixed(0)}`,
      ratio: perSecond / embedded,
      target: "",
    });
  }
  return rows;
}

async function jobsPerSecond(env: Record<string, string>): Promise<number> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const log = createLogger("warn");
  const lifecycle = new Lifecycle(log);
  const config = readConfig({ ...env, ...ownNames(env), DATA_DIR: dataDir }, {});
  try {
    const { queue } = await openStorage({ config, log, lifecycle, parts: ["queue"] });
    await untilAvailable(() => queue.depth("jobs"), { what: "The queue", log, signal: lifecycle.signal });
    let done = 0;
    const begin = performance.now();
    const all = new Promise<void>((resolve) => {
      void queue.consume("jobs", { prefetch: PREFETCH }, () => {
        done += 1;
        if (done === JOBS) resolve();
        return Promise.resolve({ kind: "done" });
      });
    });
    let left = JOBS;
    const publish = async () => {
      while (left > 0) {
        left -= 1;
        await queue.publish("jobs", Buffer.from(String(left).padStart(16)));
      }
    };
    await Promise.all(Array.from({ length: PUBLISHERS }, publish));
    await all;
    return (JOBS * 1000) / (performance.now() - begin);
  } finally {
    await lifecycle.stop(5000);
    await rm(dataDir, { recursive: true, force: true });
  }
}
