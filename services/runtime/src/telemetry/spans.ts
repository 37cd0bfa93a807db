/** Counts, ids and names of types: never contents, names of people, or tokens. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** Where a span stands in a trace, as the W3C headers of these names carry it from process to process. */
export interface TraceContext {
  traceparent: string;
  /** Of the tracing systems the trace came through; passed on as it is. */
  tracestate?: string;
}

/** A span that is about to begin. */
export interface SpanStart {
  /** Of few kinds: ids go into attributes. */
  name: string;
  /** What the span is in its trace; `internal` when absent. */
  kind?: "internal" | "server" | "client" | "producer" | "consumer";
  attributes?: SpanAttributes;
  /** What the span continues; null: it begins a trace. Absent: it belongs into the span that is active, if any. */
  parent?: TraceContext | null;
}

/** A piece of work in a trace, from its making to its `end`. */
export interface Span {
  /** 32 hexadecimal digits, the same for all spans of a trace. */
  readonly traceId: string;
  readonly context: TraceContext;
  /** Gives it another name, where the right one is known late. */
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed. Kept is the code or name of the error, not its message. */
  fail(error: unknown): void;
  /** Runs work, and all that it starts, with this span as the active one. */
  run<T>(work: () => T): T;
  end(): void;
}

/** Makes spans. */
export interface Tracer {
  start(span: SpanStart): Span;
  /** Of the span that is active. */
  active(): TraceContext | undefined;
}

/** One for the process, like its log. Undefined: tracing is off, and all that is here comes down to this test. */
let tracer: Tracer | undefined;

/** Makes all spans of this process from now on with this tracer; undefined turns tracing off. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether spans are made at all. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Begins a span, which its caller has to end; nothing with tracing off. */
export function startSpan(start: SpanStart): Span | undefined {
  return tracer?.start(start);
}

/** Does work in a span, which fails as the work does and ends with it. Without tracing it is just the work. */
export function inSpan<T>(start: SpanStart, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  const span = tracer?.start(start);
  return span === undefined ? work(undefined) : during(span, () => work(span));
}

/** Yields what the source does; its work between two items belongs to the span. */
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

/** Where the work that is under way stands in its trace; nothing outside of traces. */
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
