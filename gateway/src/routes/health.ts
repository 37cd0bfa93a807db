import type { ReadReadiness } from "@hourglass/runtime";
import type { Endpoint } from "../http/endpoint.js";
import { jsonReply } from "../http/reply.js";

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
        const whole = Object.values(dependencies).every(({ state }) => state !== "away" && state !== "missing");
        const status = serving ? (whole ? "ready" : "degraded") : isStopping() ? "stopping" : "not_ready";
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
