import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { AppError, describeFailure } from "@hourglass/runtime";
import { RefusedRequest } from "../http/errors.js";
import { mediaType, type HeaderList } from "../http/headers.js";
import type { Reply } from "../http/reply.js";
import type { RequestContext } from "../http/request-context.js";
import { inCallersSpelling } from "./caller-spelling.js";

/** The codes of Connect by number; gRPC has the same numbers. */
const CODES: ReadonlyMap<number, Code> = new Map(
  Object.values(Code).flatMap((code) => (typeof code === "number" ? [[code, code]] : [])),
);

/**
 * The failure of a request as Connect and gRPC-web carry it, with the same code, message and details as in gRPC; with the
 * names of enums as callers write them, if the type of the request is given.
 */
export function toConnectError(error: unknown, context: RequestContext, request?: DescMessage): ConnectError {
  if (error instanceof ConnectError) return error;
  const failure = context.failure(error);
  return asConnectError(request === undefined ? failure : inCallersSpelling(failure, request));
}

/** The failure of a stream whose messages the protocol itself cannot read, which it reports without details; or our own. */
export function fromProtocol(error: unknown): AppError {
  if (error instanceof ConnectError && error.cause instanceof AppError) return error.cause;
  if (!(error instanceof ConnectError) || error.code !== Code.InvalidArgument) return AppError.from(error);
  const message = "A message of the stream cannot be read. Send messages of the type of the method.";
  return new AppError("invalid", message, { code: "malformed_message", cause: error });
}

/** A failure in the terms of Connect. */
export function asConnectError(failure: AppError): ConnectError {
  const { code, message, details } = describeFailure(failure);
  const outgoing = details.map(({ desc, value }) => ({ desc, value }));
  const refused = failure instanceof RefusedRequest ? CODE_OF_STATUS[failure.status] : undefined;
  return new ConnectError(message, refused ?? CODES.get(code) ?? Code.Internal, headersOf(failure), outgoing, failure);
}

/** REST has its own statuses for these, and RPC only a code. */
const CODE_OF_STATUS: Readonly<Partial<Record<number, Code>>> = {
  404: Code.Unimplemented,
  405: Code.Unimplemented,
  408: Code.DeadlineExceeded,
};

/** The answer to a call that no handler of the protocols answers: in the trailers of gRPC-web, or as the JSON of Connect. */
export function failureReply(refusal: RefusedRequest, { req }: RequestContext): Reply {
  const error = asConnectError(refusal);
  const type = mediaType(req.headers["content-type"]);
  if (!GRPC_WEB.test(type)) {
    const body = JSON.stringify(errorToJson(error, undefined));
    return { status: refusal.status, headers: refusal.headers, body };
  }
  const headers = [...refusal.headers, ...EXPOSED];
  setTrailerStatus(new Headers(), error).forEach((value, name) => headers.push(name, value));
  return { status: 200, headers, contentType: type, body: "" };
}

const GRPC_WEB = /^application\/grpc-web(-text)?(\+(proto|json))?$/;

/** Headers of a gRPC-web response that a script of another origin may read, in addition to those of every response. */
export const EXPOSED: HeaderList = [
  "Access-Control-Expose-Headers",
  "Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin",
];

function headersOf({ kind, retryAfterMs }: AppError): Record<string, string> {
  if (kind === "unauthenticated") return { "www-authenticate": "Bearer" };
  return retryAfterMs === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
}
