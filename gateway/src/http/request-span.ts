import type { IncomingMessage } from "node:http";
import { isTracing, type Span, startSpan, type TraceContext } from "@hourglass/runtime";

/** Orchestrators and monitors ask these all the time, and nobody wants to see it. */
const UNTRACED: readonly (string | undefined)[] = ["/healthz", "/readyz", "/metrics"];
/** Other methods than these are one, in the words of OpenTelemetry. */
const METHODS: readonly (string | undefined)[] = "GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH".split(" ");
const OTHER_METHOD = "_OTHER";
const SERVER_FAILURE = 500;

/** How a request was answered. */
export interface Answered {
  /** Pattern of the path; undefined when it fits none. */
  route: string | undefined;
  status: number;
}

/**
 * Begins the span of a request, in the trace of its client if it names one; nothing with tracing off. What the path,
 * the query and the headers say is left out: it may name what is nobody's business.
 */
export function startRequestSpan(req: IncomingMessage, requestId: string): Span | undefined {
  if (!isTracing() || UNTRACED.includes(req.url)) return undefined;
  const method = methodOf(req);
  return startSpan({
    name: nameOf(method),
    kind: "server",
    parent: traceOf(req),
    attributes: {
      "http.request.method": method,
      "url.scheme": "http",
      "network.protocol.version": req.httpVersion,
      "hourglass.request_id": requestId,
    },
  });
}

/** Ends the span of a request, when its answer has gone out or its client has left. */
export function endRequestSpan(span: Span, req: IncomingMessage, { route, status }: Answered): void {
  span.set({ "http.response.status_code": status });
  if (route !== undefined) {
    span.rename(`${nameOf(methodOf(req))} ${route}`);
    span.set({ "http.route": route });
  }
  if (status >= SERVER_FAILURE) span.fail(String(status));
  span.end();
}

function methodOf({ method }: IncomingMessage): string {
  return method !== undefined && METHODS.includes(method) ? method : OTHER_METHOD;
}

function nameOf(method: string): string {
  return method === OTHER_METHOD ? "HTTP" : method;
}

function traceOf({ headers }: IncomingMessage): TraceContext | null {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== "string") return null;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}
