import type { IncomingMessage } from "node:http";
import type { DescMethod } from "@bufbuild/protobuf";
import { cors, createConnectRouter, createContextValues } from "@connectrpc/connect";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { AppError } from "@hourglass/runtime";
import type { Authentication } from "../http/authentication.js";
import { RefusedRequest } from "../http/errors.js";
import { PREFLIGHT_SECONDS, REQUEST_HEADERS } from "../http/headers.js";
import { pathOf, type RequestContext } from "../http/request-context.js";
import { hasUnreadBody, send, setHeaders } from "../http/respond.js";
import type { Middleware } from "../http/router.js";
import { publishedMethods, publishedServices, type Clients } from "../services.js";
import { EXPOSED, failureReply } from "./connect-errors.js";
import { addMethod, RPC_CALL, type RpcCall } from "./forward.js";
import {
  checkedBody,
  compressed,
  encodingIn,
  encodingOf,
  jsonOptionsFor,
  messageBytesMaxOf,
  toBase64,
} from "./messages.js";

/** Prefix of every RPC path: `/hourglass.<service>.v1.<Service>/<Method>`. */
const PATH_BEGINS = "/hourglass.";

export interface RpcOptions {
  readonly clients: Clients;
  readonly authentication: Authentication;
  readonly bodyBytesMax: number;
}

interface Rpc {
  readonly handler: UniversalHandler;
  readonly method: DescMethod;
  /** Maximum size of a message. */
  readonly bytesMax: number;
  /** Product that must be active for the user's company. */
  readonly product: string | undefined;
}

/**
 * Serves the published services over Connect and gRPC-web, by the handlers of `@connectrpc/connect` and the adapter of
 * `@connectrpc/connect-node`. In front of them stand the checks of this gateway: who calls, how often, and what the
 * bytes of a request hold. gRPC itself needs HTTP/2 and has its own port. The handlers are made by the first call: most
 * clients use REST.
 */
export function createRpc(options: RpcOptions): (context: RequestContext) => Middleware | undefined {
  let rpcs: ReadonlyMap<string, Rpc> | undefined;
  return (context) => {
    const { method, url = "" } = context.req;
    if (!url.startsWith(PATH_BEGINS)) return undefined;
    const path = pathOf(context.req);
    const rpc = (rpcs ??= rpcsOf(options)).get(path);
    if (rpc === undefined) return refuseCall(unknownMethod());
    context.route = path;
    return method === "OPTIONS" ? announce(rpc.handler) : (called) => serve(called, rpc, options.authentication);
  };
}

/** Every published method, by the path of its calls. */
function rpcsOf({ clients, bodyBytesMax }: RpcOptions): ReadonlyMap<string, Rpc> {
  const rpcs = new Map<string, Rpc>();
  for (const published of publishedServices(clients)) {
    for (const method of publishedMethods(published.service)) {
      const router = createConnectRouter();
      const bytesMax = messageBytesMaxOf(method, bodyBytesMax);
      const jsonOptions = jsonOptionsFor(method.input);
      addMethod(router, published, method, { grpc: false, readMaxBytes: bytesMax, jsonOptions });
      for (const handler of router.handlers) {
        rpcs.set(handler.requestPath, { handler, method, bytesMax, product: published.product });
      }
    }
  }
  return rpcs;
}

function announce({ allowedMethods }: UniversalHandler): Middleware {
  const allow = [...allowedMethods, "OPTIONS"].join(", ");
  const allowHeaders = [...REQUEST_HEADERS, ...cors.allowedHeaders].join(", ");
  const headers = [
    ...["Allow", allow, "Access-Control-Allow-Methods", allow, "Access-Control-Allow-Headers", allowHeaders],
    ...["Access-Control-Max-Age", String(PREFLIGHT_SECONDS)],
  ];
  return (context) => send(context, { status: 204, headers });
}

