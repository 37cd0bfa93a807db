import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { AppError, type ErrorKind } from "../errors/app-error.js";
import { toGrpcCode } from "../errors/grpc-status.js";
import { type CallOptions, type Client, clientOf } from "./service.js";
import { eachInSpan, isTracing, type Span, type SpanStart, startSpan, type TraceContext } from "../telemetry/spans.js";

/** Server failures; the other kinds report a problem of the request. */
const SERVER_FAILURES: readonly string[] = ["internal", "unavailable", "deadline", "unimplemented"];

/** Health probes, sent and served, are frequent and of no interest in traces. */
const UNTRACED_PACKAGE = "grpc.";

/** Trace of a call's origin: `null` for a call over a port without a trace, undefined for a call in this process. */
export type RemoteTrace = TraceContext | null | undefined;

/** Starts the span of a call served here; undefined if tracing is off, and for probes. */
export function startServedCall(method: DescMethod, requestId: string, remote: RemoteTrace): Span | undefined {
  if (!isTracing() || isUntraced(method.parent)) return undefined;
  const start = spanOf(method, remote === undefined ? "internal" : "server");
  const span = startSpan(remote === undefined ? start : { ...start, parent: remote });
  span?.set({ "hourglass.request_id": requestId });
  return span;
}

/** Ends the span of a call with the outcome that its caller saw. `service` is the name of a calling service. */
export function endServedCall(
  span: Span | undefined,
  outcome: AppError | ErrorKind | "ok",
  service: string | undefined,
): void {
  if (span === undefined) return;
  if (service !== undefined) span.set({ "hourglass.caller": service });
  const kind = outcome instanceof AppError ? outcome.kind : outcome;
  span.set({ "rpc.grpc.status_code": kind === "ok" ? 0 : toGrpcCode(kind) });
  if (SERVER_FAILURES.includes(kind)) span.fail(outcome);
  span.end();
}

/** Wraps a client so that every call, except a health probe, is a span and propagates its trace. Without tracing there is no overhead. */
export function traceClient<S extends DescService>(service: S, client: Client<S>): Client<S> {
  if (isUntraced(service)) return client;
  const calls = client as unknown as Record<string, AnyCall>;
  const traced = (method: DescMethod, make: (call: AnyCall) => AnyCall): AnyCall => {
    const call = calls[method.localName];
    if (call === undefined) throw new Error(`${service.typeName} has no client for ${method.name}`);
    return make(call);
  };
  return clientOf(service, {
    unary: (method) => traced(method, (call) => tracedCall(method, call)),
    clientStream: (method) => traced(method, (call) => tracedCall(method, call)),
    serverStream: (method) => traced(method, (call) => tracedStream(method, call)),
  });
}

function isUntraced({ typeName }: DescService): boolean {
  return typeName.startsWith(UNTRACED_PACKAGE);
}

type AnyCall = (request: unknown, options?: CallOptions) => unknown;

function tracedCall(method: DescMethod, call: AnyCall): AnyCall {
  return (request, options) => {
    const span = startSpan(spanOf(method, "client"));
    if (span === undefined) return call(request, options);
    const response = span.run(() => call(request, options)) as Promise<unknown>;
    return endWith(span, response);
  };
}

async function endWith(span: Span, response: Promise<unknown>): Promise<unknown> {
  try {
    return await response;
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

function tracedStream(method: DescMethod, call: AnyCall): AnyCall {
  return (request, options) => {
    const span = startSpan(spanOf(method, "client"));
    if (span === undefined) return call(request, options);
    const items = span.run(() => call(request, options)) as AsyncIterable<unknown>;
    return endAfter(span, eachInSpan(span, items));
  };
}

async function* endAfter(span: Span, items: AsyncIterable<unknown>): AsyncGenerator {
  try {
    yield* items;
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

function spanOf(method: DescMethod, kind: "internal" | "server" | "client"): SpanStart {
  const { typeName } = method.parent;
  return {
    name: `${typeName}/${method.name}`,
    kind,
    attributes: {
      "rpc.system": kind === "internal" ? "in-process" : "grpc",
      "rpc.service": typeName,
      "rpc.method": method.name,
    },
  };
}
