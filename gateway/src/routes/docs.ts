import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { AppError } from "@hourglass/runtime";
import type { Endpoint } from "../http/endpoint.js";
import { PAGE_HEADERS } from "../http/headers.js";
import type { Reply } from "../http/reply.js";
import { buildDocument } from "../openapi/document.js";

/** From `dist/routes` and from `src/routes` alike. */
const OWN_FILES = new URL("../../src/console/", import.meta.url);
const SWAGGER_UI = createRequire(import.meta.url);

interface Asset {
  readonly location: string | URL;
  readonly contentType: string;
}

function asset(name: string, contentType: string): readonly [string, Asset] {
  return [name, { location: SWAGGER_UI.resolve(`swagger-ui-dist/${name}`), contentType }];
}

const PAGE: Asset = { location: new URL("docs.html", OWN_FILES), contentType: "text/html; charset=utf-8" };

/** Nothing else of that package is served. */
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  asset("swagger-ui.css", "text/css; charset=utf-8"),
  asset("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
  asset("favicon-32x32.png", "image/png"),
  ["docs.js", { location: new URL("docs.js", OWN_FILES), contentType: "text/javascript; charset=utf-8" }],
]);

/** The OpenAPI document of `routes` and itself, and a page to try them. */
export function docsRoutes(routes: readonly Endpoint[]): Endpoint[] {
  let document: string | undefined;
  const own: Endpoint[] = [
    {
      method: "GET",
      path: "/openapi.json",
      access: "open",
      handle: () => ({ status: 200, body: (document ??= JSON.stringify(buildDocument([...routes, ...own]))) }),
    },
    // Whoever opens the address that the server prints is led on.
    { method: "GET", path: "/", access: "open", handle: () => ({ status: 302, headers: ["Location", "/docs"] }) },
    { method: "GET", path: "/docs", access: "open", handle: () => page(PAGE) },
    {
      method: "GET",
      path: "/docs/:asset",
      access: "open",
      handle: (call) => {
        const found = ASSETS.get(call.pathAsset);
        if (found === undefined)
          throw new AppError("not-found", "There is no such file. The page at /docs names those that there are.");
        return page(found);
      },
    },
  ];
  return own;
}

async function page({ location, contentType }: Asset): Promise<Reply> {
  const headers = ["Cache-Control", "public, max-age=600"];
  return { status: 200, body: await readFile(location), contentType, headers, baseHeaders: PAGE_HEADERS };
}
