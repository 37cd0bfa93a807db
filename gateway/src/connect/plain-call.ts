import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { createMethodSerializationLookup } from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  contentTypeUnaryJson,
  contentTypeUnaryProto,
  errorToJsonBytes,
  headerTimeout,
  parseTimeout,
} from "@connectrpc/connect/protocol-connect";
import type { RequestContext } from "../http/request-context.js";
import { send } from "../http/respond.js";
import { EXPOSED, toReplyBody } from "./answer.js";
import { toConnectError } from "./connect-errors.js";
import { callUnary, type RpcCall, type Unary } from "./forward.js";
import type { PublishedService } from "../services.js";
import { readMessage, callTypeOf } from "./messages.js";

/** The plain content types, and whether they are binary. */
const PLAIN_TYPES: ReadonlyMap<string, boolean> = new Map([
  [contentTypeUnaryJson, false],
  [contentTypeUnaryProto, true],
]);
/** The limit that Connect itself has for responses; those of the services are far smaller. */
const WRITE_BYTES_MAX = 0xffff_ffff;

/** Answers a plain call. Fails only if the response cannot be sent. */
export type AnswerPlainCall = (call: RpcCall) => Promise<void>;

/**
 * Whether a request is a unary call in the plain form of the Connect protocol, as nearly all are: POST, JSON or binary,
 * not compressed.
 */
export function isPlainCall(req: RequestContext["req"]): boolean {
  const isCompressed = req.headers["content-encoding"] !== undefined;
  return req.method === "POST" && !isCompressed && PLAIN_TYPES.has(callTypeOf(req));
}

/**
 * Answers plain calls of a method by the codecs and errors of Connect, without its handler: that creates three
 * AbortControllers and five Headers objects for every request, which takes longer than reading a record.
 */
export function createPlainCall(
  { client }: PublishedService,
  method: DescMethodUnary,
  readMaxBytes: number,
): AnswerPlainCall {
  // The client has a unary method with that name.
  const target = (client as Record<string, unknown>)[method.localName] as Unary;
  const limits = { readMaxBytes, writeMaxBytes: WRITE_BYTES_MAX };
  const serialization = createMethodSerializationLookup(method, undefined, undefined, limits);
  return async (call) => {
    const { context, admitted } = call;
    const isBinary = PLAIN_TYPES.get(callTypeOf(context.req)) === true;
    let response: Uint8Array;
    try {
      await admitted;
      const timeoutMs = timeoutOf(context);
      const request = await readMessage(context, method.input, { bytesMax: readMaxBytes, isBinary });
      response = serialization.getO(isBinary).serialize(await callUnary(target, request, { method, call, timeoutMs }));
    } catch (error) {
      refuse(context, toConnectError(error, context));
      return;
    }
    const contentType = isBinary ? contentTypeUnaryProto : contentTypeUnaryJson;
    send(context, { status: 200, contentType, headers: EXPOSED, body: toReplyBody(response) });
  };
}

/** In milliseconds; undefined without a deadline. Fails with ConnectError if it is no number. */
function timeoutOf({ req }: RequestContext): number | undefined {
  const { [headerTimeout.toLowerCase()]: header } = req.headers;
  const { timeoutMs, error } = parseTimeout(typeof header === "string" ? header : null, Number.MAX_SAFE_INTEGER);
  if (error !== undefined) throw error;
  return timeoutMs;
}

function refuse(context: RequestContext, error: ConnectError): void {
  send(context, {
    status: codeToHttpStatus(error.code),
    contentType: contentTypeUnaryJson,
    headers: [...EXPOSED, ...[...error.metadata].flat()],
    body: errorToJsonBytes(error, undefined),
  });
}
