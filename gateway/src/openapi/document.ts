import {
  CreateOperationRequestSchema,
  GetOperationRequestSchema,
  ListOperationsRequestSchema,
} from "@hourglass/proto/operation/v1/operation_service";
import { PAGE_LIMIT_DEFAULT } from "@hourglass/runtime";
import type { Endpoint } from "../http/route.js";
import { failureResponses, operationOf, query, toTemplate, type RouteDoc } from "./describe.js";
import { EXPORT_ROUTES, EXPORT_SCHEMAS } from "./export-docs.js";
import { FILE_ROUTES, FILE_SCHEMAS } from "./file-docs.js";
import { INSIGHT_ROUTES, INSIGHT_SCHEMAS } from "./insight-docs.js";
import {
  CONTENT_SCHEMAS,
  LABEL_SCHEMAS,
  OPERATION_ROUTES,
  OPERATION_SCHEMAS,
  RESULT_SCHEMAS,
} from "./operation-docs.js";
import { POSTING_ROUTES, postingSchemas } from "./posting-docs.js";
import { array, integer, limitsOf, object, recordId, ref, string, type Schema } from "./schema.js";
import { SUMMARY_SCHEMAS } from "./summary-docs.js";
import { SYSTEM_ROUTES, SYSTEM_SCHEMAS, USER_ROUTES, USER_SCHEMAS } from "./system-docs.js";

/** Descriptions of all routes, by method and path. */
export const ROUTE_DOCS: Readonly<Record<string, RouteDoc>> = {
  ...USER_ROUTES,
  ...OPERATION_ROUTES,
  ...FILE_ROUTES,
  ...INSIGHT_ROUTES,
  ...POSTING_ROUTES,
  ...EXPORT_ROUTES,
  ...SYSTEM_ROUTES,
};

const DESCRIPTION = `Analyses texts, images, audio and video, and searches social platforms.

1. Sign in. The answer's \`Authorization\` header holds your access token; this page takes it over by itself.
2. Create an operation, and read it by its id until it is \`done\`. \`?wait=20\` saves you the polling.
3. Or create an insight, look at its postings, and export them.

Every failure has the same form, and every answer an \`X-Request-Id\` that finds it in the server's log.`;

/**
 * The OpenAPI 3.1 document of the given routes, on a server with these platforms. Fails if a route is not described.
 */
export function buildDocument(endpoints: readonly Endpoint[], platforms: readonly string[]): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const doc = ROUTE_DOCS[name];
    if (doc === undefined) throw new Error(`openapi/ says nothing of ${name}`);
    const path = (paths[toTemplate(endpoint.path)] ??= {});
    path[endpoint.method.toLowerCase()] = operationOf(endpoint, doc);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hourglass",
      version: "2.0.0",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This server" }],
    security: [{ token: [] }],
    tags: [
      { name: "Signing in", description: "How to get an access token." },
      { name: "Operations", description: "Analyses of lists of contents. Product `api`." },
      { name: "Insights", description: "Searches over social platforms. Product `insight`." },
      { name: "Exports", description: "Datasets of analyzed postings. Product `insight`." },
      { name: "System", description: "The server itself." },
    ],
    paths,
    components: components({
      ...USER_SCHEMAS,
      ...OPERATION_SCHEMAS,
      ...FILE_SCHEMAS,
      ...CONTENT_SCHEMAS,
      ...LABEL_SCHEMAS,
      ...RESULT_SCHEMAS,
      ...INSIGHT_SCHEMAS,
      ...SUMMARY_SCHEMAS,
      ...postingSchemas(platforms),
      ...EXPORT_SCHEMAS,
      ...SYSTEM_SCHEMAS,
    }),
  };
}

/** Parameters shared by several routes. */
const PARAMETERS: Readonly<Record<string, Schema>> = {
  Id: {
    name: "id",
    in: "path",
    required: true,
    description: "Id of the record.",
    schema: recordId("Id of the record."),
  },
  Limit: query("limit", "How many entries at most.", {
    ...integer(undefined, limitsOf(ListOperationsRequestSchema, "limit")),
    default: PAGE_LIMIT_DEFAULT,
  }),
  Cursor: query(
    "cursor",
    "`next_cursor` of the page before; absent for the first page. No other text is one (400).",
    string(undefined, limitsOf(ListOperationsRequestSchema, "cursor")),
  ),
  Wait: query(
    "wait",
    "Holds the answer until the record has reached its end, or so many seconds have passed.",
    integer(undefined, { minimum: 0, ...limitsOf(GetOperationRequestSchema, "wait") }),
  ),
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A text of your choice. The same key with the same request within 24 hours gives the first answer again instead " +
      "of doing it twice, also when the record has been deleted since; with another request it is refused (400).",
    schema: string(undefined, {
      minLength: 1,
      ...limitsOf(CreateOperationRequestSchema, "idempotency_key"),
      pattern: "^[!-~]([ -~]*[!-~])?$",
    }),
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get.",
    schema: string(),
  },
};

const HEADERS: Readonly<Record<string, Schema>> = {
  ETag: {
    description: "Changes whenever the body does. Absent from a body of megabytes that is not final yet.",
    schema: string(),
  },
  RequestId: {
    description: "Names the request in the server's log; yours, when you sent a sane one.",
    schema: string(undefined, { pattern: "^[A-Za-z0-9._-]{1,128}$" }),
  },
  Location: { description: "Path of the new record.", schema: string(undefined, { format: "uri-reference" }) },
  RetryAfter: { description: "Seconds until it is worth asking again.", schema: integer(undefined, { minimum: 1 }) },
  RateLimit: {
    description: "What is left of the quota (`r`) and seconds until it is whole again (`t`).",
    schema: string(),
  },
  RateLimitPolicy: { description: "The quota (`q`) and its window in seconds (`w`).", schema: string() },
};

const ERROR = object(
  {
    error: string("One sentence for a person."),
    code: string("For machines; stable.", { pattern: "^[a-z0-9_]+$" }),
    details: array(ref("FieldError"), { description: "Every wrong field." }),
    request_id: string("The same as in the header X-Request-Id."),
  },
  {
    optional: ["details"],
    description: "The body of every failure.",
    example: {
      error: "Correct contents[3]: Give at least one character.",
      code: "invalid_request",
      details: [{ field: "contents[3]", message: "Give at least one character." }],
      request_id: "4bf2c0a5-6c3e-4b0f-9d3b-2f3f1f6f0a11",
    },
  },
);

const FIELD_ERROR = object({
  field: string("Path of the field, such as `contents[3]` or `user.email`."),
  message: string("What is wrong with it."),
});

/** The components that the routes refer to, besides their own schemas. */
function components(schemas: Readonly<Record<string, Schema>>): Schema {
  return {
    securitySchemes: {
      token: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "The value of the Authorization header that signing in answers with, without the word Bearer.",
      },
    },
    parameters: PARAMETERS,
    headers: HEADERS,
    responses: failureResponses(),
    schemas: { Error: ERROR, FieldError: FIELD_ERROR, ...schemas },
  };
}
