import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProcessConfig } from "../config/process-config.js";
import { type Metrics, createMetrics } from "../telemetry/metrics.js";
import { certificatesOf } from "../tls-certificates.js";
import { droppedLogLines } from "./log-output.js";
import { isServing, missingParts, statusOf, type ReadReadiness, type Dependencies } from "./readiness.js";
import { openPort, type Foundation } from "./run-process.js";

interface OpsServerOptions {
  readiness: ReadReadiness;
  metrics: Metrics;
  isStopping?: () => boolean;
}

/** A port for orchestrators and monitoring: `/healthz`, `/readyz` and `/metrics`. */
export interface OpsServer {
  /** Opens the port and returns its number; port 0 takes a free one. */
  listen(host: string, port: number): Promise<number>;
  close(): Promise<void>;
}

/** Creates the operations port of a process, which does not expose its state on its service ports. */
export function createOpsServer({ readiness, metrics, isStopping = () => false }: OpsServerOptions): OpsServer {
  const routes: Record<string, (res: ServerResponse) => Promise<void>> = {
    // Excludes dependencies, because restarting this process would not repair them.
    "/healthz": (res) => {
      sendJson(res, 200, { status: "ok" });
      return Promise.resolve();
    },
    "/readyz": async (res) => {
      const state = await readiness();
      const status = statusOf(state, isStopping());
      const body = { status, ...missingParts(state), dependencies: state.dependencies };
      sendJson(res, isServing(status) ? 200 : 503, body);
    },
    "/metrics": async (res) => {
      const { contentType, body } = await metrics.render();
      res.writeHead(200, { "Content-Type": contentType }).end(body);
    },
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (req, res) => {
    req.resume();
    const path = (req.url ?? "").replace(/\?.*$/, "");
    const handle = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (handle === undefined) sendJson(res, 404, { error: "There is nothing here.", code: "not_found" });
    else handle(res).catch(() => sendJson(res, 500, { error: "Something went wrong.", code: "internal" }));
  });
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  if (res.headersSent) return;
  const retry = status === 503 ? { "Retry-After": "5" } : {};
  res.writeHead(status, { "Content-Type": "application/json; charset=utf-8", ...retry }).end(JSON.stringify(body));
}

/** Default port of processes that serve REST. */
export const GATEWAY_OPS_PORT = 9106;

interface OpsPortOptions {
  readiness: ReadReadiness;
  metrics: Metrics;
  /** Default if OPS_PORT is not set. */
  port: number;
}

/**
 * Opens the port of a process for orchestrators and monitoring, on the address of its other ports, and returns its
 * number. The lifecycle closes it.
 */
export async function openOpsPort(
  { config, lifecycle }: Pick<Foundation, "config" | "lifecycle">,
  { readiness, metrics, port }: OpsPortOptions,
): Promise<number> {
  const ops = createOpsServer({ readiness, metrics, isStopping: () => lifecycle.signal.aborted });
  const place = { host: config.host, port: config.opsPort ?? port, variable: "OPS_PORT" } as const;
  const opened = await openPort(ops.listen(place.host, place.port), place);
  lifecycle.add("ops port", () => ops.close());
  return opened;
}

/** All parts of the product have one version. */
const PACKAGE = new URL("../../package.json", import.meta.url);

/** The version of the product. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;
}

/** The metrics of a process, with its build and the state of its dependencies. */
export function createProcessMetrics(
  { revision, tls }: Pick<ProcessConfig, "revision" | "tls">,
  dependencies: Pick<Dependencies, "areUp" | "isDiskFull">,
): Metrics {
  const metrics = createMetrics();
  const version = readVersion();
  const labels = { version, revision: revision ?? "unknown", node: process.version };
  metrics.gauge(
    "hourglass_build_info",
    "What this process was built from; always 1",
    () => Promise.resolve([{ labels, value: 1 }]),
    ["version", "revision", "node"],
  );
  metrics.gauge("hourglass_log_lines_dropped", "Log lines dropped since the start for want of room", () =>
    Promise.resolve(droppedLogLines()),
  );
  metrics.gauge(
    "hourglass_dependency_up",
    "Whether a dependency answers: 1, or 0 if it is unavailable",
    async () =>
      [...(await dependencies.areUp())].map(([dependency, up]) => ({ labels: { dependency }, value: Number(up) })),
    ["dependency"],
  );
  metrics.gauge(
    "hourglass_disk_full",
    "1 while the disk of the data folder has no room for new work, else 0",
    async () => {
      const isFull = await dependencies.isDiskFull();
      return isFull === undefined ? [] : [{ labels: {}, value: Number(isFull) }];
    },
  );
  if (tls !== undefined) {
    metrics.gauge(
      "hourglass_certificate_expiry_timestamp_seconds",
      "When a certificate in use ends, in seconds since the epoch",
      async () =>
        [...(await certificatesOf(tls)).expiries()].map(([file, at]) => ({ labels: { file }, value: at / 1000 })),
      ["file"],
    );
  }
  return metrics;
}
