import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { freePort } from "../support/free-port.js";
import { PASSWORD, signIn, startHourglass } from "./child.js";
import type { Measurement } from "./measure.js";
import { type Api, createOperation } from "./operations.js";
import type { Outcomes, UserLoad } from "./one-user-load.js";
import { memoryMbOf, type Parts, startParts } from "./parts.js";

const OPERATIONS = "/api/v2/products/api/operations";
const GET_OPERATION = "/hourglass.operation.v1.OperationService/GetOperation";
const LIST_CONTENTS = "/hourglass.operation.v1.OperationService/ListOperationContents";
const NEIGHBOR = "neighbor@example.com";
const ADMIN = path.join(path.dirname(createRequire(import.meta.url).resolve("@hourglass/standalone")), "admin/main.js");
/** The user's operation: 18 MB of text in so many contents. */
const [CONTENTS, CHARACTERS] = [900, 20_000];
const [REQUESTS, PLAIN_REQUESTS] = [500, 200];
const LEAVE_MS = 700;
const PROBE_EVERY_MS = 25;
const SETTLE_MS = 2_000;

/** What a company notices of one user of another one, who asks for a large operation hundreds of times at once. */
export async function measureOneUserBesideAnother(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const grpcPort = await freePort();
  const server = await startHourglass({
    DATA_DIR: dataDir,
    GRPC_PORT: String(grpcPort),
    MAX_UNFINISHED_OPERATIONS: "0",
    LOG_LEVEL: "error",
  });
  try {
    const memory = () => memoryMbOf(server.pid);
    return await measure("one process", { url: server.url, grpcUrl: `http://127.0.0.1:${grpcPort}`, dataDir, memory });
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The same with gateway and services in processes of their own. */
export async function measureOneUserApart(): Promise<Measurement[]> {
  const parts: Parts = await startParts({ LOG_LEVEL: "error" }, { workers: 0 });
  try {
    const memory = () => parts.memoryMb();
    return await measure("apart", { url: parts.url, grpcUrl: parts.grpcUrl, env: parts.env, memory });
  } finally {
    await parts.close();
  }
}

/** Postings of the insight of the following, and of each import. */
const POSTINGS = 10_000;
const DAYS = 56;
/** Of a summary by hour, which may have so many. */
const HOURLY_DAYS = 31;
const READS = 100;
const SLOWEST_MS = 2_000;
/** Engines whose postings are analyzed soon: here they are only read. */
const FAST = { ENGINE_SENTIMENT_SIMPLE: "fast", ENGINE_SENTIMENT_REAL: "fast", ENGINE_TOPIC: "fast" };

/** What a company notices of one user of another one, who reads a large insight often, or imports much. */
export async function measureInsightsBesideAnother(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const server = await startHourglass({ DATA_DIR: dataDir, ...FAST, NEWS_FEEDS: "none", LOG_LEVEL: "error" });
  try {
    await addNeighbor({ DATA_DIR: dataDir });
    const { url } = server;
    const [user, neighbor] = [await signIn(url), await signIn(url, NEIGHBOR, PASSWORD)];
    const small = await createOperation({ url, authorization: neighbor }, ["I love it"], ["sentiment-simple"]);
    const insight = await importedInsight({ url, authorization: user });
    const span = `start_date=${dayOf(0)}&end_date=${dayOf(HOURLY_DAYS)}`;
    const imports = ["second", "third"].map(linesOf);
    const loads: Record<string, Pick<UserLoad, "path" | "count"> & Partial<UserLoad>> = {
      "summaries by hour": { path: `${insight}/summary?${span}&interval=hour`, count: READS },
      "summaries by hour with q": { path: `${insight}/summary?${span}&interval=hour&q=museum`, count: READS },
      "lists with a total": { path: `${insight}/postings?total=true&limit=200&q=museum`, count: READS },
      "imports of 10,000": { path: `${insight}/postings`, count: 2, body: imports, type: NDJSON },
    };
    const watched = {
      neighbor: { url, authorization: neighbor },
      probe: `${OPERATIONS}/${small}`,
      memory: () => memoryMbOf(server.pid),
    };
    const rows: Measurement[] = [];
    for (const [kind, load] of Object.entries(loads)) {
      const seen = await beside(watched, { url, grpcUrl: url, authorization: user, ...load });
      rows.push({
        name: `another company's slowest GET, one process: ${load.count} × ${kind}`,
        value: say(seen),
        baseline: `${SLOWEST_MS} ms`,
        ratio: seen.slowestMs / SLOWEST_MS,
        target: "≤ 1.00",
      });
      process.stderr.write(`  ${rows.at(-1)?.name}: ${say(seen)}\n`);
    }
    return rows;
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const NDJSON = "application/x-ndjson";
const INSIGHTS = "/api/v2/products/insight";
const ANALYZED_EVERY_MS = 1_000;

/** The path of an insight with analyzed postings. */
async function importedInsight({ url, authorization }: Api): Promise<string> {
  const query = { keywords: "museum", platforms: ["reddit"], dimensions: ["textual"] };
  const post = (route: string, type: string, body: string) =>
    fetch(url + route, { method: "POST", headers: { authorization, "content-type": type }, body });
  const created = await post(INSIGHTS, "application/json", JSON.stringify({ query }));
  const insight = created.headers.get("location") ?? "";
  const imported = await post(`${insight}/postings`, NDJSON, linesOf("first"));
  if (!imported.ok) throw new Error(`the import was answered ${imported.status}: ${await imported.text()}`);
  for (;;) {
    const answer = await fetch(`${url}${insight}/postings?total=true&limit=1`, { headers: { authorization } });
    const { total } = (await answer.json()) as { total?: { count: number } | number };
    const count = typeof total === "object" ? total.count : total;
    if (count === POSTINGS) return insight;
    await sleep(ANALYZED_EVERY_MS);
  }
}

function linesOf(name: string): string {
  const lines = Array.from({ length: POSTINGS }, (_, number) => {
    const [year, month, day] = dayOf(number % DAYS)
      .split("-")
      .map(Number);
    return JSON.stringify({
      ...{ platform: "reddit", social_id: `${name}-${number}`, author_id: `author ${number % 900}` },
      ...{ post_date: `${month}/${day}/${year}`, post_time: `${String(number % 24).padStart(2, "0")}:00:00` },
      text_of_post: `The museum of ${number % 50} opens at ${number % 12}. #city${number % 40}`,
    });
  });
  return lines.join("\n");
}

function dayOf(number: number): string {
  return new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);
}

interface Place {
  url: string;
  grpcUrl: string;
  dataDir?: string;
  env?: Record<string, string>;
  memory: () => Promise<number>;
}

async function measure(name: string, { url, grpcUrl, dataDir, env, memory }: Place): Promise<Measurement[]> {
  await addNeighbor({ ...env, ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }) });
  const user: Api = { url, authorization: await signIn(url) };
  const neighbor: Api = { url, authorization: await signIn(url, NEIGHBOR, PASSWORD) };
  const small = await createOperation(neighbor, ["I love it"], ["sentiment-simple"]);
  const text = "The quick brown fox likes the new phone. ".repeat(500).slice(0, CHARACTERS);
  const id = await createOperation(
    user,
    Array.from({ length: CONTENTS }, () => text),
    ["spam-detection"],
  );
  const one = `${OPERATIONS}/${id}`;
  const loads: Record<string, Partial<UserLoad>> = {
    "REST, clients stay": { path: `${one}?wait=5` },
    "REST, clients leave": { path: `${one}?wait=5`, leaveMs: LEAVE_MS },
    "REST, data=false": { path: `${one}?wait=5&data=false` },
    "REST, no wait": { path: one },
    "REST, no wait, clients leave": { path: one, leaveMs: LEAVE_MS },
    "Connect, clients stay": { path: GET_OPERATION, body: JSON.stringify({ id, wait: 5 }) },
    "Connect, clients leave": { path: GET_OPERATION, body: JSON.stringify({ id, wait: 5 }), leaveMs: LEAVE_MS },
    "Connect, data=false": { path: GET_OPERATION, body: JSON.stringify({ id, wait: 5, data: false }) },
    "Connect, pages": { path: LIST_CONTENTS, body: JSON.stringify({ id, limit: 200 }) },
    "gRPC, clients stay": { path: "", grpc: { id, wait: 5, data: true } },
    "gRPC, clients leave": { path: "", grpc: { id, wait: 5, data: true }, leaveMs: LEAVE_MS },
    "gRPC, data=false": { path: "", grpc: { id, wait: 5, data: false } },
  };
  const wanted = process.env["BENCH_LOADS"]?.split(",");
  const probe = `${OPERATIONS}/${small}`;
  const run = async (load: Partial<UserLoad>, count: number) =>
    beside({ neighbor, probe, memory }, { url, grpcUrl, authorization: user.authorization, path: one, ...load, count });
  const plain = await run({}, PLAIN_REQUESTS);
  const rows: Measurement[] = [];
  for (const [kind, load] of Object.entries(loads)) {
    if (wanted !== undefined && !wanted.some((part) => kind.includes(part))) continue;
    const seen = await run(load, REQUESTS);
    rows.push({
      name: `another company's slowest GET, ${name}: ${REQUESTS} × ${kind}`,
      value: say(seen),
      baseline: `${PLAIN_REQUESTS} plain reads ${say(plain)}`,
      ratio: seen.slowestMs / plain.slowestMs,
      target: "≤ 3.00, +150 MB",
    });
    process.stderr.write(`  ${rows.at(-1)?.name}: ${say(seen)} (plain ${say(plain)})\n`);
  }
  return rows;
}

interface Seen {
  slowestMs: number;
  grownMb: number;
  outcomes: Outcomes;
}

const say = ({ slowestMs, grownMb, outcomes }: Seen) =>
  `${slowestMs.toFixed(0)} ms, +${grownMb.toFixed(0)} MB, ${JSON.stringify(outcomes)}`;

/** Reads as another company every few milliseconds while the load lasts and a little longer. */
async function beside(
  { neighbor, probe, memory }: { neighbor: Api; probe: string; memory: () => Promise<number> },
  load: UserLoad,
): Promise<Seen> {
  const before = await memory();
  let [slowestMs, highestMb, isOver] = [0, before, false];
  const worker = new Worker(new URL("./one-user-load.js", import.meta.url), { workerData: load });
  const outcomes = new Promise<Outcomes>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  void outcomes.then(() => sleep(SETTLE_MS)).finally(() => (isOver = true));
  const watching = (async () => {
    while (!isOver) {
      highestMb = Math.max(highestMb, await memory());
      await sleep(200);
    }
  })();
  while (!isOver) {
    const begin = performance.now();
    const answer = await fetch(neighbor.url + probe, { headers: { authorization: neighbor.authorization } });
    await answer.arrayBuffer();
    slowestMs = Math.max(slowestMs, performance.now() - begin);
    await sleep(PROBE_EVERY_MS);
  }
  await watching;
  return { slowestMs, grownMb: highestMb - before, outcomes: await outcomes };
}

async function addNeighbor(env: Record<string, string>): Promise<void> {
  const all = { PATH: process.env["PATH"] ?? "", ADMIN_PASSWORD: PASSWORD, ...env };
  const admin = (...args: string[]) => promisify(execFile)(process.execPath, [ADMIN, ...args], { env: all });
  await admin("company", "create", "--name", "Neighbor");
  await admin("user", "create", "--email", NEIGHBOR, "--company", "Neighbor");
}
