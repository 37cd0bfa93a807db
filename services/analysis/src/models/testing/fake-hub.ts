import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A failure of a file that occurs `times` times. */
export interface Mishap {
  kind: "status" | "truncate" | "corrupt" | "silence";
  times: number;
  /** For `status`. */
  status?: number;
  /** For `truncate` and `silence`: number of bytes that still arrive. */
  after?: number;
}

/** A request to the hub. */
export interface SeenRequest {
  path: string;
  range: string | undefined;
  authorization: string | undefined;
}

/**
 * A server with the two routes of the hub that downloads need, and a second server that large files are redirected to.
 */
export interface FakeHub {
  endpoint: string;
  commit: string;
  /** Files of the one model, by path. */
  files: Map<string, Buffer>;
  /** Files served by the second server, like those in large file storage. */
  large: Set<string>;
  /** By path of a file; `""` stands for the listing. */
  mishaps: Map<string, Mishap>;
  requests: SeenRequest[];
  /** Requests to the second server. */
  redirected: SeenRequest[];
  /** Whether the listing contains sizes and checksums. */
  blobs: boolean;
  /** If set, only requests with this token are answered. */
  token: string | undefined;
  /** Declared sizes that differ from the real ones. */
  claimedBytes: Map<string, number>;
  /** Breaks the connections that a `silence` failure left open. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a hub with one model. */
export async function startFakeHub(id: string, files: Readonly<Record<string, Buffer | string>>): Promise<FakeHub> {
  const contents = new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
  const storage = createServer((request, response) => {
    hub.redirected.push(seen(request));
    serveFile(hub, decodeURIComponent((request.url ?? "").slice("/storage/".length)), request, response);
  });
  const server = createServer((request, response) => {
    hub.requests.push(seen(request));
    answer({ hub, id, storage: portOf(storage) }, request, response);
  });
  await Promise.all([listen(storage), listen(server)]);
  const hub: FakeHub = {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    commit: "0123456789abcdef0123456789abcdef01234567",
    files: contents,
    large: new Set([...contents.keys()].filter((name) => name.endsWith(".onnx"))),
    mishaps: new Map(),
    requests: [],
    redirected: [],
    blobs: true,
    token: undefined,
    claimedBytes: new Map(),
    cut: () => storage.closeAllConnections(),
    async close() {
      for (const each of [server, storage]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
  return hub;
}

type Listening = ReturnType<typeof createServer>;
const listen = (server: Listening): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
const portOf = (server: Listening): number => (server.address() as AddressInfo).port;

const seen = ({ url = "", headers }: IncomingMessage): SeenRequest => ({
  path: url,
  range: headers.range,
  authorization: headers.authorization,
});

interface Place {
  hub: FakeHub;
  id: string;
  storage: number;
}

function answer({ hub, id, storage }: Place, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "", hub.endpoint);
  if (hub.token !== undefined && request.headers.authorization !== `Bearer ${hub.token}`) {
    response.writeHead(401).end("Invalid username or password.");
  } else if (url.pathname === `/api/models/${id}/revision/main` || url.pathname.endsWith(`/revision/${hub.commit}`)) {
    const mishap = takeMishap(hub, "");
    if (mishap) response.writeHead(mishap.status ?? 500).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(listing(hub, id)));
  } else if (url.pathname.startsWith(`/${id}/resolve/${hub.commit}/`)) {
    const name = decodeURIComponent(url.pathname.slice(`/${id}/resolve/${hub.commit}/`.length));
    if (!hub.large.has(name)) serveFile(hub, name, request, response);
    else {
      const location = `http://127.0.0.1:${storage}/storage/${encodeURIComponent(name)}`;
      response.writeHead(302, { location, "x-linked-etag": `"${sha256(hub.files.get(name))}"` }).end();
    }
  } else response.writeHead(404).end();
}

const sha256 = (content: Buffer | undefined): string =>
  createHash("sha256")
    .update(content ?? "")
    .digest("hex");
const gitHash = (content: Buffer): string =>
  createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");

const listing = (hub: FakeHub, id: string): unknown => ({
  id,
  sha: hub.commit,
  siblings: [...hub.files].map(([rfilename, content]) => {
    if (!hub.blobs) return { rfilename };
    const size = hub.claimedBytes.get(rfilename) ?? content.length;
    if (!hub.large.has(rfilename)) return { rfilename, size, blobId: gitHash(content) };
    return { rfilename, size, blobId: "0".repeat(40), lfs: { sha256: sha256(content), size, pointerSize: 130 } };
  }),
});

function takeMishap(hub: FakeHub, name: string): Mishap | undefined {
  const mishap = hub.mishaps.get(name);
  if (mishap === undefined || mishap.times <= 0) return undefined;
  mishap.times--;
  return mishap;
}

function serveFile(hub: FakeHub, name: string, request: IncomingMessage, response: ServerResponse): void {
  const content = hub.files.get(name);
  const mishap = takeMishap(hub, name);
  if (content === undefined || mishap?.kind === "status") {
    response.writeHead(mishap?.status ?? 404).end();
    return;
  }
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const body = content.subarray(from);
  if (mishap?.kind === "truncate") {
    // Without a content length, only the listing shows that something is missing.
    response.writeHead(200, { "transfer-encoding": "chunked" }).end(body.subarray(0, mishap.after));
    return;
  }
  const length = hub.claimedBytes.get(name) ?? body.length;
  if (from > 0) response.setHeader("content-range", `bytes ${from}-${content.length - 1}/${content.length}`);
  response.writeHead(from > 0 ? 206 : 200, { "content-length": length });
  sendBody(response, body, mishap);
}

function sendBody(response: ServerResponse, body: Buffer, mishap: Mishap | undefined): void {
  if (mishap?.kind === "silence") response.write(body.subarray(0, mishap.after));
  else response.end(mishap?.kind === "corrupt" ? Buffer.alloc(body.length, "x") : body);
}
