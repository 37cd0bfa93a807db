import { createAsyncIterable, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { RefusedRequest } from "../http/errors.js";
import type { HeaderList } from "../http/headers.js";
import type { Reply } from "../http/reply.js";

/** Larger responses are sent in pieces, at the pace of the client. */
const PIECE_BYTES = 65_536;
/** Headers of a gRPC-web response that a script of another origin may read, in addition to those of every response. */
export const EXPOSED: HeaderList = [
  "Access-Control-Expose-Headers",
  "Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin",
];
/** Headers that the reply has a field for, or that Node sets. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["content-type", "content-length"]);

/**
 * Converts the response of the protocol to a reply of the gateway. Fails with RefusedRequest if the protocol defines no
 * body for it. Only a stream is passed on as it is made.
 */
export async function toReply(response: UniversalServerResponse, isStream: boolean): Promise<Reply> {
  const { status, header, body } = response;
  if (body === undefined || header === undefined) throw refusalOf(status);
  const headers = [...EXPOSED];
  header.forEach((value, name) => {
    if (!OWN_HEADERS.has(name)) headers.push(name, value);
  });
  const contentType = header.get("content-type");
  const base = { status, headers, ...(contentType === null ? {} : { contentType }) };
  return { ...base, body: isStream ? body : await inPieces(body) };
}

async function inPieces(body: AsyncIterable<Uint8Array>): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const [first = new Uint8Array()] = chunks;
  return toReplyBody(chunks.length === 1 ? first : Buffer.concat(chunks));
}

/** The body of a reply: in pieces if it is large. */
export function toReplyBody(bytes: Uint8Array): Uint8Array | AsyncIterable<Uint8Array> {
  if (bytes.length <= PIECE_BYTES) return bytes;
  return createAsyncIterable(pieces(bytes));
}

function pieces(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES));
}

function refusalOf(status: number): RefusedRequest {
  if (status === 405) {
    const message = "This method is called by POST; GET is for those without side effects, by the Connect protocol.";
    return new RefusedRequest(405, message, { code: "method_not_allowed", allow: "POST, GET, OPTIONS" });
  }
  const message =
    "The body has another type. Send it with Content-Type: application/json or application/proto (Connect), " +
    "application/connect+json or application/connect+proto (streams), or application/grpc-web, also -text, with +proto or +json.";
  return new RefusedRequest(415, message, { code: "unsupported_media_type" });
}
