import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { RENDERED_FORMATS, renderExport, type Sinks } from "@hourglass/export";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { type Blobs, createGrpcClient, openFileBlobs } from "@hourglass/runtime";
import { startBaseline } from "./child.js";
import { generatedPostings } from "./generated-postings.js";
import { median, type Measurement } from "./measure.js";
import { gatewayInOneProcess, gatewayOver } from "./export-gateway.js";

const POSTINGS = 100_000;
const ROUNDS = 5;
const DOWNLOAD = "/api/v2/products/insight/exports/1/download?format=";

/**
 * Downloads of an export through the gateway, compared with piping the file of its lines: where one process serves both,
 * beside slow readers, and where the export service is another process.
 */
export async function measureDownloads(): Promise<Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const blobs = await openFileBlobs({ folder });
  const bare = await pipeFile(path.join(folder, "blobs", "ndjson.blob"));
  try {
    await renderExport(generatedPostings(POSTINGS), sinksOf(blobs));
    const gateway = await gatewayInOneProcess(blobs);
    const { url } = await gateway.listen("127.0.0.1", 0);
    const rows = [...(await compare(url, bare.url)), await besideSlowReaders(url)];
    await gateway.stop(0);
    return [...rows, await memoryOfServer(folder), await fromAnotherProcess(folder, bare.url)];
  } finally {
    await bare.close();
    await blobs.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** How much of its speed a reader keeps beside readers that take a few bytes now and then. */
async function besideSlowReaders(url: string): Promise<Measurement> {
  const address = `${url}${DOWNLOAD}ndjson`;
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push((await download(address)).ms);
    const slow = await startSlowReaders(address);
    beside.push((await download(address)).ms);
    await endOf(slow);
  }
  return {
    name: `  speed beside ${SLOW_READERS} slow readers`,
    value: `${median(beside).toFixed(0)} ms`,
    baseline: `alone ${median(alone).toFixed(0)} ms`,
    ratio: median(alone) / median(beside),
    target: "≥ 0.80",
  };
}

/** How much memory a process that serves downloads needs beside slow readers. */
async function memoryOfServer(folder: string): Promise<Measurement> {
  const server = await startBaseline("export-gateway", { FOLDER: folder });
  const told = async () => (await (await fetch(server.url)).json()) as { url: string; rss: number };
  try {
    const { url } = await told();
    await download(`${url}${DOWNLOAD}json`, "bytes=0-1000"); // loads what is loaded late
    const idle = (await told()).rss;
    const address = `${url}${DOWNLOAD}ndjson`;
    const slow = await startSlowReaders(address);
    let peak = 0;
    const look = setInterval(() => void told().then(({ rss }) => (peak = Math.max(peak, rss))), LOOK_EVERY_MS);
    for (let round = 0; round < ROUNDS; round++) await download(address);
    clearInterval(look);
    await endOf(slow);
    return {
      name: `  memory of the process that serves it and ${SLOW_READERS} slow readers`,
      value: `+ ${((peak - idle) / 1e6).toFixed(0)} MB`,
      baseline: `idle ${(idle / 1e6).toFixed(0)} MB`,
      target: "≤ + 60 MB",
    };
  } finally {
    await server.close();
  }
}

