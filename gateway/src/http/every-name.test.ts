import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { callersOf } from "@hourglass/runtime";
import type * as z from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withDefaults } from "../config.js";
import { createEndpoints } from "../gateway.js";
import { Console } from "../routes/console.js";
import { isClosed } from "../routes/schema.js";
import { publishedMethods, publishedServices } from "../services.js";
import { createFakeClients, GatewayClient } from "../testing/gateway-under-test.js";
import { ResponseCache } from "./response-cache.js";
import type { Endpoint } from "./route.js";

/** A name that nothing has, and that is near no other. */
const MADE_UP = "zqzqzq";

const api = new GatewayClient();

beforeAll(async () => {
  const readAll = async (messages: AsyncIterable<unknown>) => {
    for await (const _ of messages);
    return {};
  };
  // They say what else is wrong with a request.
  const insight = {
    checkInsight: () => Promise.resolve({}),
    listPostings: () => Promise.resolve({}),
    importPostings: readAll,
    validatePostings: readAll,
  };
  await api.start(
    { insight, media: { uploadFile: readAll } },
    { metrics: () => Promise.resolve({ contentType: "text/plain", body: "" }) },
  );
});
afterAll(() => api.stop());

const clients = createFakeClients({});
const ENDPOINTS = createEndpoints({
  clients,
  settings: withDefaults({ bodyBytesMax: 1_000_000, rateLimitPerMinute: 0 }),
  readiness: () => Promise.resolve({ ready: true, dependencies: {} }),
  metrics: () => Promise.resolve({ contentType: "", body: "" }),
  cache: new ResponseCache(),
  web: new Console(),
  isStopping: () => false,
}).filter(({ path }) => path.startsWith("/api/"));

function addressOf({ path }: Endpoint): string {
  return path.replace(":id", "1").replaceAll(/:[a-z]+/g, "x");
}

async function wrongFields(response: Response): Promise<string[]> {
  const { details = [] } = (await response.json()) as { details?: { field: string }[] };
  return response.status === 400 ? details.map(({ field }) => field) : [`status ${response.status}`];
}

function send(endpoint: Endpoint, search: string, body?: unknown): Promise<Response> {
  return fetch(`${api.url}${addressOf(endpoint)}${search}`, {
    method: endpoint.method,
    headers: { authorization: "Bearer good", "content-type": endpoint.types?.[0] ?? "application/json" },
    ...(endpoint.method === "GET" ? {} : { body: typeof body === "string" ? body : JSON.stringify(body ?? {}) }),
  });
}

function inner(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "optional" || def.type === "nullable" ? inner(def.innerType) : (schema as z.core.$ZodTypes);
}

interface Place {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodObject;
}

/** The objects with names in a body. */
function placesOf(schema: z.core.$ZodType, path: readonly string[] = []): Place[] {
  const { _zod } = inner(schema);
  if (_zod.def.type === "union") return placesOf(_zod.def.options[0]!, path);
  if (_zod.def.type !== "object") return [];
  const here = inner(schema) as z.core.$ZodObject;
  const inside = Object.entries(_zod.def.shape).flatMap(([name, part]) => placesOf(part, [...path, name]));
  return [{ path, schema: here }, ...inside];
}

const BODIES = ENDPOINTS.filter(({ body, input }) => input?.body !== undefined && body === undefined);
const PLACES = BODIES.flatMap((endpoint) =>
  (endpoint.input?.body === undefined ? [] : placesOf(endpoint.input.body)).map((place) => ({ endpoint, ...place })),
);

function at(path: readonly string[], name: string): unknown {
  return path.reduceRight<unknown>((value, step) => ({ [step]: value }), { [name]: "1" });
}

