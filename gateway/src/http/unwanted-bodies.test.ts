import { setTimeout as sleep } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { UploadFileRequestSchema } from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";
import { RawConnection } from "../testing/raw-connection.js";

const OPERATIONS = "/api/v2/products/api/operations";
const UPLOAD_RPC = "/hourglass.media.v1.MediaService/UploadFile";
const WITHIN_MS = 20_000;
const LINGER_MS = 200;
const PIECES = 20;

let gateway: GatewayUnderTest;
afterEach(() => gateway.stop());

/** Sends a large body for longer than the server lingers over silence, and reads the response only then. */
async function send(body: string): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.port);
  connection.socket.pause();
  const head = `POST ${OPERATIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n`;
  connection.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  const size = Math.ceil(body.length / PIECES);
  for (let piece = 0; piece < PIECES; piece++) {
    connection.write(body.slice(piece * size, (piece + 1) * size));
    await sleep((3 * LINGER_MS) / PIECES);
  }
  connection.socket.resume();
  return connection;
}

/** Sends everything before it looks for an answer, as most libraries do, and returns what it then reads. */
async function sendAll(head: string, ...rest: Buffer[]): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.port);
  const { socket } = connection;
  socket.pause();
  connection.write(head);
  for (const piece of rest) {
    await new Promise<void>((resolve, reject) => socket.write(piece, (error) => (error ? reject(error) : resolve())));
  }
  socket.resume();
  return connection;
}

function headOf(path: string, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n");
}

/** A body in HTTP chunks that each hold a chunk of a file in the framing of Connect streams and gRPC-web. */
function streamOf(messages: number): Buffer[] {
  const message = Buffer.from(toBinary(UploadFileRequestSchema, chunkOf(Buffer.alloc(1_000_000))));
  const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), message]);
  frame.writeUInt32BE(message.length, 1);
  const piece = Buffer.concat([Buffer.from(`${frame.length.toString(16)}\r\n`), frame, Buffer.from("\r\n")]);
  return [...Array.from({ length: messages }, () => piece), Buffer.from("0\r\n\r\n")];
}

const chunkOf = (value: Uint8Array) => create(UploadFileRequestSchema, { part: { case: "chunk", value } });

describe.each([
  ["Connect", "application/connect+proto", '"code":"resource_exhausted"'],
  ["gRPC-web", "application/grpc-web+proto", "grpc-status: 8"],
])("a stream by %s that is refused", (_protocol, type, code) => {
  it.each([
    ["before it is read", AUTHORIZATION.replace("good", "forged"), /unauthenticated|grpc-status: 16/],
    ["by the service", AUTHORIZATION, new RegExp(code)],
  ])("%s is answered, though it is sent to its end first", async (_when, authorization, answer) => {
    const uploadFile = async (requests: AsyncIterable<unknown>) => {
      await requests[Symbol.asyncIterator]().next();
      throw new AppError("too-large", "The file is too large.");
    };
    gateway = await startGateway({ media: { uploadFile } }, { config: { bodyBytesMax: 1000, rateLimitPerMinute: 0 } });
    const head = headOf(
      UPLOAD_RPC,
      `Authorization: ${authorization}`,
      `Content-Type: ${type}`,
      "Transfer-Encoding: chunked",
    );
    const connection = await sendAll(head, ...streamOf(30));
    await connection.until(() => answer.test(connection.text), WITHIN_MS);
    await connection.untilClosed(WITHIN_MS);
    expect(connection.text).toMatch(/Content-Length: \d+/i);
    expect(connection.brokenBy).toBeUndefined();
  });
});

it("answers headers that are too large, though they are sent to their end first", async () => {
  gateway = await startGateway();
  const head = `GET ${OPERATIONS} HTTP/1.1\r\nHost: x\r\n`;
  const connection = await sendAll(head, Buffer.from(`X-Long: ${"x".repeat(5_000_000)}\r\n\r\n`));
  await connection.until(() => connection.statuses.length === 1, WITHIN_MS);
  connection.end();
  expect(connection.statuses).toEqual([431]);
  expect(connection.brokenBy).toBeUndefined();
});

it("answers a client that sends its body without waiting for 100 Continue", async () => {
  gateway = await startGateway();
  const length = 5_000_000;
  const more = ["Authorization: Bearer forged", "Content-Type: application/json", `Content-Length: ${length}`];
  const connection = await sendAll(headOf(OPERATIONS, "Expect: 100-continue", ...more), Buffer.alloc(length, " "));
  await connection.untilClosed(WITHIN_MS);
  expect(connection.statuses).toEqual([401]);
  expect(connection.brokenBy).toBeUndefined();
});

it("gives each of many large creates an answer, though most are refused before they have come whole", async () => {
  const config = { bodyBytesMax: 2_000_000, rateLimitPerMinute: 0, heldBytesMax: 10_000_000, lingerMs: LINGER_MS };
  gateway = await startGateway({ operation: { createOperation: () => Promise.resolve({ id: 1n }) } }, { config });
  const body = JSON.stringify({ type: "text", analyses: ["topic"], contents: Array(95).fill("x".repeat(20_000)) });
  const clients = await Promise.all(Array.from({ length: 40 }, () => send(body)));
  await Promise.all(clients.map((client) => client.until(() => client.statuses.length === 1, WITHIN_MS)));
  const statuses = clients.flatMap((client) => client.statuses);
  for (const client of clients) client.end();
  expect([...new Set(statuses)].sort()).toEqual([201, 429]);
});
