/** Counts, ids and names of types: never contents, names of people, or tokens. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** Position of a span in a trace, in the format of the W3C headers of the same names. */
export interface TraceContext {
  traceparent: string;
  /** State of other tracing systems; passed on unchanged. */
  tracestate?: string;
}

/** Options for starting a span. */
export interface SpanStart {
  /** Low cardinality: ids belong in attributes. */
  name: string;
  /** Kind of the span; default `internal`. */
  kind?: "internal" | "server" | "client" | "producer" | "consumer";
  attributes?: SpanAttributes;
  /** The parent; null: the span begins a trace. Absent: the active span, if any. */
  parent?: TraceContext | null;
}

/** A unit of work in a trace, from its start to `end`. */
export interface Span {
  /** 32 hexadecimal digits, the same for all spans of a trace. */
  readonly traceId: string;
  readonly context: TraceContext;
  /** Renames the span, if the right name is known only later. */
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed. Records the code or name of the error, not its message. */
  fail(error: unknown): void;
  /** Runs work, and everything it starts, with this span as the active one. */
  run<T>(work: () => T): T;
  end(): void;
}

/** Creates spans. */
export interface Tracer {
  start(span: SpanStart): Span;
  /** Context of the active span. */
  active(): TraceContext | undefined;
}

/** Global to the process. Undefined: tracing is off, and the functions here only make this check. */
let tracer: Tracer | undefined;

/** Sets the tracer for all further spans of this process; undefined turns tracing off. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether tracing is on. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Starts a span, which the caller must end; undefined if tracing is off. */
export function startSpan(start: SpanStart): Span | undefined {
  return tracer?.start(start);
}

/** Runs work in a span, which fails if the work does and ends with it. If tracing is off, it only runs the work. */
export function inSpan<T>(start: SpanStart, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  const span = tracer?.start(start);
  return span === undefined ? work(undefined) : during(span, () => work(span));
}

/** Yields the items of the source; its work between two items belongs to the span. */
export function eachInSpan<T>(span: Span | undefined, source: AsyncIterable<T>): AsyncIterable<T> {
  if (span === undefined) return source;
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = source[Symbol.asyncIterator]();
      return {
        next: () => span.run(() => iterator.next()),
        return: () => span.run(() => iterator.return?.() ?? Promise.resolve({ done: true, value: undefined })),
      };
    },
  };
}

/** Trace context of the current work; undefined outside of a trace. */
export function activeTrace(): TraceContext | undefined {
  return tracer?.active();
}

async function during<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
