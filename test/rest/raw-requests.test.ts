import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { OPERATIONS, SIGN_IN } from "./routes.js";

interface RawAnswer {
  statuses: number[];
  text: string;
  /** Whether the server closed the connection. */
  closed: boolean;
}

/** A server that is silent for this long after its response waits for the next request. */
const QUIET_MS = 300;
/** A server that has not responded yet may be slow. */
const SILENT_MS = 20_000;

/** Requests that no client library would send. */
describe("raw requests", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  function send(text: string): Promise<RawAnswer> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      let received = "";
      let quiet: NodeJS.Timeout | undefined;
      const finish = (closed: boolean) => {
        clearTimeout(quiet);
        socket.destroy();
        const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
        resolve({ statuses, text: received, closed });
      };
      const listen = () => {
        clearTimeout(quiet);
        quiet = setTimeout(() => finish(false), received === "" ? SILENT_MS : QUIET_MS);
      };
      socket.setEncoding("latin1");
      socket.on("connect", () => socket.write(text, "latin1", listen));
      socket.on("data", (data: string) => {
        received += data;
        listen();
      });
      socket.on("error", () => undefined);
      socket.on("close", () => finish(true));
    });
  }

  const smuggled = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  const post = (headers: string, body: string) => `POST ${SIGN_IN} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

  it.each([
    ["both lengths", post("Content-Length: 5\r\nTransfer-Encoding: chunked", `0\r\n\r\n${smuggled}`)],
    ["both lengths, the other way", post("Transfer-Encoding: chunked\r\nContent-Length: 5", `0\r\n\r\n${smuggled}`)],
    ["two lengths", post("Content-Length: 0\r\nContent-Length: 40", smuggled)],
    ["a list of lengths", post("Content-Length: 0, 40", smuggled)],
    ["a negative length", post("Content-Length: -1", smuggled)],
    ["a signed length", post("Content-Length: +0", smuggled)],
    ["a length in hex", post("Content-Length: 0x0", smuggled)],
    ["an encoding that is not chunked", post("Transfer-Encoding: xchunked", smuggled)],
    ["an encoding after chunked", post("Transfer-Encoding: chunked, identity", `0\r\n\r\n${smuggled}`)],
    ["a space before the colon", post("Transfer-Encoding : chunked", `0\r\n\r\n${smuggled}`)],
    ["a folded header", post("X-A: b\r\n c: d\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 0", smuggled)],
    ["a bare line feed", `GET /healthz HTTP/1.1\nHost: x\n\n`],
    ["a wrong chunk size", post("Transfer-Encoding: chunked", `zz\r\n\r\n${smuggled}`)],
    ["a NUL in a header", `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n`],
    ["no HTTP at all", "hello\r\n\r\n"],
    ["another protocol", "GET / HTTP/3.7\r\nHost: x\r\n\r\n"],
    ["a method that is none", "FETCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
  ])("get one answer, 400 in JSON, and the connection is closed: %s", async (_name, request) => {
    const { statuses, text, closed } = await send(request);
    expect(statuses, text).toEqual([400]);
    expect(text).toContain('"request_id"');
    expect(text).toMatch(/X-Request-Id: \S+/);
    expect(closed).toBe(true);
  });

  it("answer 400 without a Host", async () => {
    const { statuses, text } = await send("GET /healthz HTTP/1.1\r\n\r\n");
    expect(statuses).toEqual([400]);
    expect(text).toContain('"code":"malformed_request"');
  });

  it("answer 431 to headers that are too large", async () => {
    const { statuses, text } = await send(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(statuses).toEqual([431]);
    expect(text).toContain('"code":"headers_too_large"');
  });

  it("keep the connection after a refused body that is short", async () => {
    const { statuses } = await send(post("Content-Type: text/plain\r\nContent-Length: 3", `abc${smuggled}`));
    expect(statuses).toEqual([415, 200]);
  });

  it("do not treat a refused body as the next request", async () => {
    const length = String(smuggled.length);
    const { statuses } = await send(
      `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${smuggled}`,
    );
    expect(statuses).toEqual([404]);
  });

  it("answer pipelined requests in order", async () => {
    const { statuses } = await send(`${smuggled}GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`);
    expect(statuses).toEqual([200, 404, 200]);
  });

  it("get 100 Continue only when the body is wanted", async () => {
    const expecting = "Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue";
    const wanted = await send(post(expecting, ""));
    expect(wanted.statuses).toEqual([100]);
    const unwanted = await send(`POST ${OPERATIONS} HTTP/1.1\r\nHost: x\r\n${expecting}\r\n\r\n`);
    expect(unwanted.statuses).toEqual([401]);
    expect(unwanted.closed).toBe(true);
  });

  it("reach the same routes by an absolute target, and nothing by others", async () => {
    expect((await send("GET http://other.example/healthz HTTP/1.1\r\nHost: x\r\n\r\n")).statuses).toEqual([200]);
    expect((await send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")).statuses).toEqual([404]);
    const tunnel = await send("CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(tunnel.statuses).toEqual([405]);
    expect(tunnel.closed).toBe(true);
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket";
    expect((await send(`GET /healthz HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`)).statuses).toEqual([200]);
  });
});
