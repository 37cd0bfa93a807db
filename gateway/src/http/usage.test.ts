import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AUTHORIZATION, startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";
import { RawConnection } from "../testing/raw-connection.js";

const OPERATIONS = "/api/v2/products/api/operations";
const UPLOAD = `${OPERATIONS}/upload`;
const CUT_MS = 400;
const IDLE = { connections: 0, requests: 0, waitingRequests: 0, transfers: 0, heldBytes: 0 };

const CONTENTS = Array.from({ length: 100 }, () => ({ value: { case: "text" as const, value: "x".repeat(20_000) } }));
const QUERY = { type: OperationType.TEXT, contents: CONTENTS };

const HEAD = `Host: x\r\nAuthorization: ${AUTHORIZATION}\r\n`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`;
const post = (headers: string, body: string, path = OPERATIONS) =>
  `POST ${path} HTTP/1.1\r\n${HEAD}${headers}\r\n\r\n${body}`;
const JSON_BODY = JSON.stringify({ type: "text", analyses: ["topic"], contents: ["x".repeat(200_000)] });
const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

/** Inputs that a client may write, by name, so that counterexamples are readable. */
const REQUESTS: Readonly<Record<string, string>> = {
  health: get("/healthz"),
  unknown: get("/nowhere"),
  large: get(`${OPERATIONS}/1`),
  slow: get(`${OPERATIONS}/2`),
  waiting: get(`${OPERATIONS}/2?wait=1`),
  create: post(`Content-Type: application/json\r\nContent-Length: ${JSON_BODY.length}`, JSON_BODY),
  "half a create": post("Content-Type: application/json\r\nContent-Length: 900000", " ".repeat(100_000)),
  "chunked create": post("Content-Type: application/json\r\nTransfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"),
  "create with Expect: 100-continue": post(
    "Content-Type: application/json\r\nContent-Length: 70000\r\nExpect: 100-continue",
    "",
  ),
  "unwanted body": post("Content-Type: text/plain\r\nContent-Length: 500000", "x".repeat(100_000)),
  "half a file": post("Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000", FORM, UPLOAD),
  "half a head": "GET /healthz HTTP/1.1\r\nHos",
  garbage: "hello\r\n\r\n",
};

const client = fc.record({
  requests: fc.array(fc.constantFrom(...Object.keys(REQUESTS)), { minLength: 1, maxLength: 8 }),
  repeat: fc.constantFrom(1, 1, 5, 30),
  reads: fc.boolean(),
  staysMs: fc.constantFrom(0, 1, 5, 30, 150),
  end: fc.constantFrom("reset", "close", "half-close"),
});
type ClientPlan = typeof client extends fc.Arbitrary<infer T> ? T : never;

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway(
    {
      operation: {
        getOperation: async ({ id, wait }) => {
          if (id === 2n) await sleep(wait > 0 ? 100 : 20);
          return { operation: create(OperationSchema, { id, status: OperationStatus.DONE, query: QUERY }) };
        },
        createOperation: async () => {
          await sleep(5);
          return { id: 1n };
        },
      },
      media: {
        uploadFile: async (pieces) => {
          for await (const piece of pieces) void piece;
          return { id: 1n };
        },
      },
    },
    {
      config: {
        bodyBytesMax: 1_000_000,
        rateLimitPerMinute: 0,
        heldBytesMax: 16_000_000,
        paceWindowMs: CUT_MS,
        headersTimeoutMs: CUT_MS,
        keepAliveMs: CUT_MS,
        lingerMs: CUT_MS,
      },
    },
  );
});
afterAll(() => gateway.stop());

async function play({ requests, repeat, reads, staysMs, end }: ClientPlan): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.port);
  const { socket } = connection;
  if (!reads) socket.pause();
  for (let round = 0; round < repeat; round++) for (const name of requests) connection.write(REQUESTS[name] ?? "");
  await sleep(staysMs);
  if (end === "reset") socket.resetAndDestroy();
  else if (end === "close") socket.destroy();
  else socket.end();
  return connection;
}

it("gives back all that it held, however clients pipeline, stall and leave", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 12 }), async (clients) => {
      const connections = await Promise.all(clients.map(play));
      await expect.poll(gateway.usage, { timeout: 30_000, interval: 5 }).toEqual(IDLE);
      for (const connection of connections) connection.end();
    }),
    { numRuns: repeats(30), endOnFailure: true },
  );
  expect(gateway.log.filter(({ level }) => level === "error")).toEqual([]);
}, 120_000);
