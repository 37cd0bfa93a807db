import { platformNames } from "@hourglass/posting";
import { CredentialsSchema } from "@hourglass/proto/auth/v1/auth_service";
import { ExportStatusSchema } from "@hourglass/proto/export/v1/export";
import { InsightStatusSchema } from "@hourglass/proto/insight/v1/insight";
import { ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { Spelling } from "@hourglass/runtime/json";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withDefaults } from "../config.js";
import { createEndpoints } from "../gateway.js";
import { Console } from "../routes/console.js";
import { ResponseCache } from "../http/response-cache.js";
import { ANALYSIS_TYPE } from "../routes/analyses.js";
import { OPERATION_STATUS } from "../routes/operation-json.js";
import { fieldOf, limitsOf } from "../routes/schema.js";
import { createFakeClients, startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";

interface Schema {
  [keyword: string]: unknown;
  properties: Record<string, Schema>;
  items: Schema;
  oneOf: Schema[];
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { schema: Schema }> };
}

/** All objects in a part of the document: its schemas and their containers. */
function schemasIn(part: unknown): Record<string, unknown>[] {
  if (typeof part !== "object" || part === null) return [];
  const inside = Object.entries(part).flatMap(([key, value]) => (NO_SCHEMAS.has(key) ? [] : schemasIn(value)));
  return Array.isArray(part) ? inside : [part as Record<string, unknown>, ...inside];
}

const NO_SCHEMAS = new Set(["example", "examples", "mapping"]);

describe("the OpenAPI document", () => {
  let gateway: GatewayUnderTest;
  let document: Document;

  beforeAll(async () => {
    gateway = await startGateway({}, { metrics: () => Promise.resolve({ contentType: "text/plain", body: "" }) });
    document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
  });
  afterAll(() => gateway.stop());

  it("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it("describes every route but the pages of browsers, and no other", () => {
    const endpoints = createEndpoints({
      clients: createFakeClients({}),
      settings: withDefaults({ bodyBytesMax: 1, rateLimitPerMinute: 0 }),
      readiness: () => Promise.resolve({ ready: true, dependencies: {} }),
      metrics: () => Promise.resolve({ contentType: "", body: "" }),
      cache: new ResponseCache(),
      web: new Console(),
      isStopping: () => false,
    });
    const served = endpoints.filter(({ isPage }) => isPage !== true).map(({ method, path }) => `${method} ${path}`);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(described.sort()).toEqual(served.sort());
    expect(described).not.toContain("GET /");
    expect(described).not.toContain("GET /docs/api");
  });

  it("names every object, enumeration and union, so that generated clients have a type for each", () => {
    const { paths, components } = document;
    const named = Object.values(components.schemas).flatMap((schema) => Object.values(schema));
    const nameless = [...schemasIn(paths), ...schemasIn({ ...components, schemas: [] }), ...schemasIn(named)].filter(
      (schema) => "properties" in schema || "additionalProperties" in schema || "enum" in schema || "oneOf" in schema,
    );
    expect(nameless).toEqual([]);
  });

  it("gives each schema one type, and no property a default, at which generators of clients stumble", () => {
    const all = schemasIn(document.components.schemas);
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter((schema) => Array.isArray(schema["type"]) || "default" in schema)).toEqual([]);
  });

  it("tells the results of each analysis type apart by their type", () => {
    const { schemas } = document.components;
    const { oneOf, discriminator } = schemas["Analysis"] as unknown as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe("type");
    expect(Object.keys(discriminator.mapping)).toEqual(ANALYSIS_TYPE.names);
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
    for (const [type, reference] of Object.entries(discriminator.mapping)) {
      const schema = schemas[reference.replace("#/components/schemas/", "")];
      expect(schema?.properties["type"], type).toEqual({ type: "string", const: type });
      expect(schema?.["required"], type).toContain("type");
    }
  });

  it("says of an upload that the file is binary", () => {
    expect(document.components.schemas["NewFile"]?.properties["file"]).toMatchObject({
      type: "string",
      format: "binary",
    });
  });

  it("names every operation once", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((entry) => entry.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("spells enumerations as the routes do", () => {
    const { schemas } = document.components;
    expect(schemas["AnalysisType"]?.["enum"]).toEqual(ANALYSIS_TYPE.names);
    expect(schemas["OperationStatus"]?.["enum"]).toEqual(OPERATION_STATUS.names);
    expect(schemas["Platform"]?.["enum"]).toEqual(platformNames());
    expect(schemas["InsightStatus"]?.["enum"]).toEqual(new Spelling(InsightStatusSchema).names);
    expect(schemas["ExportStatus"]?.["enum"]).toEqual(new Spelling(ExportStatusSchema).names);
  });

  it("states the limits of requests, read from the rules in proto/", () => {
    const { schemas, parameters } = document.components;
    const text = schemas["TextOperation"]?.properties;
    expect(text?.["contents"]).toMatchObject({
      minItems: 1,
      maxItems: 1000,
      items: { minLength: 1, maxLength: 20_000 },
    });
    expect(text?.["analyses"]).toMatchObject({ minItems: 1, maxItems: 11, uniqueItems: true });
    expect(schemas["FileIds"]?.items).toMatchObject({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
    expect(schemas["FileUrls"]?.items).toMatchObject({ maxLength: 2048 });
    const insight = schemas["NewInsightQuery"]?.properties;
    expect(insight?.["keywords"]).toMatchObject({ minLength: 1, maxLength: 500 });
    expect(schemas["NewExport"]?.properties["insight_search_ids"]).toMatchObject({ minItems: 1, maxItems: 100 });
    expect(parameters["Limit"]?.schema).toMatchObject({ minimum: 1, maximum: 200, default: 50 });
    expect(parameters["Wait"]?.schema).toMatchObject({ minimum: 0, maximum: 60 });
  });

  it("reads limits from the rules themselves", () => {
    expect(limitsOf(fieldOf(CredentialsSchema, "password")).own).toEqual({ minLength: 1, maxLength: 1024 });
    const id = limitsOf(fieldOf(ContentSchema, "file_id"));
    expect(id.own).toEqual({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
    expect(() => fieldOf(ContentSchema, "nothing")).toThrow("has no field nothing");
  });

  it("shows a page under a policy that allows nothing from elsewhere", async () => {
    const page = await fetch(`${gateway.url}/docs/api`);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
    const html = await page.text();
    expect(html).not.toMatch(/<script>|https?:|style=|onload=/);
    for (const [, file] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await fetch(new URL(file ?? "", page.url))).status, file).toBe(200);
    }
    expect((await fetch(`${gateway.url}/docs/api/package.json`)).status).toBe(404);
  });
});
