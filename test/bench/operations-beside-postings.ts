import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ServerProcess, signIn, startHourglass } from "./child.js";
import { type Measurement, quantile } from "./measure.js";
import { type Api, awaitDone, createOperation } from "./operations.js";
import { benchDraft, openPostingsWorld, saveDrafts } from "./postings.js";
import { ownNames } from "./scaling.js";
import type { Servers } from "./servers.js";

/** Postings that wait for their analysis when the measurement begins. */
const WAITING = Number(process.env["BENCH_WAITING"] ?? 100_000);
const PAGE = 500;
/** Short and many, so that both servers meet the same load of the machine. */
const ROUNDS = 16;
const WARM_UP = 20;
/** Operations of a round, one after the other. */
const OPERATIONS = 20;
/** Operations of the light stream of a round, and the time between two of them. */
const STREAMED = 10;
const EVERY_MS = 250;
const ANALYSES = ["sentiment-simple", "sentiment-real", "intention", "topic", "spam-detection"];

/** Times from the request to the end of the operation, in milliseconds. */
interface Times {
  oneByOne: number[];
  streamed: number[];
}

/** A server with its own data folder. */
interface Side {
  server: ServerProcess;
  api: Api;
  times: Times;
  /** Time for which it was measured, and the postings analyzed in it. */
  ms: number;
  postings: number;
  close(): Promise<void>;
}

/**
 * Whole operations on one text over REST, with and without postings that wait for their analysis in the same process.
 * The two servers run alternately: the other is paused meanwhile.
 */
export async function measureOperationsBesidePostings(servers: Servers[]): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  // The postings are stored beforehand in an embedded store.
  for (const storage of servers.filter(({ env }) => env["MONGODB_URL"] === undefined))
    rows.push(...(await measureOn(storage)));
  return rows;
}

async function measureOn({ name, env }: Servers): Promise<Measurement[]> {
  const alone = await openSide(0, env);
  const beside = await openSide(WAITING, env);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await takeTurn(alone);
      await takeTurn(beside);
    }
  } finally {
    await Promise.all([alone.close(), beside.close()]);
  }
  const others = `${WAITING} postings waiting, ${name}`;
  const meanwhile = `${((beside.postings * 1000) / beside.ms).toFixed(0)} postings/s meanwhile`;
  return [
    compare(`operations one by one, ${others}`, beside.times.oneByOne, alone.times.oneByOne, meanwhile),
    compare(`operations every ${EVERY_MS} ms, ${others}`, beside.times.streamed, alone.times.streamed, meanwhile),
  ];
}

function compare(name: string, beside: number[], alone: number[], meanwhile: string): Measurement {
  const describe = (times: readonly number[]) =>
    `p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`;
  return {
    name,
    value: `${describe(beside)}, ${meanwhile}`,
    baseline: `none waiting ${describe(alone)}`,
    ratio: quantile(beside, 0.95) / quantile(alone, 0.95),
    target: "≤ 2.00",
  };
}

/** Starts a server on a folder in which that many postings wait; it is paused until its turn. */
async function openSide(waiting: number, env: Record<string, string>): Promise<Side> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  await seed(dataDir, waiting);
  const server = await startHourglass({ ...env, ...ownNames(env), DATA_DIR: dataDir, MAX_UNFINISHED_OPERATIONS: "0" });
  const api = { url: server.url, authorization: await signIn(server.url) };
  await oneByOne(api, WARM_UP);
  server.pause();
  const close = async () => {
    server.resume();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { server, api, times: { oneByOne: [], streamed: [] }, ms: 0, postings: 0, close };
}

async function seed(dataDir: string, count: number): Promise<void> {
  if (count === 0) return;
  const world = await openPostingsWorld(dataDir);
  for (let start = 0; start < count; start += PAGE) {
    const drafts = Array.from({ length: Math.min(PAGE, count - start) }, (_, i) => benchDraft(start + i));
    await saveDrafts(world, drafts);
  }
  await world.close();
}

async function takeTurn(side: Side): Promise<void> {
  const { server, api, times } = side;
  server.resume();
  await oneByOne(api, 1); // what was interrupted by the pause
  const [begin, before] = [performance.now(), await analyzedPostings(api.url)];
  times.oneByOne.push(...(await oneByOne(api, OPERATIONS)));
  times.streamed.push(...(await stream(api)));
  side.postings += (await analyzedPostings(api.url)) - before;
  side.ms += performance.now() - begin;
  server.pause();
}

async function oneByOne(api: Api, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await timeOf(api, i));
  return times;
}

/** Begins operations at fixed times, whether or not earlier ones have ended. */
async function stream(api: Api): Promise<number[]> {
  const running: Promise<number>[] = [];
  for (let i = 0; i < STREAMED; i++) {
    running.push(timeOf(api, i));
    await sleep(EVERY_MS);
  }
  return Promise.all(running);
}

async function timeOf(api: Api, number: number): Promise<number> {
  const begin = performance.now();
  const id = await createOperation(api, [benchDraft(number).text ?? ""], ANALYSES);
  await awaitDone(api, id);
  return performance.now() - begin;
}

/** Postings that the server has analyzed since it started. */
async function analyzedPostings(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const samples = [...metrics.matchAll(/^hourglass_jobs_ended_total\{([^}]*)\} (\d+)$/gm)];
  return samples.reduce((sum, [, labels, count]) => (labels?.includes('"posting"') ? sum + Number(count) : sum), 0);
}
