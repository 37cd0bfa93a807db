import autocannon from "autocannon";
import { median, type Measurement } from "./measure.js";
import { signIn, startBaseline, startHourglass, type ServerProcess } from "./child.js";

const OPERATIONS = "/api/v2/products/api/operations";
const ROUNDS = 3;
const SECONDS = 4;

/** Load of one kind on one server: requests per second, 99th percentile in milliseconds, failures. */
interface Load {
  perSecond: number;
  p99Ms: number;
  failed: number;
}

/** Reading one operation and creating one, against bare Express, in interleaved rounds. */
export async function measureRequests(): Promise<Measurement[]> {
  const hourglass = await startHourglass({ MAX_UNFINISHED_OPERATIONS: "0" });
  const express = await startBaseline("bare-express");
  try {
    const authorization = await signIn(hourglass.url);
    const id = await finishedOperation(hourglass.url, authorization);
    const read = (server: ServerProcess) =>
      load(server.url, { path: `${OPERATIONS}/${id}`, connections: 128, authorization });
    const create = (server: ServerProcess) =>
      load(server.url, { path: OPERATIONS, connections: 32, authorization, body: request("I love it") });
    return [
      compare("read route, 128 connections", await rounds(read, hourglass, express), "≥ 0.60 (0.80)"),
      compare("create operation, 32 clients", await rounds(create, hourglass, express), ""),
    ];
  } finally {
    await Promise.all([hourglass.close(), express.close()]);
  }
}

async function rounds(run: (server: ServerProcess) => Promise<Load>, ours: ServerProcess, bare: ServerProcess) {
  await run(ours); // warm both up
  await run(bare);
  const pairs: { ours: Load; bare: Load }[] = [];
  for (let round = 0; round < ROUNDS; round++) pairs.push({ ours: await run(ours), bare: await run(bare) });
  return pairs;
}

function compare(name: string, pairs: { ours: Load; bare: Load }[], target: string): Measurement {
  const failed = pairs.reduce((sum, { ours }) => sum + ours.failed, 0);
  const describe = (loads: Load[]) =>
    `${Math.round(median(loads.map((load) => load.perSecond)))} req/s, p99 ${median(loads.map((load) => load.p99Ms))} ms`;
  return {
    name: failed === 0 ? name : `${name} (${failed} FAILED)`,
    value: describe(pairs.map(({ ours }) => ours)),
    baseline: `Express ${describe(pairs.map(({ bare }) => bare))}`,
    ratio: median(pairs.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    target,
  };
}

async function load(
  url: string,
  options: { path: string; connections: number; authorization: string; body?: string },
): Promise<Load> {
  const result = await autocannon({
    url: url + options.path,
    connections: options.connections,
    duration: SECONDS,
    method: options.body === undefined ? "GET" : "POST",
    headers: { authorization: options.authorization, "content-type": "application/json" },
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  return {
    perSecond: result.requests.average,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

function request(text: string): string {
  return JSON.stringify({ type: "text", analyses: ["sentiment-simple"], contents: [text] });
}

async function finishedOperation(url: string, authorization: string): Promise<number> {
  const headers = { authorization, "content-type": "application/json" };
  const created = await fetch(url + OPERATIONS, { method: "POST", headers, body: request("I love it") });
  const { id } = (await created.json()) as { id: number };
  await fetch(`${url}${OPERATIONS}/${id}?wait=60`, { headers });
  return id;
}
