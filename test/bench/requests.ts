import autocannon from "autocannon";
import { median, type Measurement } from "./measure.js";
import { signIn, startBaseline, startHourglass } from "./child.js";
import { awaitDone, createOperation } from "./operations.js";
import { startParts, type Parts } from "./parts.js";

const OPERATIONS = "/api/v2/products/api/operations";
const ROUNDS = 3;
const SECONDS = 4;

/** Load of one kind on one server: requests per second, 99th percentile in milliseconds, failures. */
interface Load {
  perSecond: number;
  p99Ms: number;
  failed: number;
  requests: number;
}

type Server = Pick<Parts, "url">;

/** Reading and creating one operation, compared with bare Express, in interleaved rounds. */
export async function measureRequests(): Promise<Measurement[]> {
  const hourglass = await startHourglass({ MAX_UNFINISHED_OPERATIONS: "0" });
  const express = await startBaseline("bare-express");
  try {
    const authorization = await signIn(hourglass.url);
    const id = await finishedOperation({ url: hourglass.url, authorization });
    const connect = { url: hourglass.url };
    const read = (server: Server) => load(server.url, { path: `${OPERATIONS}/${id}`, connections: 128, authorization });
    const path = "/hourglass.operation.v1.OperationService/GetOperation";
    const byConnect = (server: Server) =>
      load(server.url, { path, connections: 128, authorization, body: JSON.stringify({ id }) });
    const either = (server: Server) => (server === connect ? byConnect(server) : read(server));
    const create = (server: Server) =>
      load(server.url, { path: OPERATIONS, connections: 32, authorization, body: request("I love it") });
    return [
      compare("read route, 128 connections", await rounds(read, hourglass, express), "≥ 0.60 (0.80)"),
      compare("read by Connect, 128 connections", await rounds(either, connect, hourglass), "≥ 0.80", "REST"),
      compare("create operation, 32 clients", await rounds(create, hourglass, express), ""),
    ];
  } finally {
    await Promise.all([hourglass.close(), express.close()]);
  }
}

/**
 * Reading one operation with gateway and services in separate processes, and the processor time per read, compared with
 * bare Express, and with Express that asks a plain grpc-js server in another process: what a call over HTTP/2 costs
 * differs by a factor of two between processors.
 */
export async function measureSeparateProcesses(): Promise<Measurement[]> {
  const parts = await startParts({}, { workers: 1 });
  const express = await startBaseline("bare-express");
  const plain = await startBaseline("plain-grpc");
  const address = `127.0.0.1:${await (await fetch(plain.url)).text()}`;
  const pair = await startBaseline("express-over-grpc", { SERVICE_ADDRESS: address });
  try {
    await parts.startWorker();
    const authorization = await signIn(parts.url);
    const id = await finishedOperation({ url: parts.url, authorization });
    let cpuMicros = 0;
    const read = async (server: Server) => {
      const before = server === parts ? await parts.cpuSeconds() : 0;
      const result = await load(server.url, { path: `${OPERATIONS}/${id}`, connections: 128, authorization });
      if (server === parts) cpuMicros = ((await parts.cpuSeconds()) - before) * (1e6 / result.requests);
      return result;
    };
    const name = "read route, separate processes";
    const row = compare(name, await rounds(read, parts, express), "");
    const pairRow = compare(name, await rounds(read, parts, pair), "≥ 1.20", "Express over grpc-js");
    return [{ ...row, value: `${row.value}, ${cpuMicros.toFixed(0)} µs CPU` }, pairRow];
  } finally {
    await Promise.all([parts.close(), express.close(), plain.close(), pair.close()]);
  }
}

async function rounds(run: (server: Server) => Promise<Load>, ours: Server, bare: Server) {
  await run(ours); // warm-up
  await run(bare);
  const pairs: { ours: Load; bare: Load }[] = [];
  for (let round = 0; round < ROUNDS; round++) pairs.push({ ours: await run(ours), bare: await run(bare) });
  return pairs;
}

function compare(name: string, pairs: { ours: Load; bare: Load }[], target: string, baseline = "Express"): Measurement {
  const failed = pairs.reduce((sum, { ours }) => sum + ours.failed, 0);
  const describe = (loads: Load[]) =>
    `${Math.round(median(loads.map((load) => load.perSecond)))} req/s, p99 ${median(loads.map((load) => load.p99Ms))} ms`;
  return {
    name: failed === 0 ? name : `${name} (${failed} FAILED)`,
    value: describe(pairs.map(({ ours }) => ours)),
    baseline: `${baseline} ${describe(pairs.map(({ bare }) => bare))}`,
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
    requests: result.requests.total,
  };
}

function request(text: string): string {
  return JSON.stringify({ type: "text", analyses: ["sentiment-simple"], contents: [text] });
}

async function finishedOperation(api: { url: string; authorization: string }): Promise<number> {
  const id = await createOperation(api, ["I love it"], ["sentiment-simple"]);
  await awaitDone(api, id);
  return id;
}
