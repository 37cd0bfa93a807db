import { answer, json, type RouteDoc } from "./route.js";
import { constant, enumeration, object, ref, string, type Schema } from "./schema.js";

const TAG = "System";

/** Schemas of the server's state. */
export const SYSTEM_SCHEMAS: Readonly<Record<string, Schema>> = {
  Health: object({ status: constant("ok") }),
  Readiness: object(
    { status: ref("ReadinessStatus"), dependencies: ref("Dependencies") },
    { optional: ["dependencies"] },
  ),
  ReadinessStatus: enumeration(["ready", "degraded", "not_ready", "stopping"]),
  Dependencies: {
    type: "object",
    description: "What is needed to work, by name.",
    additionalProperties: ref("Dependency"),
  },
  Dependency: object({ state: string("`ready`, or what is wrong in a word.") }),
};

const readiness = json(ref("Readiness"));

function page(type: string): Schema {
  return { [type]: { schema: string() } };
}

const ASSET = { ...page("text/css"), ...page("text/javascript"), ...page("image/png") };

/** The routes of the server itself. */
export const SYSTEM_ROUTES: Readonly<Record<string, RouteDoc>> = {
  "GET /healthz": {
    id: "getHealth",
    tag: TAG,
    summary: "Liveness",
    description: "Whether the process answers at all.",
    answers: { 200: answer("It does.", json(ref("Health"))) },
  },
  "GET /readyz": {
    id: "getReadiness",
    tag: TAG,
    summary: "Readiness",
    description:
      "Whether work can be done now. The state of each dependency is there only where monitors ask on this port.",
    answers: { 200: answer("It can.", readiness), 503: answer("It cannot.", readiness) },
  },
  "GET /metrics": {
    id: "getMetrics",
    tag: TAG,
    summary: "Metrics",
    description: "For Prometheus.",
    answers: { 200: answer("The metrics.", page("text/plain")) },
  },
  "GET /openapi.json": {
    id: "getDocument",
    tag: TAG,
    summary: "This document",
    answers: { 200: answer("OpenAPI 3.1.", json({ type: "object" })) },
  },
  "GET /": {
    id: "getStart",
    tag: TAG,
    summary: "Leads to the page to try the routes",
    answers: { 302: { description: "The page is at `/docs`.", headers: { Location: { schema: string() } } } },
  },
  "GET /docs": {
    id: "getDocs",
    tag: TAG,
    summary: "A page to try the routes",
    answers: { 200: answer("The page.", page("text/html")) },
  },
  "GET /docs/:asset": {
    id: "getDocsAsset",
    tag: TAG,
    summary: "A file of that page",
    parameters: [{ name: "asset", in: "path", required: true, schema: string() }],
    answers: { 200: answer("The file.", ASSET) },
    failures: [404],
  },
};
