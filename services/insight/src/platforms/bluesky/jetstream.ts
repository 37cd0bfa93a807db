import WebSocket from "ws";
import { PlatformError } from "../connector.js";
import { errorOfStatus, retryAfterOf } from "../http-json.js";
import { POSTS } from "./api.js";

/** Times of a connection, in milliseconds. */
export interface StreamTimes {
  /** Until the stream answers. */
  readonly connectMs: number;
  /** A stream that sends nothing for so long has nothing to send: the network itself is never silent. */
  readonly quietMs: number;
}

export const STREAM_TIMES: StreamTimes = { connectMs: 15_000, quietMs: 5_000 };

interface StreamRequest {
  readonly url: string;
  /** Microseconds since the epoch: events from there on are sent. */
  readonly cursor: number;
  readonly times: StreamTimes;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const SERVICE = "Bluesky's stream";
/** A posting has some kilobytes at most. */
const FRAME_BYTES_MAX = 1_000_000;
/** Frames that wait to be read; more are left to the sender. */
const WAITING_MAX = 2_000;
const USER_AGENT = "Hourglass/0.1 (self-hosted content analysis)";
/** Ends of a connection that ws tells as errors of the handshake. */
const ENDED = `${SERVICE} broke off. It will be read again.`;

/**
 * Connects and yields what arrives, in order; an empty list once the stream is quiet. Holds a bounded number of frames:
 * when they are not taken, the sender is made to wait. Throws PlatformError, and the reason of the signal.
 */
export async function* readFrames(request: StreamRequest): AsyncGenerator<readonly string[], void> {
  request.signal.throwIfAborted();
  const connection = new Connection(request);
  try {
    for (;;) yield await connection.next();
  } finally {
    connection.close();
  }
}

class Connection {
  private readonly socket: WebSocket;
  private frames: string[] = [];
  private failure: Error | undefined;
  private isOpen = false;
  private wake: () => void = () => undefined;
  private readonly onAbort = (): void => this.fail(this.request.signal.reason as Error);

  constructor(private readonly request: StreamRequest) {
    const { url, cursor, times, signal } = request;
    const target = new URL(url);
    target.searchParams.set("wantedCollections", POSTS);
    target.searchParams.set("cursor", String(cursor));
    this.socket = new WebSocket(target, {
      handshakeTimeout: times.connectMs,
      maxPayload: FRAME_BYTES_MAX,
      perMessageDeflate: false,
      headers: { "User-Agent": USER_AGENT },
    });
    this.socket.on("open", () => this.opened());
    this.socket.on("message", (data: Buffer, isBinary: boolean) => isBinary || this.add(data.toString("utf8")));
    this.socket.on("unexpected-response", (_, { statusCode = 0, headers }) =>
      this.fail(refusal(statusCode, headers, request.now())),
    );
    this.socket.on("error", (error) => this.fail(failureOf(error, this.isOpen)));
    this.socket.on("close", () => this.fail(new PlatformError("temporary", ENDED)));
    signal.addEventListener("abort", this.onAbort);
  }

  /** The frames that have arrived since the last call. */
  async next(): Promise<readonly string[]> {
    const quietAt = performance.now() + this.request.times.quietMs;
    while (this.frames.length === 0) {
      if (this.failure !== undefined) throw this.failure;
      const left = quietAt - performance.now();
      if (this.isOpen && left <= 0) return [];
      await this.change(this.isOpen ? left : undefined);
    }
    const taken = this.frames;
    this.frames = [];
    if (this.socket.isPaused) this.socket.resume();
    return taken;
  }

  close(): void {
    this.request.signal.removeEventListener("abort", this.onAbort);
    this.socket.terminate();
  }

  private opened(): void {
    this.isOpen = true;
    this.wake();
  }

  private add(frame: string): void {
    this.frames.push(frame);
    if (this.frames.length >= WAITING_MAX) this.socket.pause();
    this.wake();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  private change(timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The stream answers in HTTP instead of opening. */
function refusal(status: number, headers: Headers, now: number): PlatformError {
  const response = { status, headers, body: undefined };
  if (status < 400) {
    const message = `${SERVICE} answers with a web page or a redirect (${status}). The operator must check BLUESKY_JETSTREAM_URL.`;
    return new PlatformError("permanent", message);
  }
  const retryAt = retryAfterOf(response, now);
  return errorOfStatus({ service: SERVICE, credential: "BLUESKY_JETSTREAM_URL", response, retryAt, now });
}

function failureOf(error: Error, isOpen: boolean): PlatformError {
  if ("code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") {
    const message = `${SERVICE} sends an event that is larger than ${FRAME_BYTES_MAX} bytes. It will be read again.`;
    return new PlatformError("temporary", message, { cause: error });
  }
  const message = isOpen ? ENDED : `${SERVICE} cannot be reached. It will be retried.`;
  return new PlatformError("temporary", message, { cause: error });
}