describe("over REST", () => {
  it.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))(
    "%s refuses a parameter that it does not know",
    async (_id, endpoint) => {
      if (endpoint.body === "multipart") return;
      expect(await wrongFields(await send(endpoint, `?${MADE_UP}=1`))).toContain(MADE_UP);
    },
  );

  const single = ENDPOINTS.flatMap((endpoint) =>
    Object.entries(endpoint.input?.query?.shape ?? {})
      .filter(([, schema]) => inner(schema)._zod.def.type !== "array")
      .map(([name]) => [endpoint.id, name, endpoint] as const),
  );
  it.each(single)("%s refuses %s given twice", async (_id, name, endpoint) => {
    expect(await wrongFields(await send(endpoint, `?${name}=1&${name}=2`))).toContain(name);
  });

  const closed = PLACES.filter(({ schema }) => isClosed(schema));
  it.each(closed.map(({ endpoint, path }) => [endpoint.id, path.join(".") || "the body", endpoint, path] as const))(
    "%s refuses a field that %s does not have",
    async (_id, _place, endpoint, path) => {
      expect(await wrongFields(await send(endpoint, "", at(path, MADE_UP)))).toContain([...path, MADE_UP].join("."));
    },
  );

  const misplaced = PLACES.flatMap(({ endpoint, path, schema }) =>
    PLACES.filter((other) => other.endpoint === endpoint && other.schema !== schema)
      .flatMap((other) => Object.keys(other.schema._zod.def.shape))
      .filter((name) => !Object.hasOwn(schema._zod.def.shape, name))
      .map((name) => [endpoint.id, [...path, name].join("."), endpoint, at(path, name)] as const),
  );
  it.each(misplaced)("%s refuses %s, which belongs elsewhere", async (_id, field, endpoint, body) => {
    expect(await wrongFields(await send(endpoint, "", body))).toContain(field);
  });

  const misspelled = PLACES.flatMap(({ endpoint, path, schema }) =>
    Object.entries(schema._zod.def.shape)
      .filter(([, property]) => property._zod.optin === "optional")
      .flatMap(([name]) => [`${name}x`, name.replace(/_/g, "").replace(/^./, (letter) => letter.toUpperCase())])
      .filter((name) => !Object.hasOwn(schema._zod.def.shape, name))
      .map((name) => [endpoint.id, [...path, name].join("."), endpoint, at(path, name)] as const),
  );
  it.each(misspelled)("%s refuses %s, which looks like an optional field", async (_id, field, endpoint, body) => {
    expect(await wrongFields(await send(endpoint, "", body))).toContain(field);
  });

  it("opens only the bodies of the interface to other fields", () => {
    const open = PLACES.filter(({ schema }) => !isClosed(schema)).map(({ endpoint }) => endpoint.id);
    expect([...new Set(open)].sort()).toEqual([
      "checkInsight",
      "createExport",
      "createExportByOtherPath",
      "createInsight",
      "createOperation",
      "signIn",
    ]);
  });
});

/** Paths of the messages in a request, with what leads to the innermost one around `leaf`. */
function messagesIn(desc: DescMessage, depth = 0): { path: string; wrap: (leaf: unknown) => unknown }[] {
  const inside = desc.fields.flatMap((field) => {
    const { message } = field;
    if (message === undefined || message.typeName.startsWith("google.") || depth > 4) return [];
    return messagesIn(message, depth + 1).map(({ path, wrap }) => ({
      path: `${stepInto(field)}.${path}`,
      wrap: (leaf: unknown) => ({ [field.jsonName]: wrapped(field, wrap(leaf)) }),
    }));
  });
  return [{ path: "", wrap: (leaf) => leaf }, ...inside];
}

function stepInto({ fieldKind, name }: DescField): string {
  if (fieldKind === "list") return `${name}[0]`;
  return fieldKind === "map" ? `${name}["k"]` : name;
}

function wrapped({ fieldKind }: DescField, value: unknown): unknown {
  if (fieldKind === "list") return [value];
  return fieldKind === "map" ? { k: value } : value;
}

describe("over Connect and gRPC-web", () => {
  const methods = publishedServices(clients)
    .flatMap(({ service }) => publishedMethods(service))
    .filter((method) => callersOf(method, "good") === "users");

  async function answerTo(method: DescMethod, message: unknown, isWeb: boolean): Promise<string> {
    const { parent, name, methodKind } = method;
    const isStream = methodKind !== "unary";
    const type = isWeb ? "application/grpc-web+json" : isStream ? "application/connect+json" : "application/json";
    const json = Buffer.from(JSON.stringify(message));
    const head = Buffer.from([0, 0, 0, json.length >> 8, json.length & 255]);
    const body = isWeb || isStream ? Buffer.concat([head, json]) : json;
    const path = `/${parent.typeName}/${name}`;
    const headers = { "content-type": type };
    const { body: answer, headers: given } = await api.raw(path, headers, "POST", body);
    return `${String(given["grpc-status"])} ${decodeURIComponent(String(given["grpc-message"]))} ${answer.toString()}`;
  }

  it.each(methods.map((method) => [`${method.parent.name}.${method.name}`, method] as const))(
    "%s refuses a field that it does not know, in every part of a request",
    async (_name, method) => {
      for (const { path, wrap } of messagesIn(method.input)) {
        const message = wrap({ [MADE_UP]: 1 });
        const said = await answerTo(method, message, false);
        expect(said, path).toContain("invalid_argument");
        expect(said, path).toContain(`${path}${MADE_UP}`.replaceAll('"', '\\"'));
        const byWeb = await answerTo(method, message, true);
        expect(byWeb, path).toMatch(/(^|grpc-status: ?)3/);
      }
    },
  );
});
