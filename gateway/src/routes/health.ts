import { isServing, missingParts, statusOf, type ReadReadiness } from "@hourglass/runtime";
import * as z from "zod";
import { jsonReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import { json, textOf } from "./answers.js";
import { constant, enumeration, object, optional, text } from "./schema.js";

export type ReadMetrics = () => Promise<{ contentType: string; body: string }>;

export interface HealthOptions {
  readonly readiness: ReadReadiness;
  /** Given if this port also serves monitors: it then has `/metrics`, and `/readyz` lists the dependencies. */
  readonly metrics?: ReadMetrics;
  readonly isStopping: () => boolean;
}

const Health = object("Health", { status: constant("ok") });

const Dependency = object("Dependency", { state: text("`ready`, or what is wrong in a word.") });

const Readiness = object("Readiness", {
  status: enumeration("ReadinessStatus", ["ready", "degraded", "not_ready", "stopping"]),
  parts: optional(
    z.record(z.string(), Dependency).meta({
      id: "MissingParts",
      description:
        "Optional parts that are missing, such as the model for speech, by name. The installation is ready without them.",
    }),
  ),
  dependencies: optional(
    z.record(z.string(), Dependency).meta({ id: "Dependencies", description: "What is needed to work, by name." }),
  ),
});

/** The routes for orchestrators and monitors. */
export function healthRoutes({ readiness, metrics, isStopping }: HealthOptions): Endpoint[] {
  const base = { tag: "System", access: "open" } as const;
  const routes: Endpoint[] = [
    route("GET /healthz", "getHealth", "Liveness", {
      ...base,
      description: "Whether the process answers at all.",
      answers: { 200: { description: "It does.", content: json(Health, { status: "ok" }) } },
      // Does not report dependencies: restarting this process would not repair them.
      handle: () => jsonReply(200, { status: "ok" }),
    }),
    route("GET /readyz", "getReadiness", "Readiness", {
      ...base,
      description:
        "Whether work can be done now. The state of each dependency is there only where monitors ask on this port.",
      answers: {
        200: { description: "It can.", content: json(Readiness, { status: "ready" }) },
        503: { description: "It cannot.", content: json(Readiness, { status: "not_ready" }) },
      },
      handle: async () => {
        const state = await readiness();
        const status = statusOf(state, isStopping());
        const body =
          metrics === undefined ? { status } : { status, ...missingParts(state), dependencies: state.dependencies };
        return isServing(status) ? jsonReply(200, body) : jsonReply(503, body, ["Retry-After", "5"]);
      },
    }),
  ];
  if (metrics === undefined) return routes;
  const measured = route("GET /metrics", "getMetrics", "Metrics", {
    ...base,
    description: "For Prometheus.",
    answers: { 200: { description: "The metrics.", content: textOf("text/plain") } },
    handle: async () => ({ status: 200, ...(await metrics()) }),
  });
  return [...routes, measured];
}
