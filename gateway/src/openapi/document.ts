import type { Endpoint } from "../http/routing/endpoint.js";
import { components } from "./components.js";
import { CONTENT_SCHEMAS } from "./operations/contents.js";
import { EXPORT_ROUTES, EXPORT_SCHEMAS } from "./exports.js";
import { FILE_ROUTES, FILE_SCHEMAS } from "./operations/files.js";
import { INSIGHT_SCHEMAS } from "./insights/insight-schemas.js";
import { SUMMARY_SCHEMAS } from "./insights/summary-schemas.js";
import { INSIGHT_ROUTES } from "./insights/insights.js";
import { LABEL_SCHEMAS } from "./operations/analyses.js";
import { OPERATION_ROUTES, OPERATION_SCHEMAS } from "./operations/operations.js";
import { POSTING_ROUTES } from "./insights/posting-routes.js";
import { postingSchemas } from "./insights/postings.js";
import { RESULT_SCHEMAS } from "./operations/results.js";
import { operationOf, toTemplate, type RouteDoc } from "./route.js";
import type { Schema } from "./schema.js";
import { SYSTEM_ROUTES, SYSTEM_SCHEMAS } from "./system.js";
import { USER_ROUTES, USER_SCHEMAS } from "./users.js";

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
      { name: "Exports", description: "Datasets of analysed postings. Product `insight`." },
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
