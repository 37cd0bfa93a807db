import { CredentialsSchema } from "@hourglass/proto/auth/v1/auth_service";
import { ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withDefaults } from "../http/settings.js";
import { ANALYSIS_TYPE, EXPORT_STATUS, INSIGHT_STATUS, OPERATION_STATUS, PLATFORM } from "../json/spelling.js";
import { createEndpoints } from "../routes/index.js";
import { createFakeClients, startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";
import { ROUTE_DOCS } from "./document.js";
import { limitsOf } from "./limits.js";

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

  it("describes every route, and no other", () => {
    const endpoints = createEndpoints({
      clients: createFakeClients({}),
      settings: withDefaults({ bodyBytesMax: 1, rateLimitPerMinute: 0 }),
      readiness: () => Promise.resolve({ ready: true, dependencies: {} }),
      metrics: () => Promise.resolve({ contentType: "", body: "" }),
      isStopping: () => false,
    });
    const served = endpoints.map(({ method, path }) => `${method} ${path}`).sort();
    expect(Object.keys(ROUTE_DOCS).sort()).toEqual(served);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(described.sort()).toEqual(served);
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
    expect(schemas["Platform"]?.["enum"]).toEqual(PLATFORM.names);
    expect(schemas["Insight"]?.properties["status"]?.["enum"]).toEqual(INSIGHT_STATUS.names);
    expect(schemas["Export"]?.properties["status"]?.["enum"]).toEqual(EXPORT_STATUS.names);
  });

  it("states the limits of the interface's decisions, read from the rules in proto/", () => {
    const { schemas, parameters } = document.components;
    const text = schemas["TextOperation"]?.properties;
    expect(text?.["contents"]).toMatchObject({
      minItems: 1,
      maxItems: 1000,
      items: { minLength: 1, maxLength: 20_000 },
    });
    expect(text?.["analyses"]).toMatchObject({ minItems: 1, maxItems: 11, uniqueItems: true });
    const [ids, urls] = schemas["FileOperation"]?.properties["contents"]?.oneOf ?? [];
    expect(ids?.items).toMatchObject({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
    expect(urls?.items).toMatchObject({ maxLength: 2048 });
    const insight = schemas["NewInsight"]?.properties["query"]?.properties;
    expect(insight?.["keywords"]).toMatchObject({ minLength: 1, maxLength: 500 });
    expect(schemas["NewExport"]?.properties["insight_search_ids"]).toMatchObject({ minItems: 1, maxItems: 100 });
    expect(parameters["Limit"]?.schema).toMatchObject({ minimum: 1, maximum: 200, default: 50 });
    expect(parameters["Wait"]?.schema).toMatchObject({ minimum: 0, maximum: 60 });
  });

  it("reads limits from the rules themselves", () => {
    expect(limitsOf(CredentialsSchema, "password")).toEqual({ minLength: 1, maxLength: 1024 });
    expect(limitsOf(ContentSchema, "file_id")).toEqual({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
    expect(() => limitsOf(ContentSchema, "nothing")).toThrow("has no field nothing");
  });

  it("shows a page under a policy that allows nothing from elsewhere", async () => {
    const page = await fetch(`${gateway.url}/docs`);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
    const html = await page.text();
    expect(html).not.toMatch(/<script>|https?:|style=|onload=/);
    for (const [, file] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await fetch(new URL(file ?? "", page.url))).status, file).toBe(200);
    }
    expect((await fetch(`${gateway.url}/docs/package.json`)).status).toBe(404);
  });
});
