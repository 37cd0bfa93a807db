import type { Reply } from "../http/reply.js";

/** gRPC-web in base64, for browsers and proxies that take no bytes: the same as without `-text`, in both directions. */
const TEXT_TYPE = /^application\/grpc-web-text(?=$|\+)/;

/** Whether a media type is gRPC-web in base64. */
export function isTextType(type: string): boolean {
  return TEXT_TYPE.test(type);
}

/** The type of what a body in base64 holds. */
export function typeWithin(type: string): string {
  return type.replace(TEXT_TYPE, "application/grpc-web");
}

/** A reply in gRPC-web, in base64. */
export function inBase64(reply: Reply): Reply {
  const { body } = reply;
  const contentType = reply.contentType?.replace("application/grpc-web", "application/grpc-web-text");
  const typed = contentType === undefined ? reply : { ...reply, contentType };
  if (body instanceof Uint8Array) return { ...typed, body: Buffer.from(body).toString("base64") };
  if (typeof body === "object" && Symbol.asyncIterator in body) return { ...typed, body: encode(body) };
  return typed;
}

/** One text without padding in between, which all clients can read. */
async function* encode(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of body) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(end);
    if (end > 0) yield Buffer.from(bytes.toString("base64", 0, end));
  }
  if (rest.length > 0) yield Buffer.from(Buffer.from(rest).toString("base64"));
}
