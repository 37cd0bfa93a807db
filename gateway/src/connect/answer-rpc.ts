import type { DescMethod } from "@bufbuild/protobuf";
import { cors, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { byKind, isOpen } from "@hourglass/runtime";
import type { Clients } from "../clients.js";
import type { Exchange } from "../http/exchange.js";
import { REQUEST_HEADERS } from "../http/routing/routing.js";
import { send } from "../http/response/send.js";
import { fail } from "../http/routing/serve.js";
import { createAdmitCall, type AdmitCall, type RpcAdmission } from "./admission.js";
import { toReply } from "./answer.js";
import { toConnectError } from "./failure.js";
import { addMethod, RPC_CALL } from "./implementation.js";
import { publishedMethods, publishedServices } from "./published-services.js";
import { createPlainCall, isPlainCall, type AnswerPlainCall } from "./plain-call.js";
import { bodyOf, OPEN_BYTES_MAX, protocolHeaders, STREAMED_MESSAGE_BYTES_MAX } from "./request.js";

/** Prefix of every RPC path: `/hourglass.<service>.v1.<Service>/<Method>`. */
const PATH_BEGINS = "/hourglass.";
const PREFLIGHT_SECONDS = 600;

export interface AnswerRpcDeps extends RpcAdmission {
  readonly clients: Clients;
  readonly bodyBytesMax: number;
}

/** Answers a request if it is an RPC, and returns whether it was one. Never fails. */
export type AnswerRpc = (exchange: Exchange) => boolean;

interface Rpc {
  readonly handler: UniversalHandler;
  readonly method: DescMethod;
  readonly admit: AdmitCall;
  /** Undefined for streaming methods. */
  readonly answerPlainCall: AnswerPlainCall | undefined;
}

/**
 * Serves the published services over Connect and gRPC-web. gRPC itself needs HTTP/2 and has its own port. The methods are
 * made by the first call: most clients use REST.
 */
export function createAnswerRpc(deps: AnswerRpcDeps): AnswerRpc {
  let rpcs: ReadonlyMap<string, Rpc> | undefined;
  return (exchange) => {
    const path = pathOf(exchange.req.url ?? "");
    const rpc = path.startsWith(PATH_BEGINS) ? (rpcs ??= rpcsOf(deps)).get(path) : undefined;
    if (rpc === undefined) return false;
    exchange.route = path;
    if (exchange.req.method === "OPTIONS") announce(exchange, rpc.handler);
    else void answer(exchange, rpc);
    return true;
  };
}

/** Every published method, by the path of its calls. */
function rpcsOf(deps: AnswerRpcDeps): ReadonlyMap<string, Rpc> {
  const rpcs = new Map<string, Rpc>();
  for (const published of publishedServices(deps.clients)) {
    for (const method of publishedMethods(published.service)) {
      const router = createConnectRouter({ grpc: false });
      const readMaxBytes = messageBytesMax(method, deps.bodyBytesMax);
      addMethod(router, published, method, { readMaxBytes });
      const admit = createAdmitCall(published, method, deps);
      const limits = { bodyBytesMax: deps.bodyBytesMax, readMaxBytes };
      const answerPlainCall = byKind(method, {
        unary: (unary) => createPlainCall(published, unary, limits),
        serverStream: none,
        clientStream: none,
      });
      for (const handler of router.handlers) rpcs.set(handler.requestPath, { handler, method, admit, answerPlainCall });
    }
  }
  return rpcs;
}

function none(): undefined {
  return undefined;
}

function messageBytesMax(method: DescMethod, bodyBytesMax: number): number {
  if (method.methodKind === "client_streaming") return STREAMED_MESSAGE_BYTES_MAX;
  return isOpen(method) ? Math.min(OPEN_BYTES_MAX, bodyBytesMax) : bodyBytesMax;
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

function announce(exchange: Exchange, { allowedMethods }: UniversalHandler): void {
  const allow = [...allowedMethods, "OPTIONS"].join(", ");
  const allowHeaders = [...REQUEST_HEADERS, ...cors.allowedHeaders].join(", ");
  send(exchange, {
    status: 204,
    headers: [
      ...["Allow", allow, "Access-Control-Allow-Methods", allow, "Access-Control-Allow-Headers", allowHeaders],
      ...["Access-Control-Max-Age", String(PREFLIGHT_SECONDS)],
    ],
  });
}

async function answer(exchange: Exchange, { handler, method, admit, answerPlainCall }: Rpc): Promise<void> {
  try {
    const admitted = admit(exchange);
    admitted.catch(() => undefined); // reported when the body is read or the service is called
    const { req } = exchange;
    if (answerPlainCall !== undefined && isPlainCall(req)) {
      await answerPlainCall({ exchange, admitted });
      return;
    }
    const response = await handler({
      httpVersion: req.httpVersion,
      url: `http://localhost${req.url ?? ""}`,
      method: req.method ?? "",
      header: protocolHeaders(exchange),
      body: failingAsRpc(bodyOf(exchange, method, admitted), exchange),
      signal: exchange.clientLeft,
      contextValues: createContextValues().set(RPC_CALL, { exchange, admitted }),
    });
    // A call that is answered before its request has been read is refused. Its response is short, and must have a
    // length: the client may wait for the end of it before it stops sending.
    const isStream = method.methodKind === "server_streaming" && req.complete;
    send(exchange, await toReply(response, isStream));
  } catch (error) {
    fail(exchange, error);
  }
}

async function* failingAsRpc(body: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toConnectError(error, exchange);
  }
}
