import { AppError, toHttpStatus, type AppErrorOptions } from "@hourglass/runtime";
import type { HeaderList } from "./headers.js";
import { jsonReply, type Reply } from "./reply.js";

/** A request that the gateway itself refuses, with a status that services do not use. */
export class RefusedRequest extends AppError {
  constructor(
    readonly status: 404 | 405 | 408 | 415 | 416 | 431,
    message: string,
    options: AppErrorOptions & { readonly allow?: string; readonly headers?: HeaderList } = {},
  ) {
    super("invalid", message, options);
    this.headers = [...(options.allow === undefined ? [] : ["Allow", options.allow]), ...(options.headers ?? [])];
  }

  /** Headers of the response. */
  readonly headers: HeaderList;
}

/** A quota, as described in the headers of a 429. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  /** Absent: the limit is a number at a time, not per period. */
  readonly windowSeconds?: number;
}

/** A request that exceeds a quota kept by the gateway itself. */
export class OverQuota extends AppError {
  constructor(
    readonly quota: Quota,
    message: string,
    options: AppErrorOptions,
  ) {
    super("too-many", message, options);
  }
}

/** A request for which the gateway itself has no capacity. */
export class ServerBusy extends AppError {
  constructor(message: string, options: AppErrorOptions) {
    super("unavailable", message, options);
  }
}

/** Whether the gateway itself refuses a request because of overload. */
export function isShed(error: unknown): error is OverQuota | ServerBusy {
  return error instanceof OverQuota || error instanceof ServerBusy;
}

const SECONDS_UNTIL_RETRY = 5;
/** Code of a service that has no room to store data. */
const STORAGE_FULL = "storage_full";
const RETRIED = new Set([429, 503, 504]);

/**
 * The response to a failure: the only place where failures become statuses, headers and JSON. `serviceQuota` is the
 * quota that the service counts by, for refusals by the service.
 */
export function errorReply(error: AppError, requestId: string, serviceQuota?: Quota): Reply {
  const quota = error instanceof OverQuota ? error.quota : serviceQuota;
  const status = statusOf(error);
  const headers: string[] = [];
  if (status === 401) headers.push("WWW-Authenticate", "Bearer");
  if (error instanceof RefusedRequest) headers.push(...error.headers);
  const retryAfter = retryAfterSeconds(error, status);
  if (retryAfter !== undefined) headers.push("Retry-After", String(retryAfter));
  if (status === 429 && quota !== undefined) headers.push(...exhausted(quota, retryAfter ?? SECONDS_UNTIL_RETRY));
  return jsonReply(status, errorBody(error, requestId), headers);
}

function statusOf(error: AppError): number {
  if (error instanceof RefusedRequest) return error.status;
  // The interface answers other conflicts with 400.
  if (error.code === "already_exists") return 409;
  // What a conflict of states is otherwise, this is by a header.
  if (error.code === "precondition_failed") return 412;
  // Retrying helps only after space has been freed, so this is not a 503.
  return error.kind === "unavailable" && error.code === STORAGE_FULL ? 507 : toHttpStatus(error.kind);
}

/** The JSON of a failure; `details` only if fields are invalid. */
function errorBody(error: AppError, requestId: string): unknown {
  const { message, code, violations } = error;
  if (violations.length === 0) return { error: message, code, request_id: requestId };
  return { error: message, code, details: violations, request_id: requestId };
}

/** RateLimit headers of an exhausted quota. */
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
  if (error.retryAfterMs === undefined) return RETRIED.has(status) ? SECONDS_UNTIL_RETRY : undefined;
  if (!RETRIED.has(status) && status !== 409) return undefined;
  return Math.max(1, Math.ceil(error.retryAfterMs / 1000));
}
