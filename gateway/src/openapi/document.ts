import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { ERROR_CODES, readVersion } from "@hourglass/runtime";
import * as z from "zod";
import { bodyOf, USUAL_BYTES_MAX, type Answer, type Content, type Endpoint, type Media } from "../http/route.js";
import { prefixOf } from "../http/entry-parameters.js";
import { UNKNOWN_NAMES } from "../http/unknown-names.js";
import { enumeration, fieldOf, integer, limitsOf, list, object, optional, RECORD_ID, text } from "../routes/schema.js";
import { failureResponses, failuresOf } from "./failures.js";

/** A JSON Schema, or any other part of the document. */
type Json = Record<string, unknown>;

const DESCRIPTION = `Analyzes texts, images, audio and video, and searches social platforms.

1. Sign in. The answer's \`Authorization\` header holds your access token; this page uses it from then on.
2. Create an operation, and read it by its id until it is \`done\`. \`?wait=20\` saves you the polling.
3. Or create an insight, look at its postings, and export them.

Every failure has the same form, and every answer an \`X-Request-Id\` that finds it in the server's log.
${UNKNOWN_NAMES}`;

/** The OpenAPI 3.1 document of the given routes, on a server with these platforms. */
export function buildDocument(endpoints: readonly Endpoint[], platforms: readonly string[]): Json {
  const schemas = new Schemas();
  const parameters: Record<string, Json> = { ...PARAMETERS };
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints.filter(({ isPage }) => isPage !== true)) {
    const path = (paths[endpoint.path.replace(PARAMETER, "{$1}")] ??= {});
    path[endpoint.method.toLowerCase()] = operationOf(endpoint, schemas, parameters);
  }
  schemas.placed(FieldError);
  const failures = failureResponses(schemas.placed(Failure));
  const named = schemas.fill();
  return {
    openapi: "3.1.0",
    info: {
      title: "Hourglass",
      version: readVersion(),
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This server" }],
    security: [{ token: [] }],
    tags: [
      { name: "Signing in", description: "How to get an access token." },
      { name: "Accounts", description: "Your own account, and the users, API keys and audit log of your company." },
      { name: "Operations", description: "Analyses of lists of contents. Product `api`." },
      { name: "Insights", description: "Searches over social platforms. Product `insight`." },
      { name: "Exports", description: "Datasets of analyzed postings. Product `insight`." },
      { name: "System", description: "The server itself." },
    ],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description:
            "The value of the Authorization header that signing in answers with, without the word Bearer; or an API key.",
        },
      },
      parameters,
      headers: HEADERS,
      responses: failures,
      schemas: { ...named, Platform: { ...named["Platform"], enum: platforms } },
    },
  };
}

/** A text of a header. */
function headerText(description: string, keywords: Json = {}): Json {
  return { description, schema: { type: "string", ...keywords } };
}

const ID = { type: "integer", description: "Id of the record.", format: "int64", ...RECORD_ID };
const KEY = limitsOf(fieldOf(CreateOperationRequestSchema, "idempotency_key")).own;

/** Parameters and headers of requests that are no property of a query. */
const PARAMETERS: Readonly<Record<string, Json>> = {
  Id: { name: "id", in: "path", required: true, description: "Id of the record.", schema: ID },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    ...headerText(
      "A text of your choice. The same key with the same request within 24 hours gives the first answer again instead " +
        "of doing it twice, also when the record has been deleted since; with another request it is refused (400).",
      { minLength: 1, ...KEY, pattern: "^[!-~]([ -~]*[!-~])?$" },
    ),
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    ...headerText(
      "ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get.",
    ),
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    ...headerText(
      "The ETag of the record as you read it, or several: the request is refused (412) if somebody has changed the record " +
        "since. What the record counts does not matter, and `*` is every record.",
    ),
  },
  Range: {
    name: "Range",
    in: "header",
    ...headerText("A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag."),
  },
};

/** A parameter in the pattern of a path. */
const PARAMETER = /:([a-z]+)/g;

const PATH_PARAMETERS: Readonly<Record<string, Json>> = {
  id: { $ref: "#/components/parameters/Id" },
  token: { name: "token", in: "path", required: true, ...headerText("The end of the link.") },
  key: { name: "key", in: "path", required: true, ...headerText("`more_info.key` of the posting.") },
};