async function startSlowReaders(address: string): Promise<ChildProcess> {
  const slow = spawn(process.execPath, ["-e", SLOW_CLIENTS, address, String(SLOW_READERS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(slow.stdout, "data"); // all have begun
  return slow;
}

async function endOf(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, "exit");
}

async function fromAnotherProcess(folder: string, bareUrl: string): Promise<Measurement> {
  const server = await startBaseline("export-server", { FOLDER: folder });
  const { grpcPort } = (await (await fetch(server.url)).json()) as { grpcPort: number };
  const grpc = await createGrpcClient(ExportService, `127.0.0.1:${grpcPort}`);
  const gateway = gatewayOver(() => grpc.client);
  try {
    const { url } = await gateway.listen("127.0.0.1", 0);
    const rounds: { ours: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = (await download(bareUrl)).ms;
      rounds.push({ bare, ours: (await download(`${url}${DOWNLOAD}ndjson`)).ms });
    }
    return {
      name: "  as ndjson, separate processes",
      value: `${median(rounds.map(({ ours }) => ours)).toFixed(0)} ms`,
      baseline: `piping the file ${median(rounds.map(({ bare }) => bare)).toFixed(0)} ms`,
      ratio: median(rounds.map(({ ours, bare }) => ours / bare)),
      target: "",
    };
  } finally {
    await gateway.stop(0);
    grpc.close();
    await server.close();
  }
}

async function compare(url: string, bareUrl: string): Promise<Measurement[]> {
  const rounds: Record<"json" | "ndjson" | "middle" | "bare", Download>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await download(bareUrl),
      json: await download(`${url}${DOWNLOAD}json`),
      ndjson: await download(`${url}${DOWNLOAD}ndjson`),
      middle: await download(`${url}${DOWNLOAD}json`, "bytes=80000000-"),
    });
  }
  const lines = (["json", "ndjson"] as const).map((format) => ({
    name: `download of ${POSTINGS.toLocaleString("en")} postings as ${format}, one process`,
    value: `${median(rounds.map((round) => round[format].ms)).toFixed(0)} ms`,
    baseline: `piping the file ${median(rounds.map(({ bare }) => bare.ms)).toFixed(0)} ms`,
    ratio: median(rounds.map((round) => round[format].ms / round.bare.ms)),
    target: "≤ 7.00",
  }));
  const first = (kind: "json" | "middle") => median(rounds.map((round) => round[kind].firstMs)).toFixed(0);
  const value = `${first("json")} ms, ${first("middle")} ms`;
  return [...lines, { name: "  first byte, and from the middle", value, baseline: "", target: "≤ 100 ms" }];
}

interface Download {
  ms: number;
  firstMs: number;
}

/** Runs in its own process, so that only serving is compared. */
const CLIENT = `
  const [url, range] = process.argv.slice(1);
  const headers = { authorization: "Bearer bench", ...(range === "" ? {} : { range }) };
  const begin = performance.now();
  let firstMs;
  require("node:http").get(url, { headers }, (response) => {
    response.on("data", () => (firstMs ??= performance.now() - begin));
    response.on("end", () => console.log(JSON.stringify({ ms: performance.now() - begin, firstMs })));
  });`;

const SLOW_READERS = 8;
const LOOK_EVERY_MS = 20;

/** Readers of 16 KiB every 100 ms each. */
const SLOW_CLIENTS = `
  const [url, readers] = process.argv.slice(1);
  const agent = new (require("node:http").Agent)({ highWaterMark: 16384 });
  let begun = 0;
  for (let reader = 0; reader < Number(readers); reader++) {
    require("node:http").get(url, { agent, headers: { authorization: "Bearer bench" } }, (response) => {
      response.on("data", () => {
        response.pause();
        setTimeout(() => response.resume(), 100);
      });
      response.once("data", () => ++begun === Number(readers) && console.log("begun"));
    });
  }`;

async function download(url: string, range = ""): Promise<Download> {
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", CLIENT, url, range]);
  return JSON.parse(stdout) as Download;
}

async function pipeFile(file: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((_, response) => pipeline(createReadStream(file), response, () => undefined));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => promisify(server.close.bind(server))() };
}

function sinksOf(blobs: Blobs): Sinks {
  const [ndjson, csv, parquet] = RENDERED_FORMATS.map(
    (format) => (bytes: AsyncIterable<Uint8Array>) => blobs.put(format, bytes),
  );
  if (ndjson === undefined || csv === undefined || parquet === undefined) throw new Error("a format is missing");
  return { ndjson, csv, parquet };
}
