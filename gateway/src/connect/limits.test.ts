import { create } from "@bufbuild/protobuf";
import { OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { afterEach, describe, expect, it } from "vitest";
import type { GatewaySettings } from "../config.js";
import { AUTHORIZATION, startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";
import { RawConnection } from "../testing/raw-connection.js";

const SERVICE = "/hourglass.operation.v1.OperationService";
const GET = `${SERVICE}/GetOperation`;
const CREATE = `${SERVICE}/CreateOperation`;
const UPLOAD = "/hourglass.media.v1.MediaService/UploadFile";
const SLOW_MS = 600;
/** An upper limit, less than a server without these settings needs to cut them. */
const CUT_WITHIN_MS = 20_000;
const BODY_BYTES_MAX = 20_971_520;

/** How each protocol of the HTTP port carries a request of one message, and where its answer says the code. */
const PROTOCOLS = [
  {
    protocol: "Connect",
    type: "application/json",
    bodyOf: (json: string) => json,
    codeOf: async (response: Response) => ((await response.json()) as { code?: string }).code,
    exhausted: "resource_exhausted",
  },
  {
    protocol: "gRPC-web",
    type: "application/grpc-web+json",
    bodyOf: (json: string) => String.fromCharCode(0, 0, 0, json.length >> 8, json.length & 255) + json,
    codeOf: async (response: Response) =>
      response.headers.get("grpc-status") ?? /grpc-status: *(\d+)/i.exec(await response.text())?.[1],
    exhausted: "8",
  },
] as const;

describe.each(PROTOCOLS)("a client by $protocol", ({ type, bodyOf, codeOf, exhausted }) => {
  let gateway: GatewayUnderTest;
  const connections: RawConnection[] = [];

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.end();
    await gateway.stop();
  });

  async function start(config: Partial<GatewaySettings> = {}, operation: object = {}): Promise<void> {
    gateway = await startGateway(
      { operation },
      { config: { bodyBytesMax: BODY_BYTES_MAX, rateLimitPerMinute: 0, ...config } },
    );
  }

  async function open(): Promise<RawConnection> {
    const connection = await RawConnection.open(gateway.port);
    connections.push(connection);
    return connection;
  }

  const call = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": type, ...headers },
      body: bodyOf(body),
    });

  const head = (path: string, headers: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Type: ${type}\r\n${headers}\r\n\r\n`;

  it("may not send a larger body than by REST", async () => {
    await start({ bodyBytesMax: 1000 });
    const key = (length: number) => JSON.stringify({ idempotencyKey: "x".repeat(length) });
    expect(await codeOf(await call(CREATE, key(2000)))).toBe(exhausted);
    expect(await codeOf(await call(CREATE, key(10)))).not.toBe(exhausted);
  });

  it("is refused a body that is declared too large before it is sent", async () => {
    await start();
    const connection = await open();
    connection.write(head(CREATE, "Content-Length: 99000000"));
    await connection.until(() => sentenceIn(connection).includes("larger than the 20971520 bytes"), CUT_WITHIN_MS);
  });

  it("has the same requests per minute as by REST, and learns when to come back", async () => {
    await start({ rateLimitPerMinute: 2 }, { getOperation: () => Promise.resolve({ operation: { id: 1n } }) });
    await fetch(`${gateway.url}/api/v2/products/api/operations`, { headers: { authorization: AUTHORIZATION } });
    expect(await codeOf(await call(GET, '{"id":"1"}'))).not.toBe(exhausted);
    const refused = await call(GET, '{"id":"1"}');
    const text = await refused.clone().text();
    expect(await codeOf(refused)).toBe(exhausted);
    const retryAfter = refused.headers.get("retry-after") ?? /retry-after: *(\d+)/i.exec(text)?.[1];
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    const byRest = await fetch(`${gateway.url}/api/v2/products/api/operations`, {
      headers: { authorization: AUTHORIZATION },
    });
    expect(byRest.status).toBe(429);
  });

  it("shares the bytes in progress with REST, and sends small requests meanwhile", async () => {
    await start({ heldBytesMax: 1_000_000 }, { getOperation: () => Promise.resolve({ operation: { id: 1n } }) });
    const byRest = await open();
    byRest.write(
      `POST /api/v2/products/api/operations HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 400000\r\n\r\n",
    );
    await expect.poll(() => gateway.usage().heldBytes).toBe(400_000);
    const connection = await open();
    connection.write(head(CREATE, "Content-Length: 200000"));
    await connection.until(() => sentenceIn(connection).includes("Too many of your large requests"), CUT_WITHIN_MS);
    expect(connection.text).toMatch(/retry-after: *2/i);
    expect(await codeOf(await call(GET, '{"id":"1"}'))).not.toBe(exhausted);
  });

  it("is answered and cut when its body comes a byte now and then", async () => {
    await start({ paceWindowMs: SLOW_MS, lingerMs: SLOW_MS });
    const connection = await open();
    connection.write(head(CREATE, "Content-Length: 1000"));
    const drip = setInterval(() => connection.write(" "), 50);
    await connection.untilClosed(CUT_WITHIN_MS);
    clearInterval(drip);
    expect(sentenceIn(connection)).toContain("did not arrive in time");
  });

  it("is cut when it does not read a large answer, which is not held for it", async () => {
    const contents = Array.from({ length: 1000 }, () => ({
      value: { case: "text" as const, value: "x".repeat(20_000) },
    }));
    const query = { type: OperationType.TEXT, contents };
    const operation = create(OperationSchema, { id: 1n, status: OperationStatus.PENDING, query });
    await start({ paceWindowMs: SLOW_MS }, { getOperation: () => Promise.resolve({ operation }) });
    const connection = await open();
    connection.socket.pause();
    const body = bodyOf('{"id":"1"}');
    connection.write(`${head(GET, `Content-Length: ${body.length}`)}${body}`);
    await expect.poll(() => gateway.usage().heldBytes).toBeGreaterThan(10_000_000);
    await expect.poll(gateway.usage, { timeout: CUT_WITHIN_MS }).toMatchObject({ requests: 0, heldBytes: 0 });
  });

  it("may be called from a page whose requests are traced", async () => {
    await start();
    for (const path of [GET, "/api/v2/products/api/operations", "/api/v1/users/sign_in"]) {
      const preflight = await fetch(gateway.url + path, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" },
      });
      const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(/, */);
      expect(allowed, path).toEqual(
        expect.arrayContaining(["authorization", "baggage", "sentry-trace", "tracestate", "x-requested-with"]),
      );
    }
  });

  it("is allowed by browsers to call from any origin, and to read the answer", async () => {
    await start();
    const preflight = await fetch(gateway.url + GET, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,connect-protocol-version,x-grpc-web",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(/, */);
    for (const name of [
      "authorization",
      "content-type",
      "connect-protocol-version",
      "connect-timeout-ms",
      "x-grpc-web",
    ])
      expect(allowed).toContain(name);
    const answer = await call(GET, '{"id":"1"}', { origin: "https://app.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const exposed = answer.headers.get("access-control-expose-headers")?.toLowerCase();
    for (const name of ["retry-after", "grpc-status", "grpc-message"]) expect(exposed).toContain(name);
  });
});

/** What a connection has received; gRPC-web escapes the blanks of messages. */
function sentenceIn({ text }: RawConnection): string {
  return text.replaceAll("%20", " ");
}

describe("an upload in a stream", () => {
  it("is cut when it comes a byte now and then, without having held more than a message", async () => {
    const uploadFile = async (requests: AsyncIterable<unknown>) => {
      for await (const request of requests) void request;
      return { id: 1n };
    };
    const gateway = await startGateway(
      { media: { uploadFile } },
      { config: { bodyBytesMax: BODY_BYTES_MAX, rateLimitPerMinute: 0, paceWindowMs: SLOW_MS, lingerMs: SLOW_MS } },
    );
    const connection = await RawConnection.open(gateway.port);
    connection.write(
      `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        "Content-Type: application/connect+json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    connection.write("5\r\n\0\0\x01\0\0\r\n"); // a message of 64 KiB begins
    const drip = setInterval(() => connection.write("1\r\n \r\n"), 50);
    await expect.poll(() => gateway.usage().heldBytes).toBe(1_572_864);
    await connection.untilClosed(CUT_WITHIN_MS);
    clearInterval(drip);
    await expect.poll(() => gateway.usage().heldBytes).toBe(0);
    await gateway.stop();
  });
});