const HEADERS: Readonly<Record<string, Json>> = {
  ETag: headerText(
    "Changes whenever the body does. Absent from a body of megabytes that is not final yet. Of a record that can be changed, " +
      "the part before the dot changes only with what can be changed, and If-Match compares that part.",
  ),
  RequestId: headerText("Names the request in the server's log; yours, when you sent a sane one.", {
    pattern: "^[A-Za-z0-9._-]{1,128}$",
  }),
  IdempotentReplayed: headerText(
    "`true` if this is the answer to an earlier request with the same Idempotency-Key; absent otherwise.",
    { const: "true" },
  ),
  Location: headerText("Path of the new record.", { format: "uri-reference" }),
  RetryAfter: { description: "Seconds until it is worth asking again.", schema: { type: "integer", minimum: 1 } },
  RateLimit: headerText("What is left of the quota (`r`) and seconds until it is whole again (`t`)."),
  RateLimitPolicy: headerText("The quota (`q`) and its window in seconds (`w`)."),
};

const FieldError = object("FieldError", {
  field: text("Path of the field, such as `contents[3]` or `user.email`."),
  message: text("What is wrong with it."),
  start: optional(
    integer(
      "Where in the text of the field the mistake stands, in UTF-16 code units. Only of texts in the language of keywords.",
      {
        minimum: 0,
      },
    ),
  ),
  end: optional(integer("Where it ends; the same as `start` where something is missing.", { minimum: 0 })),
});

const Failure = object(
  "Failure",
  {
    error: text("One sentence for a person."),
    code: enumeration("ErrorCode", ERROR_CODES, "For machines; docs/errors.md has the cause and the remedy of each."),
    details: optional(list(FieldError, { description: "Every wrong field." })),
    request_id: text("The same as in the header X-Request-Id."),
  },
  "The body of every failure.",
  {
    example: {
      error: "contents[3]: give at least one character.",
      code: "invalid_request",
      details: [{ field: "contents[3]", message: "Give at least one character." }],
      request_id: "4bf2c0a5-6c3e-4b0f-9d3b-2f3f1f6f0a11",
    },
  },
);

/** The document's entry of an endpoint. */
function operationOf(endpoint: Endpoint, schemas: Schemas, shared: Record<string, Json>): Json {
  const { id, tag, summary, description, access, answers, input } = endpoint;
  for (const schema of endpoint.schemas ?? []) schemas.placed(schema);
  const isRead = isTagged(endpoint);
  const parameters = parametersOf(endpoint, schemas, shared);
  const content = contentOf(endpoint);
  const responses = Object.entries(answers).map(
    ([status, answer]) => [status, answerOf(repeatable(answer, input), schemas, isRead && status === "200")] as const,
  );
  const known = {
    304: {
      description: "You have it: If-None-Match names its ETag.",
      headers: headersOf(answers[200]?.headers, isRead),
    },
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(access === "open" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined
      ? {}
      : { requestBody: { required: true, ...sizeOf(endpoint), content: mediaOf(content, schemas) } }),
    responses: { ...Object.fromEntries(responses), ...(isRead ? known : {}), ...failuresOf(endpoint) },
  };
}

/** Of bodies whose size does not depend on the server's settings. */
function sizeOf(endpoint: Endpoint): Json {
  const { bodyBytesMax = USUAL_BYTES_MAX } = endpoint;
  const isFixed = bodyOf(endpoint) === "json" && bodyBytesMax <= USUAL_BYTES_MAX;
  return isFixed ? { description: `At most ${bodyBytesMax} bytes.` } : {};
}

function contentOf({ content, input, example, examples }: Endpoint): Content | undefined {
  if (content !== undefined || input?.body === undefined) return content;
  const given = examples === undefined ? { example } : { examples };
  return { "application/json": { schema: input.body, ...given } };
}

function mediaOf(content: Content, schemas: Schemas): Json {
  const media = ([type, { schema, ...rest }]: [string, Media]) => [type, { schema: schemas.placed(schema), ...rest }];
  return Object.fromEntries(Object.entries(content).map(media)) as Json;
}

/** Whether what is read has an ETag, by which its client can ask whether it is still the same. */
function isTagged({ method, access, answers }: Endpoint): boolean {
  return method === "GET" && (access !== "open" || answers[200]?.headers?.["ETag"] !== undefined);
}

/** An answer that may be given once more to who sends its key again. */
function repeatable(answer: Answer, input: Endpoint["input"]): Answer {
  if (input?.isKeyed !== true) return answer;
  return { ...answer, headers: { ...answer.headers, ...IDEMPOTENT_REPLAYED } };
}

const IDEMPOTENT_REPLAYED = { "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" } };

function headersOf(own: Answer["headers"], hasTag: boolean): Json {
  return {
    "X-Request-Id": { $ref: "#/components/headers/RequestId" },
    ...own,
    ...(hasTag ? { ETag: { $ref: "#/components/headers/ETag" } } : {}),
  };
}

