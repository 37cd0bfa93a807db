import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./child.js";
import type { Measurement } from "./measure.js";
import { ownNames } from "./scaling.js";
import type { Servers } from "./servers.js";

const LOADS = path.join(ROOT, "services/insight/dist/collector/testing/collection-loads.js");
const SECONDS = 30;

interface Load {
  polls: number;
  /** 99th percentile of the delays, in seconds. */
  p99: number;
  cpuSeconds: number;
}

/** Resident bytes after five minutes and an hour of a simulated clock. */
interface Memory {
  early: number;
  late: number;
  postings: number;
}

/** Delays of the polls of many searches, and the processor time that searches take which are not due, and memory. */
export async function measureCollection(servers: Servers[]): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const { name, env } of servers.filter(({ env }) => env["MONGODB_URL"] === undefined)) {
    const { polls, p99, cpuSeconds } = (await print("busy", [1000, SECONDS], { ...env, ...ownNames(env) })) as Load;
    rows.push({
      name: `lag of polls, 99th percentile, 1,000 insights × 2 platforms every 5 minutes, ${name}`,
      value: `${p99.toFixed(2)} s of ${polls} polls, ${percent(cpuSeconds / SECONDS)} of a core`,
      baseline: "",
      target: "≤ 5 s",
    });
  }
  const [few = 0, many = 0] = (await print("idle", [100, 10_000])) as number[];
  const { early, late, postings } = (await print("memory", [50])) as Memory;
  return [
    ...rows,
    {
      name: "10,000 insights of which none is due, processor time",
      value: `${percent(many)} of a core`,
      baseline: `100 such ${percent(few)}`,
      ratio: many / few,
      target: "≤ 2 %, ≤ 1.20",
    },
    {
      name: "memory after an hour of collection, 50 insights × 2 platforms every 5 minutes",
      value: `${megabytes(late)} with ${postings} postings`,
      baseline: `after 5 minutes ${megabytes(early)}`,
      ratio: late / early,
      target: "≤ 1.10",
    },
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}

/** What a load measures. */
async function print(load: string, args: number[], env: Record<string, string> = {}): Promise<unknown> {
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--expose-gc", LOADS, load, ...args.map(String)],
    options,
  );
  return JSON.parse(stdout);
}
