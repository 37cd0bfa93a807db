import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AppError } from "@hourglass/runtime";
import { BuiltFolder } from "../http/built-folder.js";
import { PAGE_HEADERS, pageHeaders } from "../http/headers.js";
import type { Reply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import { textOf } from "./answers.js";

/** What `npm run docs` makes; the path is valid from `dist/routes` and, in tests, from `src/routes`. */
const BUILT = new URL("../../dist/site/", import.meta.url);

/** The documentation: a page per file of `docs`, and what the pages load. Without it, `/docs` is the reference alone. */
export class Docs {
  private readonly files: BuiltFolder;

  constructor(built: URL = BUILT) {
    this.files = new BuiltFolder(built, (html) => pageHeaders(inlineScripts(html)));
  }

  routes(): Endpoint[] {
    const base = { tag: "System", access: "open", isPage: true } as const;
    return [
      route("GET /docs", "getDocs", "The way to the documentation", {
        ...base,
        answers: { 302: { description: "The documentation or, if it is not built, the page to try the routes." } },
        handle: async () => redirect((await this.isBuilt()) ? "docs/" : "docs/api"),
      }),
      route("GET /docs/{*path}", "getDocsFile", "The documentation", {
        ...base,
        description: "Pages without `.html`, and what they load.",
        answers: { 200: { description: "The page or file.", content: textOf("text/html") } },
        failures: [404],
        handle: ({ request, pathRest }) => this.answer(request.req, pathRest),
      }),
    ];
  }

  private async answer(req: IncomingMessage, path: string): Promise<Reply> {
    if (path === "" && !(await this.isBuilt())) return redirect("api");
    if (path.startsWith("assets/") && (await this.files.has(path))) return this.files.hashed(req, path);
    for (const name of path === "" ? ["index.html"] : [path, `${path}.html`]) {
      if (await this.files.has(name)) return this.files.named(req, name);
    }
    const isOpened = /\btext\/html\b/.test(req.headers.accept ?? "");
    if (isOpened && (await this.isBuilt())) return this.files.named(req, "404.html", 404);
    throw new AppError(
      "not-found",
      "There is no such page. All pages are listed at /docs, and all routes at /docs/api.",
    );
  }

  private isBuilt(): Promise<boolean> {
    return this.files.has("index.html");
  }
}

/** A relative address works behind a path prefix too; a browser keeps the fragment, which may name an operation. */
function redirect(location: string): Reply {
  return { status: 302, headers: ["Location", location, "Cache-Control", "no-cache"], baseHeaders: PAGE_HEADERS };
}

/** The policy allows the scripts within the pages by their hashes: nothing else that got into a page would run. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script\b(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
}
