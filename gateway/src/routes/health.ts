import { isServing, statusOf, type ReadReadiness } from "@hourglass/runtime";
import { jsonReply } from "../http/reply.js";
import type { Endpoint } from "../http/route.js";

export type ReadMetrics = () => Promise<{ contentType: string; body: string }>;

export interface HealthOptions {
  readonly readiness: ReadReadiness;
  /** Given if this port also serves monitors: it then has `/metrics`, and `/readyz` lists the dependencies. */
  readonly metrics?: ReadMetrics;
  readonly isStopping: () => boolean;
}

/** The routes for orchestrators and monitors. */
export function healthRoutes({ readiness, metrics, isStopping }: HealthOptions): Endpoint[] {
  const routes: Endpoint[] = [
    {
      method: "GET",
      path: "/healthz",
      access: "open",
      // Does not report dependencies: restarting this process would not repair them.
      handle: () => jsonReply(200, { status: "ok" }),
    },
    {
      method: "GET",
      path: "/readyz",
      access: "open",
      handle: async () => {
        const state = await readiness();
        const status = statusOf(state, isStopping());
        const body = metrics === undefined ? { status } : { status, dependencies: state.dependencies };
        return isServing(status) ? jsonReply(200, body) : jsonReply(503, body, ["Retry-After", "5"]);
      },
    },
  ];
  if (metrics === undefined) return routes;
  const measured: Endpoint = {
    method: "GET",
    path: "/metrics",
    access: "open",
    handle: async () => ({ status: 200, ...(await metrics()) }),
  };
  return [...routes, measured];
}
