const CALL_TIMEOUT_MS = 5000;
const AGAIN_MS = 25;

export interface PatientClientOptions {
  url: string;
  /** Value of the Authorization header. */
  authorization: string;
  /** Receives responses that no crash explains. */
  broken: string[];
  /** Ends all calls if no server will start again. */
  over: AbortSignal;
}

export interface PatientAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
}

export interface Sent {
  /** Value of Idempotency-Key. */
  key?: string;
  body?: string | FormData;
  /** Of a text. Default: JSON. */
  contentType?: string;
}

/** A client that repeats calls that fail because of a crash. */
export class PatientClient {
  /** Number of calls that broke off or were answered that the server is unavailable. */
  interrupted = 0;

  constructor(private readonly options: PatientClientOptions) {}

  /** Calls until there is a response that no crash has caused. */
  async call(method: string, route: string, sent: Sent = {}): Promise<PatientAnswer> {
    for (;;) {
      this.options.over.throwIfAborted();
      try {
        const response = await fetch(this.options.url + route, this.requestOf(method, route, sent));
        const bytes = Buffer.from(await response.arrayBuffer());
        const text = bytes.toString();
        const { status, headers } = response;
        if (status < 500 && status !== 429) return { status, headers, bytes, text };
        this.noteFailure(status, text);
      } catch {
        // The connection broke or was refused: the server is down and will be restarted.
      }
      this.interrupted += 1;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  private requestOf(method: string, route: string, { key, body, contentType }: Sent): RequestInit {
    const type = typeof body === "string" ? (contentType ?? "application/json") : undefined;
    return {
      method,
      headers: {
        authorization: this.options.authorization,
        ...(type !== undefined && { "content-type": type }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(route.includes("wait=") ? 2 * CALL_TIMEOUT_MS : CALL_TIMEOUT_MS),
    };
  }

  /** Temporary unavailability is expected; a fault of the server is not. */
  private noteFailure(status: number, text: string): void {
    if (status === 500) this.options.broken.push(`answered 500: ${text}`);
  }
}
