import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { inventText, randomOf } from "./invented.js";
import type { Fault } from "./upstream.js";

const HUGE_FRAME_BYTES = 2_000_000;
const PATH = "/subscribe";

/** What a test decides about the fake. */
interface JetstreamUpstreamOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/** A connection as the fake got it. */
interface StreamConnection {
  readonly path: string;
  readonly query: URLSearchParams;
}

type Event = Record<string, unknown>;

/** A fake of Jetstream, made from its documentation: events from a cursor on, then the life of the network. */
export class JetstreamUpstream {
  /** Every connection. */
  readonly seen: StreamConnection[] = [];
  /** Events before this time are no longer kept; milliseconds since the epoch. */
  keptSince = -Infinity;
  /** Whether anything happens on the network beside its postings. */
  isLively = true;
  private readonly events: Event[] = [];
  private readonly faults: Fault[] = [];
  private lasting: Fault | undefined;
  private added = 0;
  private readonly open = new Set<Duplex>();
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly server = http.createServer((_, response) => response.writeHead(404).end());

  private constructor(private readonly options: JetstreamUpstreamOptions) {
    this.server.on("upgrade", (request, socket: Duplex, head: Buffer) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://upstream.invalid");
      this.seen.push({ path: pathname, query: searchParams });
      socket.on("error", () => undefined);
      this.open.add(socket);
      socket.once("close", () => this.open.delete(socket));
      const fault = this.faults.shift() ?? this.lasting;
      if (pathname !== PATH) return refuse(socket, { status: 404 });
      if (fault?.kind === "silent") return;
      const refusal = refusalOf(fault);
      if (refusal !== undefined) return refuse(socket, refusal);
      this.sockets.handleUpgrade(request, socket, head, (opened) => this.send(opened, searchParams, fault));
    });
  }

  static async start(options: JetstreamUpstreamOptions): Promise<JetstreamUpstream> {
    const upstream = new JetstreamUpstream(options);
    await new Promise<void>((resolve) => upstream.server.listen(options.port ?? 0, "127.0.0.1", resolve));
    return upstream;
  }

  /** Such as `ws://127.0.0.1:40001/subscribe`. */
  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}${PATH}`;
  }

  failNext(...faults: readonly Fault[]): void {
    this.faults.push(...faults);
  }

  failAlways(fault: Fault | undefined): void {
    this.lasting = fault;
  }

  async close(): Promise<void> {
    // The server forgets connections that were upgraded.
    for (const socket of this.open) socket.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Adds an invented posting; default time: now. Returns its address. */
  post(values: Partial<DemoBlueskyPost> = {}): string {
    this.added += 1;
    const post = inventPost(this.added, values.at ?? this.options.now(), values);
    this.tell(postEvent(post));
    return blueskyAddress(post);
  }

  /** Changes a posting. */
  edit(address: string, text: string, at = this.options.now()): void {
    const [did = "", , rkey = ""] = address.slice("at://".length).split("/");
    this.tell(postEvent({ did, rkey, at, text, extra: {} }, "update"));
  }

  /** Takes a posting away. */
  remove(address: string, at = this.options.now()): void {
    this.tell(deleteEvent(address, at));
  }

  /** Takes an account away, or only for a time if the status is `deactivated`. */
  removeAccount(did: string, status = "deleted", at = this.options.now()): void {
    this.tell(accountEvent(did, at, status));
  }

  /** Adds an event as it is. */
  tell(event: Event): void {
    this.events.push(event);
  }

  private send(socket: WebSocket, query: URLSearchParams, fault: Fault | undefined): void {
    socket.on("error", () => undefined);
    if (fault?.kind === "empty") return socket.close();
    if (fault?.kind === "padded" || fault?.kind === "endless") socket.send(" ".repeat(HUGE_FRAME_BYTES));
    const all = this.eventsFrom(Number(query.get("cursor") ?? this.options.now() * 1000));
    const isHalf = fault?.kind === "cut" || fault?.kind === "stalled";
    for (const event of isHalf ? all.slice(0, all.length >> 1) : all) socket.send(JSON.stringify(event));
    if (fault?.kind === "cut") socket.terminate();
  }

  /** What is kept from a cursor on, and what happens now. */
  private eventsFrom(cursor: number): Event[] {
    const kept = this.events.filter((event) => timeOf(event) >= Math.max(cursor, this.keptSince * 1000));
    const inOrder = kept.sort((a, b) => timeOf(a) - timeOf(b));
    return this.isLively ? [...inOrder, identityEvent(this.options.now())] : inOrder;
  }
}

function timeOf(event: Event): number {
  return Number(event["time_us"]);
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusalOf(fault: Fault | undefined): Refusal | undefined {
  if (fault?.kind === "status") return fault;
  if (fault?.kind === "web-page") return { status: 200, headers: { "Content-Type": "text/html" } };
  if (fault?.kind === "sign-in-page") return { status: 302, headers: { Location: "/sign-in" } };
  return undefined;
}

function refuse(socket: Duplex, { status, headers = {} }: Refusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join("")}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** A posting as the fake keeps it. */
interface DemoBlueskyPost {
  readonly did: string;
  /** Its name among the author's postings; grows with their number. */
  readonly rkey: string;
  /** When the network learns of it, in milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  /** Fields that replace or add to those of the record. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** An author who does not exist. */
const DEMO_DID = "did:plc:invented";
const POSTS = "app.bsky.feed.post";

/** An invented posting of this number and time; `values` replaces parts of it. */
function inventPost(number: number, at: number, values: Partial<DemoBlueskyPost> = {}): DemoBlueskyPost {
  const rkey = `3demo${String(number).padStart(8, "0")}`;
  return { did: DEMO_DID, rkey, at, text: inventText(randomOf(number)), extra: {}, ...values };
}

/** The address of a posting, which is its id. */
function blueskyAddress({ did, rkey }: Pick<DemoBlueskyPost, "did" | "rkey">): string {
  return `at://${did}/${POSTS}/${rkey}`;
}

/** The event by which the network learns of a posting, or of its change. */
function postEvent(post: DemoBlueskyPost, operation: "create" | "update" = "create"): Record<string, unknown> {
  const { did, rkey, at, text, extra } = post;
  const createdAt = new Date(at).toISOString();
  const record = { $type: POSTS, createdAt, langs: ["en"], text, demo: true, ...extra };
  return {
    did,
    time_us: at * 1000,
    kind: "commit",
    commit: { rev: rkey, operation, collection: POSTS, rkey, record, cid: rkey },
  };
}

/** The event by which the network learns that a posting is gone. */
function deleteEvent(address: string, at: number): Record<string, unknown> {
  const [did = "", collection = "", rkey = ""] = address.slice("at://".length).split("/");
  return { did, time_us: at * 1000, kind: "commit", commit: { rev: rkey, operation: "delete", collection, rkey } };
}

/** The event by which the network learns that an account is gone. */
function accountEvent(did: string, at: number, status: string): Record<string, unknown> {
  const time = new Date(at).toISOString();
  return { did, time_us: at * 1000, kind: "account", account: { active: false, status, did, seq: at, time } };
}

/** An event that concerns nobody's postings: the network is never silent. */
function identityEvent(at: number): Record<string, unknown> {
  const time = new Date(at).toISOString();
  return {
    did: DEMO_DID,
    time_us: at * 1000,
    kind: "identity",
    identity: { did: DEMO_DID, handle: "invented.example", seq: at, time },
  };
}
