import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { preferredCoding, type ContentCoding } from "./compression.js";
import type { HeaderList } from "./headers.js";
import { etagOf, isKnown, type Reply } from "./reply.js";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  webp: "image/webp",
};

/** The names of assets have a hash of their bytes, so a browser never asks for one twice. */
const IMMUTABLE: HeaderList = ["Cache-Control", "public, max-age=31536000, immutable"];
/** The page names the assets of this version, so a browser asks each time whether it still does. */
const REVALIDATED: HeaderList = ["Cache-Control", "no-cache"];
const SUFFIX: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/** What is known of a file that may change with the next version. */
interface Changing {
  readonly etag: string;
  readonly baseHeaders: HeaderList;
}

/** The files that a build has made for browsers, with compressed copies beside them. */
export class BuiltFolder {
  private names: Promise<ReadonlySet<string>> | undefined;
  private readonly changing = new Map<string, Changing>();
  private readonly assetHeaders: HeaderList;

  /** `headersOf` gives the base headers of a file by its text, for pages whose headers depend on it. */
  constructor(
    private readonly folder: URL,
    private readonly headersOf: (text: string) => HeaderList,
  ) {
    this.assetHeaders = headersOf("");
  }

  /** Whether the build has made a file; only such files are ever read. */
  async has(name: string): Promise<boolean> {
    return (await this.known()).has(name) && !/\.(br|gz)$/.test(name);
  }

  /** A file whose name has a hash of its bytes. */
  async hashed(req: IncomingMessage, name: string): Promise<Reply> {
    return this.file(req, name, { status: 200, headers: IMMUTABLE, baseHeaders: this.assetHeaders });
  }

  /** A file that keeps its name when it changes. */
  async named(req: IncomingMessage, name: string, status = 200): Promise<Reply> {
    const known = this.changing.get(name) ?? (await this.learn(name));
    this.changing.set(name, known);
    const { etag, baseHeaders } = known;
    const headers = [...REVALIDATED, "ETag", etag];
    if (status === 200 && isKnown(req, etag)) return { status: 304, headers, baseHeaders };
    return this.file(req, name, { status, headers, baseHeaders });
  }

  /** The tag is weak, since the compressed bytes differ. */
  private async learn(name: string): Promise<Changing> {
    const text = await readFile(new URL(name, this.folder), "utf8");
    return { etag: `W/${etagOf(text)}`, baseHeaders: this.headersOf(text) };
  }

  private async file(req: IncomingMessage, name: string, reply: Reply): Promise<Reply> {
    const preferred = preferredCoding(req.headers);
    const coding = (await this.known()).has(name + SUFFIX[preferred]) ? preferred : "identity";
    const coded = coding === "identity" ? [] : ["Content-Encoding", coding];
    return {
      ...reply,
      body: await readFile(new URL(name + SUFFIX[coding], this.folder)),
      contentType: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      headers: [...(reply.headers ?? []), "Vary", "Accept-Encoding", ...coded],
    };
  }

  /** Read at the first request, so that the start of the server does not wait for it. */
  private known(): Promise<ReadonlySet<string>> {
    return (this.names ??= filesBelow(this.folder).then(
      (names) => new Set(names),
      () => {
        this.names = undefined; // not built yet
        return new Set<string>();
      },
    ));
  }
}

/** Their names from the folder on, with slashes. */
async function filesBelow(folder: URL): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(fileURLToPath(folder), path.join(parentPath, name)))
    .map((name) => name.replaceAll(path.sep, "/"));
}
