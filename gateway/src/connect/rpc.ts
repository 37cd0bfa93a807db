import type { DescMethod } from "@bufbuild/protobuf";
import { cors, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { byKind } from "@hourglass/runtime";
import { type Clients, publishedMethods, publishedServices } from "../services.js";
import { fromBase64 } from "../http/body.js";
import type { Exchange } from "../http/request-context.js";
import { REQUEST_HEADERS, fail } from "../http/router.js";
import { send } from "../http/respond.js";
import { createAdmitCall, type AdmitCall, type RpcAdmission } from "../http/authentication.js";
import { toReply } from "./answer.js";
import { toConnectError } from "./connect-errors.js";
import {
  inBase64,
  isTextType,
  jsonOptionsFor,
  receivedBody,
  bodyOf,
  callTypeOf,
  messageBytesMaxOf,
  protocolHeaders,
} from "./messages.js";
import { addMethod, RPC_CALL, type RpcCall } from "./forward.js";
import { createPlainCall, isPlainCall, type AnswerPlainCall } from "./plain-call.js";

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
  readonly readMaxBytes: number;
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
      const router = createConnectRouter();
      const readMaxBytes = messageBytesMaxOf(method, deps.bodyBytesMax);
      addMethod(router, published, method, { grpc: false, readMaxBytes, jsonOptions: jsonOptionsFor(method.input) });
      const admit = createAdmitCall(published, method, deps);
      const answerPlainCall = byKind(method, {
        unary: (unary) => createPlainCall(published, unary, readMaxBytes),
        serverStream: none,
        clientStream: none,
      });
      for (const handler of router.handlers) {
        rpcs.set(handler.requestPath, { handler, method, readMaxBytes, admit, answerPlainCall });
      }
    }
  }
  return rpcs;
}

function none(): undefined {
  return undefined;
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

async function answer(
  exchange: Exchange,
  { handler, method, readMaxBytes: bytesMax, admit, answerPlainCall }: Rpc,
): Promise<void> {
  try {
    const admitted = admit(exchange);
    admitted.catch(() => undefined); // reported when the body is read or the service is called
    const { req } = exchange;
    if (answerPlainCall !== undefined && isPlainCall(req)) {
      await answerPlainCall({ exchange, admitted });
      return;
    }
    const call: RpcCall = { exchange, admitted };
    const isText = isTextType(callTypeOf(req));
    const sent = bodyOf(exchange, method, admitted);
    const bytes = isText ? fromBase64(sent) : sent;
    const body = receivedBody(bytes, { exchange, method, bytesMax }, (message) => {
      call.message = message;
    });
    const response = await handler({
      httpVersion: req.httpVersion,
      url: `http://localhost${req.url ?? ""}`,
      method: req.method ?? "",
      header: protocolHeaders(exchange),
      body: failingAsRpc(body, exchange),
      signal: exchange.clientLeft,
      contextValues: createContextValues().set(RPC_CALL, call),
    });
    // A call that is answered before its request has been read is refused. Its response is short, and must have a
    // length: the client may wait for the end of it before it stops sending.
    const isStream = method.methodKind === "server_streaming" && req.complete;
    const reply = await toReply(response, isStream);
    send(exchange, isText ? inBase64(reply) : reply);
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
