import { readFile } from "node:fs/promises";
import { Deployment } from "../support/deployment.js";
import { embeddedTestStorage } from "../support/test-storage.js";
import type { Part } from "../support/part.js";
import { PASSWORD } from "./child.js";

/** The product as separate processes on one machine. */
export interface Parts {
  /** URL of the gateway. */
  url: string;
  /** Where the gateway serves its metrics. */
  opsUrl: string;
  /** URL of the gateway's gRPC port. */
  grpcUrl: string;
  /** Environment of the storage. */
  env: Readonly<Record<string, string>>;
  /** Memory of the largest process now, in MiB. */
  memoryMb(): Promise<number>;
  /** Starts one more of the available workers. */
  startWorker(): Promise<Part>;
  /** Processor seconds of all processes so far. */
  cpuSeconds(): Promise<number>;
  close(): Promise<void>;
}

export interface Workers {
  /** Maximum number of workers. */
  workers: number;
  /** Entry file of the workers instead of the product's own. */
  workerEntry?: string;
}

/** Starts gateway and services, without workers, on fresh data; `env` is passed to all. */
export async function startParts(env: Record<string, string>, workers: Workers): Promise<Parts> {
  const testStorage = await embeddedTestStorage();
  const settings = {
    LOG_LEVEL: "warn",
    BOOTSTRAP_PASSWORD: PASSWORD,
    RATE_LIMIT_PER_MINUTE: "0",
    MAX_UNFINISHED_OPERATIONS: "0",
    SERVICE_SECRET: "a secret that all services share",
  };
  const all = { ...settings, ...testStorage.env, ...env };
  const deployment = await Deployment.prepare({ topology: "processes", env: all, ...workers });
  const idle = deployment.parts.filter(({ name }) => name.startsWith("worker-"));
  // The gateway is the last, so that it finds all services.
  for (const part of deployment.parts.filter((candidate) => !idle.includes(candidate))) await begin(part);
  return {
    url: deployment.url,
    opsUrl: deployment.opsUrl,
    grpcUrl: deployment.grpcUrl,
    env: testStorage.env,
    memoryMb: async () => {
      const running = deployment.parts.filter(({ isRunning }) => isRunning);
      return Math.max(...(await Promise.all(running.map(({ pid }) => memoryMbOf(pid)))));
    },
    startWorker: async () => {
      const worker = idle.shift();
      if (worker === undefined) throw new Error(`there are ${workers.workers} workers, and all were started`);
      return begin(worker);
    },
    cpuSeconds: async () => {
      const running = deployment.parts.filter(({ isRunning }) => isRunning);
      const seconds = await Promise.all(running.map(({ opsUrl }) => cpuSecondsOf(opsUrl)));
      return seconds.reduce((sum, each) => sum + each, 0);
    },
    close: async () => {
      await deployment.end("SIGTERM");
      await testStorage.remove();
    },
  };
}

async function begin(part: Part): Promise<Part> {
  part.start();
  await part.ready();
  return part;
}

/** Resident memory of a process in MiB. */
export async function memoryMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

async function cpuSecondsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1] ?? 0);
}
