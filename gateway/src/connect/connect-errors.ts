import { Code, ConnectError } from "@connectrpc/connect";
import { describeFailure, type AppError } from "@hourglass/runtime";
import { RefusedRequest } from "../http/errors.js";
import type { RequestContext } from "../http/request-context.js";

/** The codes of Connect by number; gRPC has the same numbers. */
const CODES: ReadonlyMap<number, Code> = new Map(
  Object.values(Code).flatMap((code) => (typeof code === "number" ? [[code, code]] : [])),
);

/** The failure of a request as Connect and gRPC-web carry it, with the same code, message and details as in gRPC. */
export function toConnectError(error: unknown, context: RequestContext): ConnectError {
  return error instanceof ConnectError ? error : asConnectError(context.failure(error));
}

/** A failure in the terms of Connect. */
export function asConnectError(failure: AppError): ConnectError {
  const { code, message, details } = describeFailure(failure);
  const outgoing = details.map(({ desc, value }) => ({ desc, value }));
  const connectCode = isTimeout(failure) ? Code.DeadlineExceeded : (CODES.get(code) ?? Code.Internal);
  return new ConnectError(message, connectCode, headersOf(failure), outgoing);
}

/** REST has a status for a request that arrived too slowly; gRPC has only this code. */
function isTimeout(error: AppError): boolean {
  return error instanceof RefusedRequest && error.status === 408;
}

function headersOf({ kind, retryAfterMs }: AppError): Record<string, string> {
  if (kind === "unauthenticated") return { "www-authenticate": "Bearer" };
  return retryAfterMs === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
}
