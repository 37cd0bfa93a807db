import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  trace,
  type Context,
  ROOT_CONTEXT,
  type Span as ApiSpan,
  SpanKind,
  SpanStatusCode,
  type Tracer as ApiTracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import { setTracer, type Span, type SpanAttributes, type SpanStart, type TraceContext, type Tracer } from "./spans.js";

/** Limits the flush, so that an unavailable collector does not delay the end of the process. */
const FLUSH_MS_MAX = 3000;
/** Interval between log lines for a persistent problem. */
const SILENCE_MS = 600_000;
const REASON_CHARACTERS_MAX = 300;

/** The tracing of a process. */
export interface Tracing {
  /** Flushes pending spans, for a few seconds at most, and stops creating spans. Never fails. */
  stop(): Promise<void>;
}

interface SpanExportOptions {
  serviceName: string | undefined;
  /** Headers of the requests to the collector, `name=value` with commas between; the exporter knows no file of them. */
  headers?: string | undefined;
  process: string;
  log: Logger;
  /** Receives the spans; by default they are sent to the collector in batches. */
  processor?: SpanProcessor;
}

/** Sets up OpenTelemetry for this process. It reads address, sampler and limits from the environment. */
export function exportSpans(options: SpanExportOptions): Tracing {
  reportTrouble(options.log);
  const provider = new NodeTracerProvider({
    resource: resourceOf(options),
    spanProcessors: [
      options.processor ?? new BatchSpanProcessor(new OTLPTraceExporter({ headers: headersOf(options.headers) })),
    ],
  });
  provider.register();
  setTracer(openTelemetryTracer(provider.getTracer("hourglass")));
  return {
    stop: async () => {
      setTracer(undefined);
      await settledWithin(provider.shutdown(), FLUSH_MS_MAX);
      for (const api of [trace, context, propagation, diag]) api.disable();
    },
  };
}

function headersOf(text = ""): Record<string, string> {
  const pairs = text.split(",").map((pair) => pair.split("="));
  return Object.fromEntries(
    pairs
      .filter(([, ...value]) => value.length > 0)
      .map(([name = "", ...value]) => [decodeURIComponent(name.trim()), decodeURIComponent(value.join("=").trim())]),
  );
}

function resourceOf({ serviceName, process }: SpanExportOptions) {
  const own = resourceFromAttributes({ "service.name": `hourglass-${process}` });
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
  return serviceName === undefined ? resource : resource.merge(resourceFromAttributes({ "service.name": serviceName }));
}

/** Logs OpenTelemetry's problems, which it reports only here, without filling the log during a collector outage. */
function reportTrouble(log: Logger): void {
  let silentUntil = 0;
  const report = (message: string) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + SILENCE_MS;
    log.warn({ reason: reasonIn(message) }, "traces are lost: check the collector and OTEL_*");
  };
  const ignore = () => undefined;
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The first line of a problem. OpenTelemetry reports errors as JSON with their stacks, and some without a message. */
function reasonIn(report: string): string {
  return (describe(report).split("\n", 1)[0] ?? "").slice(0, REASON_CHARACTERS_MAX);
}

function describe(report: string): string {
  try {
    const { message, code, name } = JSON.parse(report) as Partial<Record<"message" | "code" | "name", unknown>>;
    const known = [message, code, name].find((text) => typeof text === "string" && text !== "");
    return typeof known === "string" ? known : report;
  } catch {
    return report; // a plain text
  }
}

async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  // The failure has already been reported.
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** A tracer based on OpenTelemetry, whose context manager and propagator must be registered. */
function openTelemetryTracer(tracer: ApiTracer): Tracer {
  return {
    start: ({ name, kind = "internal", attributes = {}, parent }) => {
      const outer = outerOf(parent);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, outer);
      return new OpenTelemetrySpan(span, trace.setSpan(outer, span));
    },
    active: () => traceContextOf(context.active()),
  };
}

function outerOf(parent: SpanStart["parent"]): Context {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, parent);
}

function traceContextOf(at: Context): TraceContext | undefined {
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
    return traceContextOf(this.inside) ?? { traceparent: `00-${traceId}-${spanId}-${flags}` };
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
