import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { median, type Measurement } from "./measure.js";
import { signIn, startBaseline, startHourglass } from "./child.js";
import { awaitDone, createOperation, type Api } from "./operations.js";
import { startParts, type Parts } from "./parts.js";
import { benchDraft } from "./postings.js";

const OPERATIONS = "/api/v2/products/api/operations";
const ROUNDS = 3;
const SECONDS = 4;

/** Load of one kind on one server: requests per second, 99th percentile in milliseconds, failures. */
interface Load {
  perSecond: number;
  p99Ms: number;
  failed: number;
  /** Processor time of all processes of the server, which hardly depends on what else the machine does. */
  cpuMicros: number;
}

type Server = Pick<Parts, "url" | "cpuSeconds">;

/** Reading and creating one operation, compared with bare Express, in interleaved rounds. */
export async function measureRequests(): Promise<Measurement[]> {
  const hourglass = await startHourglass({ MAX_UNFINISHED_OPERATIONS: "0" });
  const express = await startBaseline("bare-express");
  try {
    const authorization = await signIn(hourglass.url);
    const id = await finishedOperation({ url: hourglass.url, authorization });
    const read = (connections: number) => (server: Server) =>
      load(server, { path: `${OPERATIONS}/${id}`, connections, authorization });
    const connect = "/hourglass.operation.v1.OperationService/GetOperation";
    const byConnect = (server: Server) =>
      server === hourglass
        ? load(server, { path: connect, connections: 128, authorization, body: JSON.stringify({ id }) })
        : read(128)(server);
    const create = (server: Server) =>
      load(server, { path: OPERATIONS, connections: 32, authorization, body: request("I love it") });
    return [
      compare("read route, 128 connections", await rounds(read(128), hourglass, express), "≥ 1.20"),
      compare("read route, 32 connections", await rounds(read(32), hourglass, express), "≥ 1.20"),
      compare("read by Connect, 128 connections", await rounds(byConnect, hourglass, express), ""),
      compare("create operation, 32 clients", await rounds(create, hourglass, express), "≥ 0.70"),
    ];
  } finally {
    await Promise.all([hourglass.close(), express.close()]);
  }
}

/** Reading an operation by an API key and by a token, on the same server in interleaved rounds: processor time per request. */
export async function measureApiKeys(): Promise<Measurement[]> {
  const hourglass = await startHourglass();
  try {
    const authorization = await signIn(hourglass.url);
    const id = await finishedOperation({ url: hourglass.url, authorization });
    const key = await makeKey({ url: hourglass.url, authorization });
    const byKey: Server = { url: hourglass.url, cpuSeconds: () => hourglass.cpuSeconds() };
    const read = (server: Server) =>
      load(server, {
        path: `${OPERATIONS}/${id}`,
        connections: 128,
        authorization: server === byKey ? key : authorization,
      });
    const pairs = await rounds(read, byKey, hourglass);
    const measured = compare("read route by API key, processor time per request", pairs, "≤ 1.05", "token");
    return [{ ...measured, ratio: median(pairs.map(({ ours, bare }) => ours.cpuMicros / bare.cpuMicros)) }];
  } finally {
    await hourglass.close();
  }
}

async function makeKey({ url, authorization }: Api): Promise<string> {
  const response = await fetch(`${url}/api/v2/keys`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ name: "Measured", scopes: ["operations"] }),
  });
  return `Bearer ${((await response.json()) as { key: string }).key}`;
}

const INSIGHTS = "/api/v2/products/insight";
const POSTINGS = 200;

