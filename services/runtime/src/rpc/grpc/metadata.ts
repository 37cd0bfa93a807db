import { randomUUID } from "node:crypto";
import { Metadata, type ServiceError } from "@grpc/grpc-js";
import type { AppError } from "../../errors/app-error.js";
import { fromGrpcFailure, STATUS_DETAILS_KEY, toGrpcFailure } from "../../errors/grpc-status.js";
import { activeTrace, isTracing } from "../../telemetry/spans.js";
import type { RemoteTrace } from "../rpc-spans.js";
import type { CallOptions } from "../service.js";

const REQUEST_ID = "x-request-id";
const AUTHORIZATION = "authorization";
const TRACEPARENT = "traceparent";
const TRACESTATE = "tracestate";
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Metadata that a caller sends with its request. */
export function callMetadata({ token, requestId }: CallOptions): Metadata {
  const metadata = new Metadata();
  if (token !== undefined && token !== "") metadata.set(AUTHORIZATION, `Bearer ${token}`);
  metadata.set(REQUEST_ID, requestId ?? randomUUID());
  const trace = activeTrace();
  if (trace !== undefined) metadata.set(TRACEPARENT, trace.traceparent);
  if (trace?.tracestate !== undefined) metadata.set(TRACESTATE, trace.tracestate);
  return metadata;
}

/** The trace of the caller; null if it names none. Not read while tracing is off. */
export function traceOf(metadata: Metadata): RemoteTrace {
  if (!isTracing()) return null;
  const [traceparent] = metadata.get(TRACEPARENT);
  const [tracestate] = metadata.get(TRACESTATE);
  if (typeof traceparent !== "string") return null;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}

/** The caller's request id if it is well-formed, otherwise a new one. */
export function requestIdOf(metadata: Metadata): string {
  const id = metadata.get(REQUEST_ID)[0];
  return typeof id === "string" && SANE_REQUEST_ID.test(id) ? id : randomUUID();
}

/** The bearer token; empty if there is none or more than one. */
export function tokenOf(metadata: Metadata): string {
  const values = metadata.get(AUTHORIZATION);
  const [value] = values;
  if (values.length !== 1 || typeof value !== "string") return "";
  return /^Bearer +(\S+) *$/i.exec(value)?.[1] ?? "";
}

/** Initial metadata of a response. */
export function answerMetadata(requestId: string): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, requestId);
  return metadata;
}

/**
 * A failure in the form that grpc-js sends. No initial metadata is sent before it: a call whose response has begun is
 * not retried, even if its method allows it.
 */
export function toStatus(error: AppError, requestId: string): { code: number; details: string; metadata: Metadata } {
  const { code, message, details } = toGrpcFailure(error);
  const metadata = answerMetadata(requestId);
  metadata.set(STATUS_DETAILS_KEY, Buffer.from(details));
  return { code, details: message, metadata };
}

/** The AppError of a failure that grpc-js reports to a client. */
export function fromServiceError(error: ServiceError): AppError {
  const [details] = error.metadata.get(STATUS_DETAILS_KEY);
  return fromGrpcFailure({
    code: error.code,
    message: error.details,
    details: typeof details === "string" ? undefined : details,
    cause: error,
  });
}