function answerOf({ description, content, headers }: Answer, schemas: Schemas, hasTag: boolean): Json {
  return {
    description,
    headers: headersOf(headers, hasTag),
    ...(content === undefined ? {} : { content: mediaOf(content, schemas) }),
  };
}

function parametersOf(endpoint: Endpoint, schemas: Schemas, shared: Record<string, Json>) {
  const { path, input, headers = [] } = endpoint;
  const ofPath = [...path.matchAll(PARAMETER)].map(([, name = ""]) => PATH_PARAMETERS[name]);
  const ofQuery = Object.entries(input?.query?.shape ?? {}).map(([name, schema]) => {
    const { parameter: id } = z.globalRegistry.get(schema) ?? {};
    if (typeof id !== "string") return schemas.parameter(name, schema);
    shared[id] ??= schemas.parameter(name, schema);
    return { $ref: `#/components/parameters/${id}` };
  });
  const named = [
    ...(input?.isKeyed === true ? ["IdempotencyKey"] : []),
    ...(input?.isConditional === true ? ["IfMatch"] : []),
    ...headers,
    ...(isTagged(endpoint) ? ["IfNoneMatch"] : []),
  ];
  return [...ofPath, ...ofQuery, ...named.map((id) => ({ $ref: `#/components/parameters/${id}` }))];
}

/** The schemas of a document: each gets its place at once, and its JSON when all are known. */
class Schemas {
  private readonly places: { readonly schema: z.core.$ZodType; readonly fill: (json: Json) => void }[] = [];

  /** The place of a schema. */
  placed(schema: z.core.$ZodType): Json {
    const place: Json = {};
    this.places.push({ schema, fill: (json) => Object.assign(place, json) });
    return place;
  }

  /** A parameter of a query string, which takes over what its schema says of it as a whole. */
  parameter(name: string, schema: z.core.$ZodType): Json {
    const parameter: Json = { name, in: "query" };
    const isRequired = schema._zod.optin === undefined;
    const fill = ({ description, example, ...json }: Json) =>
      Object.assign(parameter, {
        ...(description === undefined ? {} : { description }),
        // What stands for many parameters is described as one of them.
        schema: prefixOf(name) === undefined ? json : json["additionalProperties"],
        ...(isRequired ? { required: true } : {}),
        ...(example === undefined ? {} : { example }),
      });
    this.places.push({ schema, fill });
    return parameter;
  }

  /** Fills all places, and returns the schemas with a name. */
  fill(): Record<string, Json> {
    const all = Object.fromEntries(this.places.map(({ schema }, index) => [`${index}`, schema]));
    const { properties = {}, $defs = {} } = z.toJSONSchema(z.object(all), { io: "input", unrepresentable: "any" });
    for (const [index, { fill }] of this.places.entries()) fill(toOpenApi(properties[`${index}`]) as Json);
    return mapped($defs, toOpenApi) as Record<string, Json>;
  }
}

/** Keywords whose values are no schemas. */
const VALUES = new Set(["const", "default", "discriminator", "enum", "example", "examples"]);

/** JSON Schema as generators of clients understand it. */
function toOpenApi(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApi);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, description, type, propertyNames: _, parameter: __, example, ...rest } = schema as Json;
  const ofAll = {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
  if (typeof $ref === "string") return { $ref: `#/components/schemas/${$ref.replace("#/$defs/", "")}`, ...ofAll };
  // They support no list of types, and look for the description of a value that may be null beside the choice.
  if (Array.isArray(type)) return { ...ofAll, ...rest, anyOf: type.map((one: unknown) => ({ type: one })) };
  const json: Json = { ...(type === undefined ? {} : { type }), ...ofAll, ...mapped(rest, keywordToOpenApi) };
  return isNullable(json) ? hoisted(json) : json;
}

function keywordToOpenApi(value: unknown, key: string): unknown {
  if (VALUES.has(key)) return value;
  return key === "properties" ? mapped(value as Json, toOpenApi) : toOpenApi(value);
}

function mapped(values: Json, map: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}

function isNullable({ anyOf }: Json): boolean {
  return Array.isArray(anyOf) && anyOf.length === 2 && (anyOf[1] as Json)["type"] === "null";
}

function hoisted({ anyOf, ...json }: Json): Json {
  const [{ description, ...value }, none] = anyOf as [Json, Json];
  return { ...(description === undefined ? {} : { description }), ...json, anyOf: [value, none] };
}