/** A page of postings and a summary, compared with bare Express that sends the same bytes. */
export async function measureInsightReads(): Promise<Measurement[]> {
  const hourglass = await startHourglass();
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  try {
    const authorization = await signIn(hourglass.url);
    const insight = await insightWithPostings({ url: hourglass.url, authorization });
    const paths = { page: `${insight}/postings?limit=50`, summary: `${insight}/summary?${YEAR}` };
    for (const [name, route] of Object.entries(paths)) {
      const answer = await fetch(hourglass.url + route, { headers: { authorization } });
      await writeFile(path.join(folder, name), await answer.text());
    }
    const express = await startBaseline("bare-express", { BODIES: folder });
    try {
      const read = (name: keyof typeof paths) => (server: Server) =>
        load(server, { path: server === hourglass ? paths[name] : `/${name}`, connections: 32, authorization });
      const [page, summary] = [
        await rounds(read("page"), hourglass, express),
        await rounds(read("summary"), hourglass, express),
      ];
      return [
        compare("a page of 50 postings, 32 connections", page, "≥ 0.80", "Express, the same bytes"),
        compare("a summary, 32 connections", summary, "≥ 0.80", "Express, the same bytes"),
      ];
    } finally {
      await express.close();
    }
  } finally {
    await hourglass.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The bytes of an uploaded photo and its small picture, compared with bare Express that sends them from the disk. */
export async function measureFileContents(): Promise<Measurement[]> {
  const hourglass = await startHourglass();
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  try {
    const authorization = await signIn(hourglass.url);
    const content = await uploadedPhoto({ url: hourglass.url, authorization });
    const paths = { content, thumbnail: `${content}?width=256` };
    for (const [name, route] of Object.entries(paths)) {
      const answer = await fetch(hourglass.url + route, { headers: { authorization } });
      if (!answer.ok) throw new Error(`${route} was answered ${answer.status}`);
      await writeFile(path.join(folder, name), Buffer.from(await answer.arrayBuffer()));
    }
    const express = await startBaseline("bare-express", { FILES: folder });
    try {
      const read = (name: keyof typeof paths) => (server: Server) =>
        load(server, { path: server === hourglass ? paths[name] : `/files/${name}`, connections: 8, authorization });
      const baseline = "Express, from the disk";
      return [
        compare(
          "bytes of a photo, 8 connections",
          await rounds(read("content"), hourglass, express),
          "≥ 0.33",
          baseline,
        ),
        compare(
          "its small picture, 8 connections",
          await rounds(read("thumbnail"), hourglass, express),
          "≥ 0.33",
          baseline,
        ),
      ];
    } finally {
      await express.close();
    }
  } finally {
    await hourglass.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of the bytes of a photo of people, 180 kB, once it has been uploaded. */
async function uploadedPhoto({ url, authorization }: Api): Promise<string> {
  const packaged = createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json");
  const form = new FormData();
  form.set("file", new Blob([await readFile(path.join(path.dirname(packaged), "demo/sample2.jpg"))]), "photo.jpg");
  const answer = await fetch(`${url}${OPERATIONS}/upload`, { method: "POST", headers: { authorization }, body: form });
  const { id } = (await answer.json()) as { id: number };
  return `${OPERATIONS}/upload/${id}/content`;
}

const YEAR = "start_date=2026-01-01&end_date=2026-12-31";

/** The path of an insight that is paused, once its postings have been analyzed. */
async function insightWithPostings({ url, authorization }: Api): Promise<string> {
  const send = (route: string, method: string, body: string, type = "application/json") =>
    fetch(url + route, { method, headers: { authorization, "content-type": type }, body });
  const query = { keywords: "kestrel", platforms: ["reddit"], dimensions: ["textual"] };
  const created = await send(INSIGHTS, "POST", JSON.stringify({ query }));
  const insight = created.headers.get("location") ?? "";
  const lines = Array.from({ length: POSTINGS }, (_, number) => postingOf(number)).join("\n");
  const imported = await send(`${insight}/postings`, "POST", lines, "application/x-ndjson");
  if (!imported.ok) throw new Error(`an import was answered ${imported.status}: ${await imported.text()}`);
  for (const giveUpAt = performance.now() + 120_000; performance.now() < giveUpAt;) {
    const list = await fetch(`${url}${insight}/postings?limit=${POSTINGS}`, { headers: { authorization } });
    if (((await list.json()) as { postings: unknown[] }).postings.length === POSTINGS) {
      await send(`${insight}/pause`, "PUT", "{}");
      return insight;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the postings have not been analyzed");
}

function postingOf(number: number): string {
  const { socialId, url, text, author } = benchDraft(number);
  return JSON.stringify({
    platform: "reddit",
    social_id: socialId,
    social_url: url,
    text_of_post: text,
    post_date: `${(number % 9) + 1}/${(number % 27) + 1}/2026`,
    post_time: "10:20:30",
    author_id: author?.id,
    author_username: author?.username,
    like_count: String(number),
  });
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
    const both = {
      url: pair.url,
      cpuSeconds: async () => (await pair.cpuSeconds()) + (await plain.cpuSeconds()),
    };
    const read = (server: Server) => load(server, { path: `${OPERATIONS}/${id}`, connections: 128, authorization });
    const name = "read route, separate processes";
    return [
      compare(name, await rounds(read, parts, express), ""),
      compare(name, await rounds(read, parts, both), "≥ 1.20", "Express over grpc-js"),
    ];
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
    `${Math.round(median(loads.map((load) => load.perSecond)))} req/s, p99 ${median(loads.map((load) => load.p99Ms))} ms, ` +
    `${median(loads.map((load) => load.cpuMicros)).toFixed(0)} µs`;
  return {
    name: failed === 0 ? name : `${name} (${failed} FAILED)`,
    value: describe(pairs.map(({ ours }) => ours)),
    baseline: `${baseline} ${describe(pairs.map(({ bare }) => bare))}`,
    ratio: median(pairs.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    target,
  };
}

async function load(
  server: Server,
  options: { path: string; connections: number; authorization: string; body?: string },
): Promise<Load> {
  const before = await server.cpuSeconds();
  const result = await autocannon({
    url: server.url + options.path,
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
    cpuMicros: ((await server.cpuSeconds()) - before) * (1e6 / result.requests.total),
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
