import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../telemetry/metrics.js";
import { isServing, statusOf, type ReadReadiness } from "../process/readiness.js";

export interface OpsServerOptions {
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
      sendJson(res, isServing(status) ? 200 : 503, { status, dependencies: state.dependencies });
    },
    "/metrics": async (res) => {
      const { contentType, body } = await metrics.render();
      res.writeHead(200, { "Content-Type": contentType }).end(body);
    },
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (req, res) => {
    req.resume();
    const path = (req.url ?? "").replace(/\?.*$/, "");
    const answer = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (answer === undefined) sendJson(res, 404, { error: "There is nothing here.", code: "not_found" });
    else answer(res).catch(() => sendJson(res, 500, { error: "Something went wrong.", code: "internal" }));
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
