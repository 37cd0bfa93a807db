import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { AppError } from "@hourglass/runtime";
import * as z from "zod";
import { PAGE_HEADERS } from "../http/headers.js";
import { etagOf, type Reply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import { buildDocument } from "../openapi/document.js";
import { json, textOf } from "./answers.js";

/** Compiled from `reference-page`; the path is valid from `dist/routes` and, in tests, from `src/routes`. */
const SCRIPT = new URL("../../dist/reference-page/reference-page.js", import.meta.url);
const SWAGGER_UI = createRequire(import.meta.url);

interface Asset {
  readonly location: string | URL;
  readonly contentType: string;
}

function asset(name: string, contentType: string): readonly [string, Asset] {
  return [name, { location: SWAGGER_UI.resolve(`swagger-ui-dist/${name}`), contentType }];
}

/** No other files of that package are served. */
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  asset("swagger-ui.css", "text/css; charset=utf-8"),
  asset("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
  asset("favicon-32x32.png", "image/png"),
  ["reference.js", { location: SCRIPT, contentType: "text/javascript; charset=utf-8" }],
]);

/** The OpenAPI document of `routes` and of these routes, and a page to try them. */
export function referenceRoutes(routes: readonly Endpoint[], platforms: readonly string[]): Endpoint[] {
  const base = { tag: "System", access: "open" } as const;
  let document: Reply | undefined;
  const own: Endpoint[] = [
    route("GET /openapi.json", "getDocument", "This document", {
      ...base,
      answers: {
        200: {
          description: "OpenAPI 3.1.",
          content: json(z.unknown().meta({ type: "object" })),
          headers: { ETag: { $ref: "#/components/headers/ETag" } },
        },
      },
      handle: () => (document ??= keptReply(JSON.stringify(buildDocument([...routes, ...own], platforms)))),
    }),
    route("GET /docs/api", "getReference", "A page to try the routes", {
      ...base,
      isPage: true,
      answers: { 200: { description: "The page.", content: textOf("text/html") } },
      handle: () => page(PAGE, "text/html; charset=utf-8"),
    }),
    route("GET /docs/api/:asset", "getReferenceAsset", "A file of that page", {
      ...base,
      isPage: true,
      answers: {
        200: {
          description: "The file.",
          content: { ...textOf("text/css"), ...textOf("text/javascript"), ...textOf("image/png") },
        },
      },
      failures: [404],
      handle: async (context) => {
        const found = ASSETS.get(context.pathAsset);
        if (found === undefined) {
          throw new AppError("not-found", "There is no such file. The page at /docs/api names those that there are.");
        }
        return page(await readFile(found.location), found.contentType);
      },
    }),
  ];
  return own;
}

function keptReply(body: string): Reply {
  return { status: 200, body, etag: etagOf(body), isKept: true };
}

function page(body: string | Buffer, contentType: string): Reply {
  const headers = ["Cache-Control", "public, max-age=600"];
  return { status: 200, body, contentType, headers, baseHeaders: PAGE_HEADERS };
}

/** The page at `/docs/api`: Swagger UI on `/openapi.json`. Paths are relative, so that it works behind a path prefix. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Hourglass: try it</title>
    <link rel="stylesheet" href="api/swagger-ui.css" />
    <link rel="icon" type="image/png" href="api/favicon-32x32.png" />
  </head>
  <body>
    <nav class="swagger-ui" aria-label="Hourglass">
      <div class="wrapper renderedMarkdown">
        <p><a href="./">Documentation</a> · <a href="../">Console</a></p>
      </div>
    </nav>
    <div id="page"></div>
    <noscript
      >This page needs JavaScript. The document it shows is at <a href="../openapi.json">openapi.json</a>.</noscript
    >
    <script src="api/swagger-ui-bundle.js"></script>
    <script type="module" src="api/reference.js"></script>
  </body>
</html>
`;
