import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { doneOperation, latencies, p99, startNeighbors } from "./bursts.js";
import type { SentRequest } from "./hostile-sender.js";
import type { Measurement } from "./measure.js";

const OPERATIONS = "/api/v2/products/api/operations";
const RPC = "/hourglass.operation.v1.OperationService/CreateOperation";
const CHECK = "/api/v2/products/insight/check";
const BODY_BYTES = 20_000_000;
const MEASURED_MS = 4500;
const JSON_TYPE = "application/json";

interface HostileBody {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
  /** What it is answered with. */
  readonly status: number;
}

/** A list of empty items that takes 20 MB, between its beginning and its end. */
function itemsBetween(head: string, item: string, tail: string): Buffer<ArrayBuffer> {
  return Buffer.from(`${head}${item.repeat(Math.floor(BODY_BYTES / item.length))}${tail}`);
}

/** Made one after the other: together they would take half of the memory of a small machine. */
const BODIES: readonly (() => HostileBody)[] = [
  () => ({
    ...{ name: "empty contents in JSON", path: OPERATIONS, type: JSON_TYPE, status: 413 },
    body: itemsBetween('{"type":"text","analyses":["topic"],"contents":[', "{},", "{}]}"),
  }),
  () => ({
    ...{ name: "nested lists in JSON", path: OPERATIONS, type: JSON_TYPE, status: 400 },
    body: itemsBetween('{"unknown":', "[", ""),
  }),
  () => ({
    ...{ name: "unknown fields of a check", path: CHECK, type: JSON_TYPE, status: 413 },
    body: itemsBetween('{"unknown":[', "{},", "{}]}"),
  }),
  () => ({
    ...{ name: "empty contents by Connect in JSON", path: RPC, type: JSON_TYPE, status: 429 },
    body: itemsBetween('{"contents":[', "{},", "{}]}"),
  }),
  () => ({
    ...{ name: "empty contents by Connect", path: RPC, type: "application/proto", status: 400 },
    body: Buffer.alloc(BODY_BYTES, Buffer.from([0x1a, 0])),
  }),
  () => ({
    ...{ name: "a text of 20 MB", path: OPERATIONS, type: JSON_TYPE, status: 400 },
    body: Buffer.from(
      JSON.stringify({ type: "text", analyses: ["topic"], contents: ["\n".repeat(BODY_BYTES / 2 - 100)] }),
    ),
  }),
  () => ({
    ...{ name: "a good operation", path: OPERATIONS, type: JSON_TYPE, status: 201 },
    body: Buffer.from(
      JSON.stringify({
        ...{ type: "text", analyses: ["sentiment-simple"] },
        contents: Array.from({ length: 1000 }, (_, index) => `${index} ${"я".repeat(9900)}`),
      }),
    ),
  }),
  () => ({
    ...{ name: "a good operation by Connect in JSON", path: RPC, type: JSON_TYPE, status: 200 },
    body: Buffer.from(
      JSON.stringify({
        ...{ type: "OPERATION_TYPE_TEXT", analyses: ["ANALYSIS_TYPE_SENTIMENT_SIMPLE"] },
        contents: Array.from({ length: 1000 }, (_, index) => ({ text: `${index} ${"я".repeat(9900)}` })),
      }),
    ),
  }),
  () => ({
    ...{ name: "names that nobody knows", path: OPERATIONS, type: JSON_TYPE, status: 400 },
    body: Buffer.from(
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 49_000 }, (_, index) => [`${index} ${"x".repeat(390)}`, 1])),
      ),
    ),
  }),
  () => ({
    ...{ name: "a thousand empty contents by Connect", path: RPC, type: JSON_TYPE, status: 400 },
    body: Buffer.from(JSON.stringify({ contents: Array(1000).fill({}), unknown: "x".repeat(BODY_BYTES - 10_000) })),
  }),
];

/** The latency for a user of another company while one user sends the worst bodies of 20 MB one after the other. */
export async function measureHostileBodies(): Promise<Measurement[]> {
  const { greedy, neighbor, close } = await startNeighbors();
  try {
    const small = await doneOperation(neighbor, ["I love it"]);
    const quiet = p99(await latencies(neighbor, small, MEASURED_MS));
    const rows: Measurement[] = [];
    for (const make of BODIES) {
      const { name, path, type, body, status } = make();
      const headers = { authorization: greedy.authorization, "content-type": type };
      const sending = await startSending({ url: greedy.url + path, headers, body, status });
      const beside = p99(await latencies(neighbor, small, MEASURED_MS));
      await sending.stop();
      rows.push({
        name: `p99 of others, beside 20 MB: ${name}`,
        value: `${beside.toFixed(0)} ms`,
        baseline: `alone ${quiet.toFixed(0)} ms`,
        ratio: beside / quiet,
        target: "≤ 50 ms",
      });
    }
    return rows;
  } finally {
    await close();
  }
}

/** Sends a request again and again in its own thread, since sending it delays what this one measures. */
async function startSending(request: SentRequest): Promise<{ stop(): Promise<unknown> }> {
  const sender = new Worker(new URL("./hostile-sender.js", import.meta.url), { workerData: request });
  const failed = once(sender, "error").then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined); // reported to the caller that waits for the first answer, or stops
  await Promise.race([once(sender, "message"), failed]);
  return { stop: () => Promise.race([sender.terminate(), failed]) };
}
