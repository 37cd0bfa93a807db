import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { admin, USER_PASSWORD } from "../rest/admin.js";
import { signIn, startHourglass } from "./child.js";
import type { Measurement } from "./measure.js";
import { awaitDone, createOperation, type Api } from "./operations.js";

const OPERATIONS = "/api/v2/products/api/operations";
const SOCKETS = 200;
const READS = 40;
const MEASURED_MS = 10_000;
const PAUSE_MS = 20;
const NEIGHBOR = "neighbor@example.com";

/** A server with users of two companies. */
export interface Neighbors {
  readonly greedy: Api;
  readonly neighbor: Api;
  close(): Promise<void>;
}

/** Starts the product with a second company. */
export async function startNeighbors(): Promise<Neighbors> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const hourglass = await startHourglass({ DATA_DIR: dataDir });
  const { url } = hourglass;
  await admin({ DATA_DIR: dataDir }, "company", "create", "--name", "Neighbor");
  await admin({ DATA_DIR: dataDir }, "user", "create", "--email", NEIGHBOR, "--company", "Neighbor");
  return {
    greedy: { url, authorization: await signIn(url) },
    neighbor: { url, authorization: await signIn(url, NEIGHBOR, USER_PASSWORD) },
    close: async () => {
      await hourglass.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The latency for a user of another company while one user pipelines thousands of reads of a record of 2 MB. */
export async function measureBursts(): Promise<Measurement[]> {
  const { greedy, neighbor, close } = await startNeighbors();
  const sockets: Socket[] = [];
  try {
    const large = await doneOperation(greedy, Array<string>(110).fill("x".repeat(18_000)));
    const small = await doneOperation(neighbor, ["I love it"]);
    const quiet = p99(await latencies(neighbor, small));
    for (let count = 0; count < SOCKETS; count++) sockets.push(burst(greedy, large));
    const beside = p99(await latencies(neighbor, small));
    return [
      {
        name: `p99 of others, beside ${SOCKETS} × ${READS} reads of 2 MB`,
        value: `${beside.toFixed(0)} ms`,
        baseline: `alone ${quiet.toFixed(0)} ms`,
        ratio: beside / quiet,
        target: "≤ 500 ms",
      },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    await close();
  }
}

/** Creates an operation and waits for its end; returns its id. */
export async function doneOperation(api: Api, contents: readonly string[]): Promise<number> {
  const id = await createOperation(api, contents, ["sentiment-simple"]);
  await awaitDone(api, id);
  return id;
}

/** Sends all requests at once on one connection, and discards the responses. */
function burst({ url, authorization }: Api, id: number): Socket {
  const request = `GET ${OPERATIONS}/${id} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n\r\n`;
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(request.repeat(READS)));
  socket.on("error", () => undefined); // a disconnect would be an acceptable answer
  return socket.resume();
}

/** Latencies of sequential reads for some time, in milliseconds. */
export async function latencies(
  { url, authorization }: Api,
  id: number,
  measuredMs: number = MEASURED_MS,
): Promise<number[]> {
  const times: number[] = [];
  for (const endsAt = performance.now() + measuredMs; performance.now() < endsAt;) {
    const begin = performance.now();
    const response = await fetch(`${url}${OPERATIONS}/${id}`, { headers: { authorization } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the neighbor was answered ${response.status}`);
    times.push(performance.now() - begin);
    await sleep(PAUSE_MS);
  }
  return times;
}

/** The time that 99 of a hundred do not exceed. */
export function p99(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN;
}
