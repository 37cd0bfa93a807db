import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that came over the line, and what became of it. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  /** Of the answer; undefined where none came back. */
  status: number | undefined;
}

/** Instead of the server's own answer. */
export interface Instead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * What happens to a request: it passes; it gets another answer than the server's, which does not see it; it is carried out and
 * its answer is lost; or it waits for the promise, and then passes.
 */
export type Fate = "pass" | "lose answer" | Instead | Promise<void>;

/** A line between the browser and a server, which can fail in all the ways that lines, proxies and busy servers fail. */
export class Line {
  /** All requests to the API, in order. */
  readonly passed: Passed[] = [];
  /** Decides on each request to the API. */
  fate: (request: Passed) => Fate = () => "pass";
  private isCut = false;
  private readonly server: Server;

  private constructor(private readonly target: string) {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  /** A line to the server at a URL. */
  static async to(target: string): Promise<Line> {
    const line = new Line(target);
    line.server.listen(0, "127.0.0.1");
    await once(line.server, "listening");
    return line;
  }

  /** Where the browser reaches the server. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The requests of this kind, such as `POST /api/v2/products/insight`. */
  of(method: string, path: string): readonly Passed[] {
    return this.passed.filter((one) => one.method === method && one.path === path);
  }

  /** Nothing comes through any more, in the middle of whatever it is. */
  cut(): void {
    this.isCut = true;
    this.server.closeAllConnections();
  }

  /** Everything passes again. */
  mend(): void {
    this.isCut = false;
    this.fate = () => "pass";
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A browser sends a request again by itself where a connection that it has used before breaks off.
    response.shouldKeepAlive = false;
    if (this.isCut) {
      request.socket.destroy();
      return;
    }
    const { method = "GET", url = "/", headers } = request;
    const [path = "/"] = url.split("?");
    if (!path.startsWith("/api/")) {
      this.pass(request, response, undefined);
      return;
    }
    const key = headers["idempotency-key"];
    const passed: Passed = {
      method,
      path,
      idempotencyKey: typeof key === "string" ? key : undefined,
      status: undefined,
    };
    this.passed.push(passed);
    const fate = this.fate(passed);
    if (fate instanceof Promise) await fate;
    if (typeof fate === "object" && "status" in fate) {
      passed.status = fate.status;
      request.resume();
      response.writeHead(fate.status, { "content-type": "application/json", ...fate.headers }).end(fate.body ?? "{}");
      return;
    }
    this.pass(request, response, passed, fate === "lose answer");
  }

  private pass(
    request: IncomingMessage,
    response: ServerResponse,
    passed: Passed | undefined,
    isAnswerLost = false,
  ): void {
    const lose = (): void => void request.socket.destroy();
    const onward = ask(this.target + (request.url ?? "/"), { method: request.method, headers: request.headers });
    onward.on("response", (answer) => {
      if (isAnswerLost) {
        // It is carried out, and nobody learns of it.
        answer.resume().on("end", lose);
        return;
      }
      if (passed !== undefined) passed.status = answer.statusCode;
      const { connection: _, "keep-alive": __, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
      answer.on("error", lose);
    });
    onward.on("error", lose);
    response.on("close", () => void onward.destroy());
    request.pipe(onward);
  }
}
