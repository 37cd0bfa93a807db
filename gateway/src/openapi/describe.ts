import { MESSAGE_VALUES_MAX } from "@hourglass/runtime";
import { USUAL_BYTES_MAX, type Endpoint } from "../http/route.js";
import { ref, string, type Schema } from "./schema.js";

/** Documentation of a route beyond what the route itself defines. */
export interface RouteDoc {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Schema[];
  /** Content by media type. */
  readonly body?: Schema;
  /** Successful responses, by status. */
  readonly answers: Readonly<Record<string, Schema>>;
  /** Failure statuses that this route adds to those of its kind. */
  readonly failures?: readonly FailureStatus[];
}

type FailureStatus = keyof typeof FAILURES;

const REQUEST_ID = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
const RETRY_AFTER = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
const RATE = {
  RateLimit: { $ref: "#/components/headers/RateLimit" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
};
const CHALLENGE = { "WWW-Authenticate": { description: "How to authenticate.", schema: string() } };

/** All failures, with their meaning and their headers. */
const FAILURES = {
  400: {
    name: "Invalid",
    description: "Something in the request is wrong; `details` names every wrong field.",
    headers: {},
  },
  401: {
    name: "Unauthenticated",
    description:
      "The access token is missing, malformed or forged, or, with the code `token_expired`, was good until its time was over.",
    headers: CHALLENGE,
  },
  403: { name: "Forbidden", description: "The product is not active for your company.", headers: {} },
  404: { name: "NotFound", description: "There is no such record, or it belongs to another company.", headers: {} },
  408: { name: "TooSlow", description: "The body did not arrive in time.", headers: {} },
  409: {
    name: "Conflict",
    description: "The record is in another state; Retry-After says when to look again, if that will change.",
    headers: RETRY_AFTER,
  },
  413: {
    name: "TooLarge",
    description: `The body is too large, or, with the code \`too_many_values\`, has more than ${MESSAGE_VALUES_MAX} values.`,
    headers: {},
  },
  415: { name: "UnsupportedMediaType", description: "The body is of another media type or compressed.", headers: {} },
  416: { name: "RangeNotSatisfiable", description: "The range begins beyond the end of the bytes.", headers: {} },
  429: {
    name: "TooMany",
    description: "Too many requests, or too much waits to be done.",
    headers: { ...RETRY_AFTER, ...RATE },
  },
  500: { name: "Internal", description: "Something unforeseen happened on the server.", headers: {} },
  503: { name: "Unavailable", description: "A service, the store or the queue is unavailable.", headers: RETRY_AFTER },
  504: { name: "Deadline", description: "A service did not answer in time.", headers: RETRY_AFTER },
  507: { name: "StorageFull", description: "There is no room for the file; nothing of it was kept.", headers: {} },
} as const;

/** The responses of all failures, for references. */
export function failureResponses(): Record<string, Schema> {
  const entries = Object.values(FAILURES).map(({ name, description, headers }) => [
    name,
    { description, headers: { ...REQUEST_ID, ...headers }, content: json(ref("Error")) },
  ]);
  return Object.fromEntries(entries) as Record<string, Schema>;
}

/** The document's entry of an endpoint. */
export function operationOf(endpoint: Endpoint, described: RouteDoc): Schema {
  const isRead = endpoint.method === "GET" && endpoint.access !== "open";
  const doc = isRead ? revalidatedDoc(described) : described;
  return {
    operationId: doc.id,
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    ...(endpoint.access === "open" ? { security: [] } : {}),
    ...(doc.parameters === undefined ? {} : { parameters: doc.parameters }),
    ...(doc.body === undefined ? {} : { requestBody: { required: true, ...sizeOf(endpoint), content: doc.body } }),
    responses: { ...doc.answers, ...failuresOf(endpoint, doc) },
  };
}

/** Of bodies whose size does not depend on the server's settings. */
function sizeOf({ body, bodyBytesMax = USUAL_BYTES_MAX }: Endpoint): Schema {
  return body === "json" && bodyBytesMax <= USUAL_BYTES_MAX ? { description: `At most ${bodyBytesMax} bytes.` } : {};
}

/** What is read has an ETag, by which its client can ask whether it is still the same. */
function revalidatedDoc(doc: RouteDoc): RouteDoc {
  const { 200: found, ...others } = doc.answers;
  const headers = { ...(found?.["headers"] as Schema | undefined), ETag: { $ref: "#/components/headers/ETag" } };
  return {
    ...doc,
    parameters: [...(doc.parameters ?? []), parameter("IfNoneMatch")],
    answers: {
      200: { ...found, headers },
      304: { description: "You have it: If-None-Match names its ETag." },
      ...others,
    },
  };
}

function failuresOf(endpoint: Endpoint, doc: RouteDoc): Record<string, Schema> {
  const ofAccess: FailureStatus[] = endpoint.access === "open" ? [] : [401, 403, 429];
  const ofBody: FailureStatus[] = endpoint.body === undefined ? [] : [400, 408, 413, 415];
  const statuses = new Set<FailureStatus>([...ofAccess, ...ofBody, 500, 503, ...(doc.failures ?? [])]);
  return Object.fromEntries(
    [...statuses].map((status) => [status, { $ref: `#/components/responses/${FAILURES[status].name}` }]),
  );
}

/** Describes the routes of a table of places: each by the id that the table gives it. */
export function describePlaces<K extends string>(
  places: Readonly<Record<K, Pick<Endpoint, "method" | "path">>>,
  docs: Readonly<Record<K, Omit<RouteDoc, "id">>>,
): Readonly<Record<string, RouteDoc>> {
  const described = Object.entries<Pick<Endpoint, "method" | "path">>(places).map(
    ([id, { method, path }]) => [`${method} ${path}`, { ...docs[id as K], id }] as const,
  );
  return Object.fromEntries(described);
}

/** Content that is JSON. */
export function json(schema: Schema, example?: unknown): Schema {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

/** Content that is JSON, with several examples, each by a name and with a summary. */
export function jsonWith(schema: Schema, examples: Readonly<Record<string, Schema>>): Schema {
  return { "application/json": { schema, examples } };
}

/** A successful response. */
export function answer(description: string, content?: Schema, headers: Schema = {}): Schema {
  return { description, headers: { ...REQUEST_ID, ...headers }, ...(content === undefined ? {} : { content }) };
}

/** A response with the location of the new record. */
export function created(description: string, content: Schema): Schema {
  return answer(description, content, { Location: { $ref: "#/components/headers/Location" } });
}

/** Refers to a parameter of the document. */
export function parameter(name: string): Schema {
  return { $ref: `#/components/parameters/${name}` };
}

/** A parameter of a query string. */
export function query(name: string, description: string, schema: Schema, more: Schema = {}): Schema {
  return { name, in: "query", description, schema, ...more };
}

/** Paths as OpenAPI writes them: `:id` becomes `{id}`. */
export function toTemplate(path: string): string {
  return path.replace(/:([a-z]+)/g, "{$1}");
}

/** What is particular to a route of a kind of record. */
type Head = Pick<RouteDoc, "tag" | "summary" | "description" | "parameters"> & { readonly id?: string };

/** The description of the route; it has an id if the head has one. */
type Described<H extends Head> = H & Omit<RouteDoc, "id">;

/** A page of the records; `content` is the answer's. */
export function listRoute<H extends Head>(head: H, content: Schema): Described<H> {
  return {
    description: "Newest first.",
    ...head,
    parameters: [parameter("Limit"), parameter("Cursor"), ...(head.parameters ?? [])],
    answers: { 200: answer("A page.", content) },
    failures: [400],
  };
}

/** A record by its id. */
export function readRoute<H extends Head>(head: H, description: string, content: Schema): Described<H> {
  return { ...head, parameters: [parameter("Id")], answers: { 200: answer(description, content) }, failures: [404] };
}

/** A record by its id that takes time to reach its end, which the caller can wait for. */
export function waitRoute<H extends Head>(head: H, description: string, content: Schema): Described<H> {
  return {
    ...head,
    parameters: [parameter("Id"), parameter("Wait")],
    answers: { 200: answer(description, content, RETRY_AFTER) },
    failures: [400, 404, 504],
  };
}

/** Deletes a record by its id. */
export function deleteRoute<H extends Head>(head: H, failures: NonNullable<RouteDoc["failures"]> = []): Described<H> {
  return {
    ...head,
    parameters: [parameter("Id")],
    answers: { 204: answer("It is gone.") },
    failures: [...failures, 404],
  };
}
