import { createRegistry, fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema, ErrorInfoSchema } from "@hourglass/proto/google/rpc/error_details";
import { StatusSchema } from "@hourglass/proto/google/rpc/status";
import { AppError } from "@hourglass/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GatewayClient, type RawResponse } from "../testing/gateway-under-test.js";

const OPERATIONS = "/hourglass.operation.v1.OperationService";
const LIST = `${OPERATIONS}/ListOperations`;
const GET = `${OPERATIONS}/GetOperation`;
const CREATE = `${OPERATIONS}/CreateOperation`;
const READ = "/hourglass.export.v1.ExportService/ReadExport";
const UPLOAD = "/hourglass.media.v1.MediaService/UploadFile";
const ISSUE = "/hourglass.auth.v1.AuthService/IssueServiceToken";

const JSON_TYPE = "application/json";
const PROTO = "application/proto";
const STREAM = "application/connect+json";
const WEB = "application/grpc-web+proto";
const WEB_JSON = "application/grpc-web+json";
const TEXT = "application/grpc-web-text";

const api = new GatewayClient();

beforeAll(async () => {
  const late = () => Promise.reject(new AppError("deadline", "It took too long."));
  await api.start({
    operation: {
      listOperations: () => Promise.resolve({}),
      createOperation: () => Promise.resolve({ id: 1n }),
      getOperation: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => void late().catch(reject))),
      deleteOperation: () => Promise.reject(new Error("secret")),
    },
    media: {
      uploadFile: async (parts) => {
        for await (const part of parts) void part;
        return { id: 1n };
      },
    },
  });
});
afterAll(() => api.stop());

