import type { Endpoint } from "../http/endpoint.js";
import { jsonReply } from "../http/reply.js";

/** Whether work can be done now, and how each thing that is needed for it does. */
export interface Readiness {
  ready: boolean;
  /** By name; `state` is `ready` or says in a word what is wrong. */
  dependencies: Record<string, { state: string }>;
}

export type ReadReadiness = () => Promise<Readiness>;
export type ReadMetrics = () => Promise<{ contentType: string; body: string }>;

export interface HealthDeps {
  readonly readiness: ReadReadiness;
  readonly metrics?: ReadMetrics;
  readonly isStopping: () => boolean;
}

/** The routes that orchestrators and monitors ask. */
export function healthRoutes({ readiness, metrics, isStopping }: HealthDeps): Endpoint[] {
  const routes: Endpoint[] = [
    {
      method: "GET",
      path: "/healthz",
      access: "open",
      // Says nothing of dependencies: restarting this process would not mend them.
      handle: () => jsonReply(200, { status: "ok" }),
    },
    {
      method: "GET",
      path: "/readyz",
      access: "open",
      handle: async () => {
        const { ready, dependencies } = await readiness();
        const serving = ready && !isStopping();
        const status = serving ? "ready" : isStopping() ? "stopping" : "not_ready";
        return jsonReply(serving ? 200 : 503, { status, dependencies }, serving ? [] : ["Retry-After", "5"]);
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
