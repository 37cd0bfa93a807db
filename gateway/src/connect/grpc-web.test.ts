import { create, fromBinary, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { ReadExportRequestSchema, ReadExportResponseSchema } from "@hourglass/proto/export/v1/export_service";
import { GetOperationRequestSchema, GetOperationResponseSchema } from "@hourglass/proto/operation/v1/operation_service";
import { AppError } from "@hourglass/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPORTED, FakeExports } from "../testing/fake-exports.js";
import { AUTHORIZATION, GatewayClient } from "../testing/gateway-under-test.js";

const GET = "/hourglass.operation.v1.OperationService/GetOperation";
const READ = "/hourglass.export.v1.ExportService/ReadExport";

const api = new GatewayClient();
beforeAll(async () => {
  const getOperation = async ({ id, wait }: { id: bigint; wait: number }) => {
    if (id === 404n) throw new AppError("not-found", "There is no operation “404”.");
    if (wait > 0) await new Promise(() => undefined);
    return { operation: { id, name: "x".repeat(Number(id)) } };
  };
  await api.start({ operation: { getOperation }, export: new FakeExports().handlers });
});
afterAll(() => api.stop());

function post(path: string, type: string, body: Buffer | string, headers: Record<string, string> = {}) {
  return fetch(api.url + path, {
    method: "POST",
    headers: { authorization: AUTHORIZATION, "content-type": type, "x-grpc-web": "1", ...headers },
    body,
  });
}

function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** The messages of an answer, and the lines of its trailers. */
function parse(bytes: Buffer): { messages: Buffer[]; trailers: string[] } {
  const messages: Buffer[] = [];
  const trailers: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    const content = bytes.subarray(at + 5, end);
    if (bytes[at] === 0x80) trailers.push(...content.toString("latin1").split("\r\n").filter(Boolean));
    else messages.push(content);
    at = end;
  }
  return { messages, trailers };
}

const request = (id: bigint, wait = 0) => create(GetOperationRequestSchema, { id, wait });
const binary = (id: bigint, wait = 0) => framed(toBinary(GetOperationRequestSchema, request(id, wait)));

async function answerOf(response: Response, isText: boolean): Promise<Buffer> {
  if (!isText) return Buffer.from(await response.arrayBuffer());
  const text = await response.text();
  expect(text).toMatch(/^[A-Za-z0-9+/]*={0,2}$/);
  return Buffer.from(text, "base64");
}

describe.each([
  ["application/grpc-web", "application/grpc-web+proto"],
  ["application/grpc-web+proto", "application/grpc-web+proto"],
  ["Application/gRPC-Web+Proto; proto=hourglass.operation.v1.GetOperationRequest", "application/grpc-web+proto"],
  ["application/grpc-web-text", "application/grpc-web-text+proto"],
  ["application/grpc-web-text+proto", "application/grpc-web-text+proto"],
  ["application/grpc-web+json", "application/grpc-web+json"],
  ["application/grpc-web+json; charset=utf-8", "application/grpc-web+json"],
  ["application/grpc-web-text+json", "application/grpc-web-text+json"],
])("a call of type %s", (type, answered) => {
  const isText = type.includes("-text");
  const isJson = type.includes("json");
  const encode = (id: bigint) => {
    const message = isJson ? framed(Buffer.from(toJsonString(GetOperationRequestSchema, request(id)))) : binary(id);
    return isText ? message.toString("base64") : message;
  };

  it.each([1n, 2n, 3n, 100_000n])("is answered in the same form, whatever its length (%d)", async (id) => {
    const response = await post(GET, type, encode(id));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(answered);
    const { messages, trailers } = parse(await answerOf(response, isText));
    const [message = Buffer.of()] = messages;
    const { operation } = isJson
      ? fromJsonString(GetOperationResponseSchema, message.toString())
      : fromBinary(GetOperationResponseSchema, message);
    expect(operation?.id).toBe(id);
    expect(trailers).toContain("grpc-status: 0");
  });

  it("learns of an error from the trailers, which scripts of other origins may read", async () => {
    const response = await post(GET, type, encode(404n), { origin: "https://app.example" });
    expect(response.status).toBe(200);
    const { messages, trailers } = parse(await answerOf(response, isText));
    expect(messages).toEqual([]);
    expect(trailers).toContain("grpc-status: 5");
    expect(trailers.map(decodeURIComponent)).toContain("grpc-message: There is no operation “404”.");
    expect(trailers.some((line) => line.startsWith("grpc-status-details-bin: "))).toBe(true);
    expect(response.headers.get("access-control-expose-headers")?.toLowerCase()).toContain("grpc-status-details-bin");
  });
});

it("reads a stream in base64 piece by piece, and a request whose pieces are each padded", async () => {
  const request = toBinary(
    ReadExportRequestSchema,
    create(ReadExportRequestSchema, { id: 9n, format: ExportFormat.JSON, reading: {} }),
  );
  const bytes = framed(request);
  const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 5), bytes.subarray(5, 7), bytes.subarray(7)];
  const body = pieces.map((piece) => piece.toString("base64")).join("");
  const response = await post(READ, "application/grpc-web-text", body);
  const { messages, trailers } = parse(await answerOf(response, true));
  const parts = messages.map((message) => fromBinary(ReadExportResponseSchema, message).part);
  const chunks = parts.flatMap((part) => (part.case === "chunk" ? [Buffer.from(part.value)] : []));
  expect(Buffer.concat(chunks).toString()).toBe(EXPORTED[ExportFormat.JSON]);
  expect(trailers).toContain("grpc-status: 0");
});

it.each(["AAAA!AAA", "A", "AAA=A", "=AAA"])("refuses %s, which is no base64", async (body) => {
  const { trailers } = parse(await answerOf(await post(GET, "application/grpc-web-text", body), true));
  expect(trailers).toContain("grpc-status: 3");
});

it("ends a call at its deadline, and refuses a deadline that is none", async () => {
  const late = await post(GET, "application/grpc-web", binary(1n, 30), { "grpc-timeout": "50m" });
  expect(parse(await answerOf(late, false)).trailers).toContain("grpc-status: 4");
  const wrong = await post(GET, "application/grpc-web", binary(1n), { "grpc-timeout": "soon" });
  expect(parse(await answerOf(wrong, false)).trailers).toContain("grpc-status: 3");
});

it("takes JSON by Connect, however its charset is spelled", async () => {
  for (const type of ["application/json;charset=UTF-8", 'application/json; charset="utf-8"', "Application/JSON"]) {
    expect((await post(GET, type, '{"id":"1"}')).status, type).toBe(200);
  }
});

it.each([
  "application/grpc",
  "application/grpc+proto",
  "application/grpc-web+thrift",
  "application/grpc-web-text+thrift",
  "application/json; charset=iso-8859-1",
  "text/plain",
  "application/x-www-form-urlencoded",
])("answers 415 to %s, and says which types there are", async (type) => {
  const response = await post(GET, type, "x");
  expect(response.status).toBe(415);
  expect(await response.json()).toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining("application/grpc-web") as string,
  });
});
