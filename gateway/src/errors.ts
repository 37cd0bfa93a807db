import { AppError, toHttpStatus, type AppErrorOptions } from "@hourglass/runtime";
import { jsonReply, type Reply } from "./http/reply.js";

/** A request that the gateway itself refuses with a status that no service knows. */
export class RefusedRequest extends AppError {
  constructor(
    readonly status: 404 | 405 | 408 | 415 | 431,
    message: string,
    options: AppErrorOptions & { readonly allow?: string } = {},
  ) {
    super("invalid", message, options);
    this.allow = options.allow;
  }

  /** Value of the Allow header. */
  readonly allow: string | undefined;
}

/** How often something may be done, as the headers of a 429 tell it. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  /** Absent: it is a number at a time, not in a time. */
  readonly windowSeconds?: number;
}

/** A request beyond a quota that the gateway itself keeps. */
export class OverQuota extends AppError {
  constructor(
    readonly quota: Quota,
    message: string,
    options: AppErrorOptions,
  ) {
    super("too-many", message, options);
  }
}

/** A request for which the gateway itself has no room. */
export class ServerBusy extends AppError {
  constructor(message: string, options: AppErrorOptions) {
    super("unavailable", message, options);
  }
}

const SECONDS_UNTIL_RETRY = 5;
/** What a service says when there is no room for what it was to keep. */
const STORAGE_FULL = "storage_full";
const RETRIED = new Set([429, 503, 504]);

/**
 * The answer to a failure: the one place where failures become statuses, headers and JSON. `serviceQuota` is what the
 * service counts by when it is the one who refuses.
 */
export function errorReply(error: AppError, requestId: string, serviceQuota?: Quota): Reply {
  const quota = error instanceof OverQuota ? error.quota : serviceQuota;
  const status = statusOf(error);
  const headers: string[] = [];
  if (status === 401) headers.push("WWW-Authenticate", "Bearer");
  if (error instanceof RefusedRequest && error.allow !== undefined) headers.push("Allow", error.allow);
  const retryAfter = retryAfterSeconds(error, status);
  if (retryAfter !== undefined) headers.push("Retry-After", String(retryAfter));
  if (status === 429 && quota !== undefined) headers.push(...exhausted(quota, retryAfter ?? SECONDS_UNTIL_RETRY));
  return jsonReply(status, errorBody(error, requestId), headers);
}

function statusOf(error: AppError): number {
  if (error instanceof RefusedRequest) return error.status;
  // Trying again helps only once somebody has made room, so it is no 503.
  return error.kind === "unavailable" && error.code === STORAGE_FULL ? 507 : toHttpStatus(error.kind);
}

/** The JSON of a failure; `details` only where fields are wrong. */
export function errorBody(error: AppError, requestId: string): unknown {
  const { message, code, violations } = error;
  if (violations.length === 0) return { error: message, code, request_id: requestId };
  return { error: message, code, details: violations, request_id: requestId };
}

/** RateLimit headers of a quota with nothing left. */
function exhausted(quota: Quota, resetSeconds: number): string[] {
  const window = quota.windowSeconds === undefined ? "" : `;w=${quota.windowSeconds}`;
  return [
    "RateLimit",
    `"${quota.name}";r=0;t=${resetSeconds}`,
    "RateLimit-Policy",
    `"${quota.name}";q=${quota.limit}${window}`,
  ];
}

function retryAfterSeconds(error: AppError, status: number): number | undefined {
  if (!RETRIED.has(status)) return undefined;
  if (error.retryAfterMs === undefined) return SECONDS_UNTIL_RETRY;
  return Math.max(1, Math.ceil(error.retryAfterMs / 1000));
}
