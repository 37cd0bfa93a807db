import type { IncomingMessage } from "node:http";
import { isTracing, type Span, startSpan, type TraceContext } from "@hourglass/runtime";

/** Orchestrators and monitors poll these paths all the time; the traces would be noise. */
const UNTRACED: readonly string[] = ["/healthz", "/readyz", "/metrics"];
/** All other methods are reported as one, as OpenTelemetry specifies. */
const METHODS: readonly (string | undefined)[] = "GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH".split(" ");
const OTHER_METHOD = "_OTHER";
const SERVER_FAILURE = 500;

/** The outcome of a request. */
export interface Answered {
  /** Pattern of the path; undefined if none matches. */
  route: string | undefined;
  status: number;
}

/**
 * Begins the span of a request, in the trace of its client if it names one; undefined if tracing is off. The path, the
 * query and the headers are omitted, since they may contain private data.
 */
export function startRequestSpan(req: IncomingMessage, requestId: string): Span | undefined {
  if (!isTracing() || UNTRACED.includes(pathOf(req))) return undefined;
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

/** Ends the span of a request once its response has been sent or its client has disconnected. */
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

/** Probes may have a query, which a span never shows. */
function pathOf({ url = "" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

function nameOf(method: string): string {
  return method === OTHER_METHOD ? "HTTP" : method;
}

function traceOf({ headers }: IncomingMessage): TraceContext | null {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== "string") return null;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}