async function serve(
  context: RequestContext,
  { handler, method, bytesMax, product }: Rpc,
  authentication: Authentication,
): Promise<void> {
  const { req, res } = context;
  const query = isGet(req, handler) ? new URL(req.url ?? "", "http://localhost").searchParams : undefined;
  const encoding = query === undefined ? encodingOf(req) : encodingIn(query);
  const refusal = wrongHeaders(req, query);
  const admitted = authentication.admitCall(context, method, product);
  admitted.catch(() => undefined); // reported when the body is read or the service is called
  const call: RpcCall = { context, admitted, refusal, query };
  context.sendsFile = method.methodKind === "client_streaming";
  req.headers.host = "localhost"; // the adapter needs one, which the client may have left out
  const request = universalRequestFromNodeRequest(req, res, undefined, createContextValues().set(RPC_CALL, call));
  request.header.set("content-type", encoding.type);
  request.header.delete("content-length"); // of the body that was sent, which is not the one that the handler reads
  if (refusal !== undefined) for (const name of CHECKED_HEADERS) request.header.delete(name);
  const body = checkedBody(call, method, { bytesMax, encoding });
  const response = await handler({ ...request, ...(query === undefined ? {} : { method: "POST" }), body });
  // The protocols define no body for such a response.
  if (response.body === undefined) await refuseCall(refusalOf(response.status))(context);
  else await respond(context, encoding.isText ? toBase64(response) : response);
}

/** A message in a URL is read like one in a body; the protocol would report its mistakes without details. */
function isGet({ method }: IncomingMessage, { allowedMethods }: UniversalHandler): boolean {
  return method === "GET" && allowedMethods.includes("GET");
}

/** Headers that say how the messages are compressed, and how long the caller waits. */
const COMPRESSION_HEADERS = ["content-encoding", "connect-content-encoding", "grpc-encoding"] as const;
const TIMEOUT_HEADERS = ["connect-timeout-ms", "grpc-timeout"] as const;
const CHECKED_HEADERS = [...COMPRESSION_HEADERS, ...TIMEOUT_HEADERS];
const TIMEOUT = /^(\d{1,10}|\d{1,8}[HMSmun])$/;

/** The failure of headers that a protocol would refuse without details. */
function wrongHeaders({ headers }: IncomingMessage, query: URLSearchParams | undefined): AppError | undefined {
  const codings = [query?.get("compression"), ...COMPRESSION_HEADERS.map((name) => headers[name])];
  if (codings.some((coding) => typeof coding === "string" && coding !== "" && coding !== "identity")) {
    return compressed();
  }
  const wrong = TIMEOUT_HEADERS.find((name) => !TIMEOUT.test(String(headers[name] ?? 0)));
  if (wrong === undefined) return undefined;
  const message =
    wrong === "grpc-timeout" ? "Give a number with a unit, such as 500m." : "Give whole milliseconds, such as 500.";
  return AppError.invalid([{ field: wrong, message }]);
}

/** Answers a call that no handler answers, in the form that its caller reads. */
function refuseCall(refusal: RefusedRequest): Middleware {
  return (context) => send(context, failureReply(refusal, context));
}

async function respond(context: RequestContext, response: UniversalServerResponse): Promise<void> {
  const { res } = context;
  if (hasUnreadBody(context)) {
    await refuse(context, response);
    return;
  }
  if (res.destroyed) return;
  setHeaders(context, EXPOSED);
  context.sending();
  // Its promise does not always settle, so nothing waits for it.
  universalResponseToNodeResponse(response, res).catch(() => context.reset());
}

/**
 * A call that is answered before its request has been read is refused. Its response is short, and must have a length:
 * the client may wait for the end of it before it stops sending.
 */
async function refuse(context: RequestContext, { status, header, body }: UniversalServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  const headers = [...EXPOSED];
  header?.forEach((value, name) => {
    if (name !== "content-type" && name !== "content-length") headers.push(name, value);
  });
  const contentType = header?.get("content-type") ?? undefined;
  const typed = contentType === undefined ? {} : { contentType };
  send(context, { status, headers, ...typed, body: Buffer.concat(chunks) });
}

function unknownMethod(): RefusedRequest {
  const message = "There is no such method here. The services and their methods are described in proto/.";
  return new RefusedRequest(404, message, { code: "method_not_found" });
}

function refusalOf(status: number): RefusedRequest {
  if (status === 405) {
    const message = "This method is called by POST; GET is for those without side effects, by the Connect protocol.";
    return new RefusedRequest(405, message, { code: "method_not_allowed", allow: "POST, GET, OPTIONS" });
  }
  const message =
    "The body has another type. Send it with Content-Type: application/json or application/proto (Connect), " +
    "application/connect+json or application/connect+proto (streams), or application/grpc-web, also -text, with +proto or +json.";
  return new RefusedRequest(415, message, { code: "unsupported_media_type" });
}
