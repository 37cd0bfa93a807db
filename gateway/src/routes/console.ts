import type { IncomingMessage } from "node:http";
import { AppError } from "@hourglass/runtime";
import { BuiltFolder } from "../http/built-folder.js";
import { CONSOLE_HEADERS } from "../http/headers.js";
import type { Reply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import { textOf } from "./answers.js";

/** What the build of the console makes; the path is valid from `dist/routes` and, in tests, from `src/routes`. */
const BUILT = new URL("../../console/dist/site/", import.meta.url);
const PAGE = "index.html";

/** The web console: a page, the same for each of its addresses, and its assets. */
export class Console {
  private readonly files: BuiltFolder;

  constructor(built: URL = BUILT) {
    this.files = new BuiltFolder(built, () => CONSOLE_HEADERS);
  }

  routes(): Endpoint[] {
    const base = { tag: "System", access: "open", isPage: true } as const;
    return [
      route("GET /", "getStart", "The web console", {
        ...base,
        description:
          "A page that uses this interface. It answers at every path that no route has, if the request accepts HTML.",
        answers: { 200: { description: "The page.", content: textOf("text/html") } },
        handle: ({ request }) => this.pageFor(request.req),
      }),
      route("GET /assets/:asset", "getStartAsset", "A file of the web console", {
        ...base,
        answers: {
          200: { description: "The file.", content: { ...textOf("text/css"), ...textOf("text/javascript") } },
        },
        failures: [404],
        handle: ({ request, pathAsset }) => this.asset(request.req, pathAsset),
      }),
    ];
  }

  /** The page, for any address within the console. */
  async pageFor(req: IncomingMessage): Promise<Reply> {
    if (await this.files.has(PAGE)) return this.files.named(req, PAGE);
    throw new AppError("not-found", "The web console is not built. Run `npm run build`, then load this page again.");
  }

  private async asset(req: IncomingMessage, name: string): Promise<Reply> {
    if (/-[A-Z0-9]{8}\.(js|css)$/.test(name) && (await this.files.has(name))) return this.files.hashed(req, name);
    throw new AppError("not-found", "There is no such file. The page at / names those of this version: load it again.");
  }
}
