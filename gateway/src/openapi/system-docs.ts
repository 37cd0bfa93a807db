import { CredentialsSchema } from "@hourglass/proto/auth/v1/auth_service";
import { answer, json, type RouteDoc } from "./describe.js";
import {
  array,
  boolean,
  constant,
  enumeration,
  limitsOf,
  object,
  recordId,
  ref,
  string,
  type Schema,
} from "./schema.js";

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

const SIGN_IN_TAG = "Signing in";

/** Schemas of users and keys. */
export const USER_SCHEMAS: Readonly<Record<string, Schema>> = {
  SignIn: object({ user: ref("Credentials") }),
  Credentials: object({
    email: string("Compared without case.", limitsOf(CredentialsSchema, "email")),
    password: string(undefined, { ...limitsOf(CredentialsSchema, "password"), format: "password" }),
  }),
  User: object({
    id: recordId("Id of the user."),
    email: string(),
    first_name: string(),
    last_name: string(),
    company: ref("Company"),
  }),
  Company: object({ id: recordId("Id of the company."), name: string(), products: array(ref("Product")) }),
  Product: object({
    uid: string("`api` (operations, upload) or `insight` (insights, exports)."),
    active: boolean("Whether the company can use it now."),
  }),
  KeySet: object({ keys: array(ref("Key")) }, { description: "A JSON Web Key Set (RFC 7517)." }),
  Key: { type: "object", additionalProperties: true, description: "A public key as a JSON Web Key." },
};

/** The routes of sign-in. */
export const USER_ROUTES: Readonly<Record<string, RouteDoc>> = {
  "POST /api/v1/users/sign_in": {
    id: "signIn",
    tag: SIGN_IN_TAG,
    summary: "Sign in",
    description:
      "Answers with the user, and with an access token in the response header `Authorization`. Send that header with " +
      "every other request. Attempts are limited for each address, and answers " +
      "come up to 4 s later after many wrong passwords for the same e-mail.",
    body: json(ref("SignIn"), { user: { email: "admin@example.com", password: "correct horse battery staple" } }),
    answers: {
      200: answer("You are signed in.", json(ref("User")), {
        Authorization: { description: "`Bearer` and the access token.", schema: string() },
      }),
    },
    failures: [401, 429],
  },
  "GET /.well-known/jwks.json": {
    id: "listKeys",
    tag: SIGN_IN_TAG,
    summary: "Public keys",
    description: "The keys that verify access tokens, as a JSON Web Key Set (RFC 7517).",
    answers: { 200: answer("The keys.", json(ref("KeySet"))) },
  },
};
