import { MESSAGE_VALUES_MAX } from "@hourglass/runtime";
import { bodyOf, type Endpoint } from "../http/route.js";

type Json = Record<string, unknown>;

const REQUEST_ID = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
const RETRY_AFTER = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
const RATE = {
  RateLimit: { $ref: "#/components/headers/RateLimit" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
};
const RANGE = { "Content-Range": { description: "How many bytes there are.", schema: { type: "string" } } };
const CHALLENGE = { "WWW-Authenticate": { description: "How to authenticate.", schema: { type: "string" } } };

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
      "The access token or API key is missing, malformed, forged or ended, or, with the code `token_expired` or " +
      "`key_expired`, was good until its time was over.",
    headers: CHALLENGE,
  },
  403: {
    name: "Forbidden",
    description:
      "The product is not active for your company, or your role or API key does not allow this; `error` says what is missing.",
    headers: {},
  },
  404: { name: "NotFound", description: "There is no such record, or it belongs to another company.", headers: {} },
  408: { name: "TooSlow", description: "The body did not arrive in time.", headers: {} },
  409: {
    name: "Conflict",
    description: "The record is in another state; Retry-After says when to look again, if that will change.",
    headers: RETRY_AFTER,
  },
  412: { name: "PreconditionFailed", description: "The record has another tag than `If-Match` names.", headers: {} },
  413: {
    name: "TooLarge",
    description: `The body is too large, or, with the code \`too_many_values\`, has more than ${MESSAGE_VALUES_MAX} values.`,
    headers: {},
  },
  415: { name: "UnsupportedMediaType", description: "The body is of another media type or compressed.", headers: {} },
  416: { name: "RangeNotSatisfiable", description: "The range begins beyond the end of the bytes.", headers: RANGE },
  429: {
    name: "TooMany",
    description: "Too many requests, or too much waits to be done.",
    headers: { ...RETRY_AFTER, ...RATE },
  },
  431: { name: "HeadersTooLarge", description: "The headers are too large: over 16 KiB.", headers: {} },
  500: { name: "Internal", description: "Something unforeseen happened on the server.", headers: {} },
  503: { name: "Unavailable", description: "A service, the store or the queue is unavailable.", headers: RETRY_AFTER },
  504: { name: "Deadline", description: "A service did not answer in time.", headers: RETRY_AFTER },
  507: { name: "StorageFull", description: "There is no room for the file; nothing of it was kept.", headers: {} },
} as const;

/** The responses of all failures, for references; the body of each is of a schema. */
export function failureResponses(schema: Json): Record<string, Json> {
  const entries = Object.values(FAILURES).map(({ name, description, headers }) => [
    name,
    { description, headers: { ...REQUEST_ID, ...headers }, content: { "application/json": { schema } } },
  ]);
  return Object.fromEntries(entries) as Record<string, Json>;
}

/** The failures of an endpoint by their statuses. */
export function failuresOf(endpoint: Endpoint): Record<string, Json> {
  const { access, failures = [], input } = endpoint;
  const ofAccess = access === "open" ? [] : [401, 403, 429];
  const ofBody = bodyOf(endpoint) === undefined ? [] : [408, 413, 415];
  // A query parameter that the route does not know is wrong, too.
  const ofMatch = input?.isConditional === true ? [412] : [];
  const statuses = new Set([400, ...ofAccess, ...ofMatch, ...ofBody, 431, 500, 503, ...failures]);
  const named = Object.entries(FAILURES).filter(([status]) => statuses.has(Number(status)));
  return Object.fromEntries(named.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]));
}
