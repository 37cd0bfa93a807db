import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { Writable } from "node:stream";
import {
  type DescField,
  type DescMessage,
  type DescOneof,
  isFieldSet,
  type Message,
  type MessageShape,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { Metadata, type ServiceError } from "@grpc/grpc-js";
import type { AppError } from "../../errors/app-error.js";
import { fromGrpcFailure, STATUS_DETAILS_KEY, toGrpcFailure } from "../../errors/grpc-status.js";
import { activeTrace, isTracing } from "../../telemetry/spans.js";
import type { RemoteTrace } from "../rpc-spans.js";
import type { CallOptions } from "../service.js";

/** 64 MiB: enough for an operation of 1,000 long texts, too small for a decompression bomb. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Bytes that a peer may send before they are acknowledged, per stream and per connection. HTTP/2 starts with 64 KiB,
 * which makes a file wait 16 times per mebibyte.
 */
export const RECEIVE_WINDOW_BYTES = 1_048_576;

/** The bytes of a message, as a Buffer view for grpc-js, without a copy. */
export function encode(schema: DescMessage, message: Message): Buffer {
  const piece = encodeBytesMessage(schema, message);
  if (piece !== undefined) return piece;
  const bytes = toBinary(schema, message as MessageShape<DescMessage>);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A (de)serializer that does nothing: we encode and decode ourselves, where failures can be distinguished. */
export function unchanged(bytes: Buffer): Buffer {
  return bytes;
}

/** Below this size, in bytes, the library's encoder is as good. */
const LARGE_BYTES = 4096;
/** Wire type of a length-delimited field. */
const LENGTH_DELIMITED = 2;

/**
 * The encoded bytes of a message that contains only a large piece of a file; undefined for any other message. The
 * library's encoder doubles its buffer until the piece fits and copies the result out of it, which takes three times
 * the memory for each piece; most of the memory of a process that relays files is garbage not yet collected.
 */
export function encodeBytesMessage(schema: DescMessage, message: Message): Buffer | undefined {
  const [member, ...others] = schema.members;
  if (member === undefined || message.$unknown !== undefined) return undefined;
  if (others.some((other) => other.kind === "oneof" || isFieldSet(message, other))) return undefined;
  const [field, value] = contentOf(member, (message as unknown as Record<string, unknown>)[member.localName]);
  if (field?.fieldKind !== "scalar" || field.scalar !== ScalarType.BYTES) return undefined;
  if (!(value instanceof Uint8Array) || value.length < LARGE_BYTES) return undefined;
  const head = [...varint(field.number * 8 + LENGTH_DELIMITED), ...varint(value.length)];
  const encoded = Buffer.allocUnsafe(head.length + value.length);
  encoded.set(head);
  encoded.set(value, head.length);
  return encoded;
}

type Content = readonly [field: DescField | undefined, value: unknown];

/** The set field of a message's member, and its value. */
function contentOf(member: DescField | DescOneof, held: unknown): Content {
  if (member.kind === "field") return [member, held];
  const chosen = held as { case?: string; value?: unknown };
  return [member.fields.find(({ localName }) => localName === chosen.case), chosen.value];
}

/** Seven bits a byte, lowest first; all but the last have the highest bit set. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

/** Limit of unsent bytes per stream. In bytes because grpc-js counts messages, which may be large. */
const PENDING_BYTES_MAX = 256 * 1024;

/** Writes to a stream no faster than its reader reads. */
export class MessageWriter {
  private pendingBytes = 0;
  private resume: (() => void) | undefined;

  /** `signal` ends all waiting, because a write to a finished call may never be confirmed. */
  constructor(
    private readonly call: Writable,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.resume?.(), { once: true });
  }

  /** Resolves when there is room for more. */
  async write(bytes: Buffer): Promise<void> {
    if (this.signal.aborted) return;
    this.pendingBytes += bytes.length;
    this.call.write(bytes, () => {
      this.pendingBytes -= bytes.length;
      if (this.pendingBytes <= PENDING_BYTES_MAX) this.resume?.();
    });
    if (this.pendingBytes <= PENDING_BYTES_MAX) return;
    await new Promise<void>((resolve) => {
      this.resume = resolve;
    });
  }
}

const REQUEST_ID = "x-request-id";
/** Between parts of the product only: the gRPC port for others fills in what it sees. */
const CLIENT_ADDRESS = "x-hourglass-client-address";
const AUTHORIZATION = "authorization";
const TRACEPARENT = "traceparent";
const TRACESTATE = "tracestate";
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Metadata that a caller sends with its request. */
export function callMetadata({ token, requestId, clientAddress }: CallOptions): Metadata {
  const metadata = new Metadata();
  if (token !== undefined && token !== "") metadata.set(AUTHORIZATION, `Bearer ${token}`);
  metadata.set(REQUEST_ID, requestId ?? randomUUID());
  if (clientAddress !== undefined && clientAddress !== "") metadata.set(CLIENT_ADDRESS, clientAddress);
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

/** The address of the client for whom a call is made; undefined if the caller names none. */
export function clientAddressOf(metadata: Metadata): string | undefined {
  const [address] = metadata.get(CLIENT_ADDRESS);
  return typeof address === "string" && isIP(address) !== 0 ? address : undefined;
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
export function responseMetadata(requestId: string): Metadata {
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
  const metadata = responseMetadata(requestId);
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
