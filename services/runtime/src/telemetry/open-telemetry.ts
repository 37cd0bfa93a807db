import {
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span as ApiSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer as ApiTracer,
} from "@opentelemetry/api";
import { AppError } from "../errors/app-error.js";
import type { Span, SpanAttributes, SpanStart, TraceContext, Tracer } from "./spans.js";

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** A tracer based on OpenTelemetry, whose context manager and propagator must be registered. */
export function openTelemetryTracer(tracer: ApiTracer): Tracer {
  return {
    start: ({ name, kind = "internal", attributes = {}, parent }) => {
      const outer = outerOf(parent);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, outer);
      return new OpenTelemetrySpan(span, trace.setSpan(outer, span));
    },
    active: () => headersOf(context.active()),
  };
}

function outerOf(parent: SpanStart["parent"]): Context {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, parent);
}

function headersOf(at: Context): TraceContext | undefined {
  const headers: Partial<TraceContext> = {};
  propagation.inject(at, headers);
  const { traceparent, tracestate } = headers;
  if (traceparent === undefined) return undefined;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

class OpenTelemetrySpan implements Span {
  constructor(
    private readonly span: ApiSpan,
    private readonly inside: Context,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get context(): TraceContext {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    const flags = traceFlags.toString(16).padStart(2, "0");
    return headersOf(this.inside) ?? { traceparent: `00-${traceId}-${spanId}-${flags}` };
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  fail(error: unknown): void {
    this.span.setAttribute("error.type", typeOf(error));
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  run<T>(work: () => T): T {
    return context.with(this.inside, work);
  }

  end(): void {
    this.span.end();
  }
}

/** The type of an error; its message is not used because it may quote user content. */
function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (error instanceof Error) return error.name;
  return typeof error === "string" ? error : typeof error;
}
