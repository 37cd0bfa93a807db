import type { DescMethod } from "@bufbuild/protobuf";
import { cors, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import type { Clients } from "../clients.js";
import type { Exchange } from "../http/exchange.js";
import { REQUEST_HEADERS } from "../http/routing.js";
import { send } from "../http/send.js";
import { fail } from "../http/serve.js";
import { createAdmitCall, type AdmitCall, type RpcAdmission } from "./admission.js";
import { toReply } from "./answer.js";
import { toConnectError } from "./failure.js";
import { addMethod, RPC_CALL } from "./implementation.js";
import { publishedMethods, publishedServices } from "./published-services.js";
import { bodyOf, protocolHeaders, STREAMED_MESSAGE_BYTES_MAX } from "./request.js";

/** Prefix of every RPC path: `/hourglass.<service>.v1.<Service>/<Method>`. */
const PATH_BEGINS = "/hourglass.";
const PREFLIGHT_SECONDS = 600;
/** Credentials are short, and their sender is not authenticated yet. */
const OPEN_BYTES_MAX = 65_536;

export interface ConnectDoorDeps extends RpcAdmission {
  readonly clients: Clients;
  readonly bodyBytesMax: number;
}

/** Answers a request if it is an RPC, and returns whether it was one. Never fails. */
export type AnswerRpc = (exchange: Exchange) => boolean;

interface Rpc {
  readonly handler: UniversalHandler;
  readonly method: DescMethod;
  readonly admit: AdmitCall;
}

/** Serves the published services over Connect and gRPC-web. gRPC itself needs HTTP/2 and has its own port. */
export function createConnectDoor(deps: ConnectDoorDeps): AnswerRpc {
  const rpcs = new Map<string, Rpc>();
  for (const published of publishedServices(deps.clients)) {
    for (const method of publishedMethods(published.service)) {
      const router = createConnectRouter({ grpc: false });
      const isOpen = published.open.includes(method.localName);
      addMethod(router, published, method, { readMaxBytes: messageBytesMax(method, isOpen, deps.bodyBytesMax) });
      const admit = createAdmitCall(published, method, deps);
      for (const handler of router.handlers) rpcs.set(handler.requestPath, { handler, method, admit });
    }
  }
  return (exchange) => {
    const path = pathOf(exchange.req.url ?? "");
    const rpc = path.startsWith(PATH_BEGINS) ? rpcs.get(path) : undefined;
    if (rpc === undefined) return false;
    exchange.route = path;
    if (exchange.req.method === "OPTIONS") announce(exchange, rpc.handler);
    else void answer(exchange, rpc);
    return true;
  };
}

function messageBytesMax(method: DescMethod, isOpen: boolean, bodyBytesMax: number): number {
  if (method.methodKind === "client_streaming") return STREAMED_MESSAGE_BYTES_MAX;
  return isOpen ? Math.min(OPEN_BYTES_MAX, bodyBytesMax) : bodyBytesMax;
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

async function answer(exchange: Exchange, { handler, method, admit }: Rpc): Promise<void> {
  try {
    const admitted = admit(exchange);
    admitted.catch(() => undefined); // reported when the body is read or the service is called
    const { req } = exchange;
    const response = await handler({
      httpVersion: req.httpVersion,
      url: `http://localhost${req.url ?? ""}`,
      method: req.method ?? "",
      header: protocolHeaders(exchange),
      body: failingAsRpc(bodyOf(exchange, method, admitted), exchange),
      signal: exchange.clientLeft,
      contextValues: createContextValues().set(RPC_CALL, { exchange, admitted }),
    });
    send(exchange, await toReply(response, method.methodKind !== "unary"));
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