/** A message with its head. */
function framed(message: string | Buffer, { flags = 0, length }: { flags?: number; length?: number } = {}): Buffer {
  const bytes = Buffer.from(message);
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(length ?? bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

interface Call {
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

const call = (path: string, { type, body = "", headers = {}, method = "POST" }: Call): Promise<RawResponse> =>
  api.raw(path, { ...(type === undefined ? {} : { "content-type": type }), ...headers }, method, body);

interface Details {
  readonly code: string;
  readonly reason: string;
  readonly fields: Record<string, string>;
}

/** What an answer of any of the protocols says of a failure. */
function detailsOf({ headers, body }: RawResponse): Details {
  const type = String(headers["content-type"]);
  if (type.startsWith("application/grpc-web")) return detailsOfStatus(trailersOf({ headers, body }));
  const text = body.toString();
  const json = JSON.parse(
    type.startsWith("application/connect") ? text.slice(text.indexOf('{"error"')) : text,
  ) as object;
  const error = ("error" in json ? json.error : json) as ConnectFailure;
  const [info, request] = ["google.rpc.ErrorInfo", "google.rpc.BadRequest"].map(
    (name) => error.details?.find((detail) => detail.type === name)?.debug,
  );
  const violations = request?.fieldViolations ?? [];
  return {
    code: error.code,
    reason: info?.reason ?? "",
    fields: Object.fromEntries(violations.map(({ field, description }) => [field, description])),
  };
}

interface ConnectFailure {
  readonly code: string;
  readonly details?: {
    type: string;
    debug: { reason?: string; fieldViolations?: { field: string; description: string }[] };
  }[];
}

function trailersOf({ headers, body }: Pick<RawResponse, "headers" | "body">): Map<string, string> {
  const isText = String(headers["content-type"]).includes("-text");
  const text = (isText ? Buffer.from(body.toString(), "base64") : body).toString("latin1");
  const lines = [...text.matchAll(/(grpc-[a-z-]+): ([^\r\n]*)/g)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  return new Map([...Object.entries(headers).map(([name, value]) => [name, String(value)] as const), ...lines]);
}

const REGISTRY = createRegistry(ErrorInfoSchema, BadRequestSchema);

function detailsOfStatus(trailers: Map<string, string>): Details {
  const bytes = Buffer.from(trailers.get("grpc-status-details-bin") ?? "", "base64");
  const details = fromBinary(StatusSchema, bytes).details.map((any) => anyUnpack(any, REGISTRY));
  const info = details.find((detail) => detail?.$typeName === "google.rpc.ErrorInfo");
  const request = details.find((detail) => detail?.$typeName === "google.rpc.BadRequest");
  const violations = (request as { fieldViolations?: { field: string; description: string }[] } | undefined)
    ?.fieldViolations;
  return {
    code: trailers.get("grpc-status") ?? "",
    reason: (info as { reason?: string } | undefined)?.reason ?? "",
    fields: Object.fromEntries((violations ?? []).map(({ field, description }) => [field, description])),
  };
}

const LARGE = Buffer.alloc(300_000, " ");
const BROKEN = Buffer.from([0xff, 0xff]);
const encoded = (message: string, more = "") => `?encoding=json&message=${encodeURIComponent(message)}${more}`;

it.each<[string, reason: string, path: string, Call]>([
  ["malformed JSON", "INVALID_JSON", LIST, { type: JSON_TYPE, body: "{" }],
  ["a list", "INVALID_REQUEST", LIST, { type: JSON_TYPE, body: "[]" }],
  ["no body", "INVALID_REQUEST", LIST, { type: JSON_TYPE }],
  ["bytes that are no UTF-8", "INVALID_UTF8", LIST, { type: JSON_TYPE, body: BROKEN }],
  ["a malformed message", "MALFORMED_MESSAGE", LIST, { type: PROTO, body: BROKEN }],
  ["a malformed message by gRPC-web", "MALFORMED_MESSAGE", LIST, { type: WEB, body: framed(BROKEN) }],
  ["malformed JSON by gRPC-web", "INVALID_JSON", LIST, { type: WEB_JSON, body: framed("{") }],
  ["malformed JSON of a stream", "INVALID_JSON", READ, { type: STREAM, body: framed("{") }],
  ["malformed JSON in an upload", "MALFORMED_MESSAGE", UPLOAD, { type: STREAM, body: framed('{"chunk":5}') }],
  [
    "a malformed part of an upload",
    "MALFORMED_MESSAGE",
    UPLOAD,
    { type: "application/connect+proto", body: framed(BROKEN) },
  ],
  ["an unknown method", "METHOD_NOT_FOUND", `${OPERATIONS}/Guess`, { type: JSON_TYPE, body: "{}" }],
  ["an unknown service", "METHOD_NOT_FOUND", "/hourglass.guess.v1.Guess/Guess", { type: PROTO }],
  ["an unknown method by gRPC-web", "METHOD_NOT_FOUND", `${OPERATIONS}/Guess`, { type: WEB, body: framed("") }],
  ["a method that is not published", "METHOD_NOT_FOUND", ISSUE, { type: JSON_TYPE, body: "{}" }],
  ["another type", "UNSUPPORTED_MEDIA_TYPE", LIST, { type: "text/plain", body: "{}" }],
  ["no type", "UNSUPPORTED_MEDIA_TYPE", LIST, { body: "{}" }],
  ["the type of a stream", "UNSUPPORTED_MEDIA_TYPE", LIST, { type: STREAM, body: framed("{}") }],
  ["another HTTP method", "METHOD_NOT_ALLOWED", LIST, { type: JSON_TYPE, body: "{}", method: "PUT" }],
  ["GET of a method with effects", "METHOD_NOT_ALLOWED", CREATE + encoded("{}"), { method: "GET" }],
  ["GET of an unknown encoding", "UNSUPPORTED_MEDIA_TYPE", `${LIST}?encoding=xml&message=`, { method: "GET" }],
  ["GET of malformed JSON", "INVALID_JSON", LIST + encoded("{"), { method: "GET" }],
  ["GET of an unknown name", "INVALID_REQUEST", LIST + encoded('{"status":"OVER"}'), { method: "GET" }],
  ["GET of a malformed message", "MALFORMED_MESSAGE", `${LIST}?encoding=proto&base64=1&message=_w`, { method: "GET" }],
  [
    "GET of a compressed message",
    "COMPRESSION_UNSUPPORTED",
    LIST + encoded("{}", "&compression=gzip"),
    { method: "GET" },
  ],
  ["a large message", "BODY_TOO_LARGE", LIST, { type: JSON_TYPE, body: LARGE }],
  ["a large message by gRPC-web", "BODY_TOO_LARGE", LIST, { type: WEB, body: framed(LARGE) }],
  ["a large message of a stream", "BODY_TOO_LARGE", READ, { type: STREAM, body: framed(LARGE) }],
  ["a large part of an upload", "BODY_TOO_LARGE", UPLOAD, { type: STREAM, body: framed(Buffer.alloc(1_700_000, " ")) }],
  ["a wrong token", "UNAUTHENTICATED", LIST, { type: JSON_TYPE, body: "{}", headers: { authorization: "Bearer bad" } }],
  ["a wrong token by gRPC-web", "UNAUTHENTICATED", LIST, { type: WEB, headers: { authorization: "Bearer bad" } }],
  ["a wrong token of a stream", "UNAUTHENTICATED", READ, { type: STREAM, headers: { authorization: "Bearer bad" } }],
  ["another product", "PRODUCT_INACTIVE", LIST, { type: JSON_TYPE, headers: { authorization: "Bearer no-api" } }],
  ["a compressed body", "COMPRESSION_UNSUPPORTED", LIST, { type: JSON_TYPE, headers: { "content-encoding": "gzip" } }],
  ["a compressed message", "COMPRESSION_UNSUPPORTED", LIST, { type: WEB, body: framed("", { flags: 1 }) }],
  [
    "a coding of gRPC-web",
    "COMPRESSION_UNSUPPORTED",
    LIST,
    { type: WEB, body: framed(""), headers: { "grpc-encoding": "gzip" } },
  ],
  ["a compressed part", "COMPRESSION_UNSUPPORTED", UPLOAD, { type: STREAM, body: framed("{}", { flags: 1 }) }],
  ["unknown flags", "INVALID_REQUEST", LIST, { type: WEB, body: framed("", { flags: 4 }) }],
  ["half a message", "INCOMPLETE_MESSAGE", LIST, { type: WEB, body: framed("", { length: 9 }) }],
  ["half a head", "INCOMPLETE_MESSAGE", READ, { type: STREAM, body: "\0" }],
  ["half a part", "INCOMPLETE_MESSAGE", UPLOAD, { type: STREAM, body: framed("{}", { length: 9 }) }],
  ["no message", "INVALID_REQUEST", LIST, { type: WEB }],
  ["two messages", "NOT_IMPLEMENTED", LIST, { type: WEB, body: Buffer.concat([framed(""), framed("")]) }],
  ["what is no base64", "INVALID_REQUEST", LIST, { type: TEXT, body: "!" }],
  ["no timeout", "INVALID_REQUEST", LIST, { type: JSON_TYPE, body: "{}", headers: { "connect-timeout-ms": "soon" } }],
  [
    "no timeout of gRPC-web",
    "INVALID_REQUEST",
    LIST,
    { type: WEB, body: framed(""), headers: { "grpc-timeout": "9" + "s" } },
  ],
  [
    "a deadline",
    "DEADLINE_EXCEEDED",
    GET,
    { type: JSON_TYPE, body: '{"id":"1"}', headers: { "connect-timeout-ms": "30" } },
  ],
  [
    "a deadline of gRPC-web",
    "DEADLINE_EXCEEDED",
    GET,
    { type: WEB_JSON, body: framed('{"id":"1"}'), headers: { "grpc-timeout": "30m" } },
  ],
  ["a failure of ours", "INTERNAL", `${OPERATIONS}/DeleteOperation`, { type: JSON_TYPE, body: '{"id":"1"}' }],
])("says machine-readably why it refuses %s", async (_, reason, path, request) => {
  expect(detailsOf(await call(path, request)).reason).toBe(reason);
});

describe("mistakes in JSON", () => {
  const fieldsOf = async (path: string, body: unknown) => {
    const details = detailsOf(await call(path, { type: JSON_TYPE, body: JSON.stringify(body) }));
    expect(details.code).toBe("invalid_argument");
    return details.fields;
  };

  it("are all named with their fields", async () => {
    const wrong = {
      type: { a: 1 },
      analyses: "x",
      contents: [5, { text: 1 }, { fileId: "x", url: "u" }],
      explain: "yes",
    };
    expect(await fieldsOf(CREATE, wrong)).toEqual({
      type: "Give one of these: OPERATION_TYPE_TEXT, OPERATION_TYPE_FILE.",
      analyses: "Give an array.",
      "contents[0]": "Give an object.",
      "contents[1].text": expect.stringMatching(/^Give a string\./) as string,
      "contents[2].file_id": expect.stringMatching(/^Give a whole number from -9223372036854775808 to /) as string,
      "contents[2].url": "Give only one of these: text, file_id, url.",
      explain: "Give true or false.",
    });
    expect(await fieldsOf(LIST, { limit: 1.5 })).toHaveProperty("limit");
    expect(await fieldsOf(LIST, { limit: 2 ** 31 })).toHaveProperty("limit");
  });

  it("in values of enums are told in names that the caller can send", async () => {
    expect(await fieldsOf(CREATE, { analyses: [99], contents: [{ text: "a" }] })).toMatchObject({
      type: expect.stringContaining("OPERATION_TYPE_TEXT, OPERATION_TYPE_FILE") as string,
      "analyses[0]": expect.stringMatching(
        /^Give one of these: ANALYSIS_TYPE_SENTIMENT_SIMPLE, .*ANALYSIS_TYPE_CAPTION\.$/,
      ) as string,
    });
  });
});
