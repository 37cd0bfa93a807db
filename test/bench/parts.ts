import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../support/free-port.js";
import { PASSWORD, ROOT, startProcess, type ServerProcess } from "./child.js";

const SERVICES = ["auth", "media", "operation", "insight", "export"] as const;

/** The product as separate processes on one machine. */
export interface Parts {
  /** Of the gateway. */
  url: string;
  /** Starts one more worker. */
  startWorker(entry?: string): Promise<ServerProcess>;
  /** Processor seconds that all processes have used so far. */
  cpuSeconds(): Promise<number>;
  close(): Promise<void>;
}

/** Starts gateway and services, without workers, on fresh data; `env` is given to all. */
export async function startParts(env: Record<string, string> = {}): Promise<Parts> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const services = await Promise.all(SERVICES.map(async (name) => ({ name, port: await freePort() })));
  const addresses = services.map(({ name, port }) => [`${name.toUpperCase()}_ADDRESS`, `127.0.0.1:${port}`]);
  const all: Record<string, string> = {
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    BOOTSTRAP_PASSWORD: PASSWORD,
    RATE_LIMIT_PER_MINUTE: "0",
    MAX_UNFINISHED_OPERATIONS: "0",
    ...Object.fromEntries(addresses),
    ...env,
  };
  const started: ServerProcess[] = [];
  const start = async (entry: string, grpcPort: number): Promise<ServerProcess> => {
    const part = await startProcess([path.join(ROOT, entry)], "/readyz", {
      portVariable: "OPS_PORT",
      env: { ...all, GRPC_PORT: String(grpcPort) },
    });
    started.push(part);
    return part;
  };
  for (const { name, port } of services) await start(`services/${name}/dist/server.js`, port);
  const gateway = await startProcess([path.join(ROOT, "gateway/dist/server.js")], "/readyz", { env: all });
  started.push(gateway);
  return {
    url: gateway.url,
    startWorker: (entry = "services/operation/dist/worker.js") => start(entry, 0),
    cpuSeconds: async () => {
      const seconds = await Promise.all(started.map(({ url }) => cpuSecondsOf(url)));
      return seconds.reduce((sum, each) => sum + each, 0);
    },
    close: async () => {
      for (const part of started.reverse()) await part.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function cpuSecondsOf(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`).then(
    (response) => response.text(),
    () => "", // a process that was killed uses none
  );
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1] ?? 0);
}
