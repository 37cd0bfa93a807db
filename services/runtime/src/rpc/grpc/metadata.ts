import { randomUUID } from "node:crypto";
import { Metadata, type ServiceError } from "@grpc/grpc-js";
import type { AppError } from "../../errors/app-error.js";
import { fromGrpcFailure, STATUS_DETAILS_KEY, toGrpcFailure } from "../../errors/grpc-status.js";
import { activeTrace, isTracing } from "../../telemetry/spans.js";
import type { RemoteTrace } from "../../telemetry/rpc-spans.js";
import type { CallOptions } from "../service.js";

const REQUEST_ID = "x-request-id";
const AUTHORIZATION = "authorization";
const TRACEPARENT = "traceparent";
const TRACESTATE = "tracestate";
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** What a caller sends beside its request. */
export function callMetadata({ token, requestId }: CallOptions): Metadata {
  const metadata = new Metadata();
  if (token !== undefined && token !== "") metadata.set(AUTHORIZATION, `Bearer ${token}`);
  metadata.set(REQUEST_ID, requestId ?? randomUUID());
  const trace = activeTrace();
  if (trace !== undefined) metadata.set(TRACEPARENT, trace.traceparent);
  if (trace?.tracestate !== undefined) metadata.set(TRACESTATE, trace.tracestate);
  return metadata;
}

/** The trace of the caller; null when it names none. With tracing off nobody looks. */
export function traceOf(metadata: Metadata): RemoteTrace {
  if (!isTracing()) return null;
  const [traceparent] = metadata.get(TRACEPARENT);
  const [tracestate] = metadata.get(TRACESTATE);
  if (typeof traceparent !== "string") return null;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}

/** The caller's request id when it is a sane one, else a new one. */
export function requestIdOf(metadata: Metadata): string {
  const id = metadata.get(REQUEST_ID)[0];
  return typeof id === "string" && SANE_REQUEST_ID.test(id) ? id : randomUUID();
}

/** The bearer token; empty without one, and when there are several to choose from. */
export function tokenOf(metadata: Metadata): string {
  const values = metadata.get(AUTHORIZATION);
  const [value] = values;
  if (values.length !== 1 || typeof value !== "string") return "";
  return /^Bearer +(\S+) *$/i.exec(value)?.[1] ?? "";
}

/** What a server sends ahead of its answer. */
export function answerMetadata(requestId: string): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, requestId);
  return metadata;
}

/**
 * A failure as grpc-js sends it. Nothing is sent ahead of it: a call whose answer has begun is not tried again, even
 * where it may be.
 */
export function toStatus(error: AppError, requestId: string): { code: number; details: string; metadata: Metadata } {
  const { code, message, details } = toGrpcFailure(error);
  const metadata = answerMetadata(requestId);
  metadata.set(STATUS_DETAILS_KEY, Buffer.from(details));
  return { code, details: message, metadata };
}

/** A failure as grpc-js reports it to a client. */
export function fromServiceError(error: ServiceError): AppError {
  const [details] = error.metadata.get(STATUS_DETAILS_KEY);
  return fromGrpcFailure({
    code: error.code,
    message: error.details,
    details: typeof details === "string" ? undefined : details,
    cause: error,
  });
}
