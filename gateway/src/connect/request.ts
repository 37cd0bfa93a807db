import type { DescMethod } from "@bufbuild/protobuf";
import { AppError, isOpen, textLengthOf } from "@hourglass/runtime";
import { RefusedRequest } from "../http/errors.js";
import type { Exchange } from "../http/exchange.js";
import { USUAL_BYTES_MAX } from "../http/routing/endpoint.js";
import { charset, mediaType } from "../http/body/media-type.js";
import { clientGone, readBytes, tooLarge } from "../http/body/request-body.js";
import { typeWithin } from "./grpc-web-text.js";

/** Headers that the protocols read; all others concern only this gateway. */
const PROTOCOL_HEADERS = [
  "content-type",
  "content-encoding",
  "accept-encoding",
  "connect-protocol-version",
  "connect-timeout-ms",
  "connect-content-encoding",
  "connect-accept-encoding",
  "grpc-timeout",
  "grpc-encoding",
  "grpc-accept-encoding",
] as const;

/** Maximum size of a request whose sender is not authenticated yet: credentials are short. */
const OPEN_BYTES_MAX = 65_536;

/** Maximum size of a streamed message while it is assembled: a chunk of a file, in base64 if it arrives as JSON. */
export const STREAMED_MESSAGE_BYTES_MAX = 1_572_864;

/** Maximum size of a request of a method: the server's limit only where the rules allow texts of such a size. */
export function messageBytesMaxOf(method: DescMethod, bodyBytesMax: number): number {
  if (method.methodKind === "client_streaming") return STREAMED_MESSAGE_BYTES_MAX;
  if (isOpen(method)) return Math.min(OPEN_BYTES_MAX, bodyBytesMax);
  return textLengthOf(method.input) > USUAL_BYTES_MAX ? bodyBytesMax : Math.min(USUAL_BYTES_MAX, bodyBytesMax);
}

/**
 * The media type of a call, without parameters: they say that the text is in UTF-8, or repeat the type of the message. With
 * another charset, it is no type of the protocols.
 */
export function callTypeOf({ headers: { "content-type": header } }: Exchange["req"]): string {
  const named = charset(header);
  return named === undefined || named === "utf-8" || named === "utf8" ? mediaType(header) : (header ?? "");
}

/** The request headers that the protocols read. */
export function protocolHeaders({ req }: Exchange): Headers {
  const headers = new Headers();
  for (const name of PROTOCOL_HEADERS) {
    const value = req.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  headers.set("content-type", typeWithin(callTypeOf(req)));
  return headers;
}

/** The body of a call, read when the protocol requests it, but never before `admitted` has resolved. */
export function bodyOf(exchange: Exchange, method: DescMethod, admitted: Promise<unknown>): AsyncIterable<Uint8Array> {
  const { bodyBytesMax, uploadBytesMax } = exchange.context.settings;
  if (method.methodKind !== "client_streaming") {
    // With room for a head, and for base64 around the message.
    return whole(exchange, Math.min(bodyBytesMax, 2 * messageBytesMaxOf(method, bodyBytesMax)), admitted);
  }
  exchange.sendsFile = true;
  // JSON carries bytes in base64, a third larger; the service enforces the limit of the file itself.
  return streamed(exchange, 2 * uploadBytesMax, admitted);
}

async function* whole(exchange: Exchange, bytesMax: number, admitted: Promise<unknown>): AsyncGenerator<Uint8Array> {
  await admitted;
  yield await readBytes(exchange, bytesMax);
}

async function* streamed(exchange: Exchange, bytesMax: number, admitted: Promise<unknown>): AsyncGenerator<Uint8Array> {
  await admitted;
  const { req, context } = exchange;
  context.budget.take(exchange, STREAMED_MESSAGE_BYTES_MAX);
  exchange.sendContinue();
  let bytes = 0;
  let isAwaited = true;
  let cut = (): void => undefined;
  const slow = new Promise<never>((_, reject) => (cut = () => reject(tooSlow(exchange))));
  slow.catch(() => undefined); // handled below, if the body is still read
  exchange.receiving(
    () => bytes,
    () => cut(),
    () => isAwaited,
  );
  // The connection must survive a failure, since the response is sent over it.
  const chunks = req.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      isAwaited = true;
      const next = (await Promise.race([chunks.next(), slow])) as IteratorResult<Buffer, unknown>;
      if (next.done === true) return;
      isAwaited = false;
      bytes += next.value.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield next.value;
    }
  } catch (error) {
    throw error instanceof AppError ? error : clientGone(error);
  } finally {
    exchange.received();
  }
}

function tooSlow(exchange: Exchange): AppError {
  exchange.abandoned = true;
  return new RefusedRequest(408, "The body did not arrive in time. Send it again.", { code: "request_timeout" });
}
