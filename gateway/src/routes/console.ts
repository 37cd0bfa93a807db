import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { AppError } from "@hourglass/runtime";
import { preferredCoding, type ContentCoding } from "../http/compression.js";
import { CONSOLE_HEADERS, type HeaderList } from "../http/headers.js";
import { etagOf, isKnown, type Reply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import { textOf } from "./answers.js";

/** What the build of the console makes; the path is valid from `dist/routes` and, in tests, from `src/routes`. */
const SITE = new URL("../../console/dist/site/", import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** The names of assets have a hash of their bytes, so a browser never asks for one twice. */
const IMMUTABLE: HeaderList = ["Cache-Control", "public, max-age=31536000, immutable"];
/** The page names the assets of this version, so a browser asks each time whether it still does. */
const REVALIDATED: HeaderList = ["Cache-Control", "no-cache"];
const SUFFIX: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/** The web console: a page, the same for each of its addresses, and its assets. Their bytes are compressed by the build. */
export class Console {
  private names: Promise<ReadonlySet<string>> | undefined;
  private page: Promise<string> | undefined;

  constructor(private readonly site: URL = SITE) {}

  routes(): Endpoint[] {
    const base = { tag: "System", access: "open" } as const;
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
    const etag = await (this.page ??= this.readTag());
    if (isKnown(req, etag))
      return { status: 304, headers: [...REVALIDATED, "ETag", etag], baseHeaders: CONSOLE_HEADERS };
    return this.file(req, "index.html", [...REVALIDATED, "ETag", etag]);
  }

  private async asset(req: IncomingMessage, name: string): Promise<Reply> {
    if (/-[A-Z0-9]{8}\.(js|css)$/.test(name) && (await this.known()).has(name)) return this.file(req, name, IMMUTABLE);
    throw new AppError("not-found", "There is no such file. The page at / names those of this version: load it again.");
  }

  private async file(req: IncomingMessage, name: string, headers: HeaderList): Promise<Reply> {
    const preferred = preferredCoding(req.headers);
    const coding = (await this.known()).has(name + SUFFIX[preferred]) ? preferred : "identity";
    const coded = coding === "identity" ? [] : ["Content-Encoding", coding];
    return {
      status: 200,
      body: await readFile(new URL(name + SUFFIX[coding], this.site)),
      contentType: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      headers: [...headers, "Vary", "Accept-Encoding", ...coded],
      baseHeaders: CONSOLE_HEADERS,
    };
  }

  /** The tag is weak, since the compressed bytes differ. */
  private async readTag(): Promise<string> {
    if (!(await this.known()).has("index.html")) {
      this.page = undefined;
      throw new AppError("not-found", "The web console is not built. Run `npm run build`, then load this page again.");
    }
    return `W/${etagOf(await readFile(new URL("index.html", this.site)))}`;
  }

  /** Read at the first request, so that the start of the server does not wait for it. */
  private known(): Promise<ReadonlySet<string>> {
    return (this.names ??= readdir(this.site).then(
      (names) => new Set(names),
      () => {
        this.names = undefined; // not built yet
        return new Set<string>();
      },
    ));
  }
}
