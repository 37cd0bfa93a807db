import type { DescMethod } from "@bufbuild/protobuf";
import { cors, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { byKind } from "@hourglass/runtime";
import { type Clients, publishedMethods, publishedServices } from "../services.js";
import { fromBase64 } from "../http/body.js";
import type { RequestContext } from "../http/request-context.js";
import { PREFLIGHT_SECONDS, REQUEST_HEADERS } from "../http/headers.js";
import type { Middleware } from "../http/router.js";
import { send } from "../http/respond.js";
import type { Authentication } from "../http/authentication.js";
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

export interface RpcOptions {
  readonly clients: Clients;
  readonly authentication: Authentication;
  readonly bodyBytesMax: number;
}

interface Rpc {
  readonly handler: UniversalHandler;
  readonly method: DescMethod;
  readonly readMaxBytes: number;
  /** Resolves to the token to pass on. */
  readonly admit: (context: RequestContext) => Promise<string>;
  /** Undefined for streaming methods. */
  readonly answerPlainCall: AnswerPlainCall | undefined;
}

/**
 * Serves the published services over Connect and gRPC-web. gRPC itself needs HTTP/2 and has its own port. The methods are
 * made by the first call: most clients use REST.
 */
export function createRpc(options: RpcOptions): Middleware {
  let rpcs: ReadonlyMap<string, Rpc> | undefined;
  return async ({ context, method, url = "" }, _res, next) => {
    const path = pathOf(url);
    const rpc = path.startsWith(PATH_BEGINS) ? (rpcs ??= rpcsOf(options)).get(path) : undefined;
    if (rpc === undefined) {
      next();
      return;
    }
    context.route = path;
    if (method === "OPTIONS") announce(context, rpc.handler);
    else await answer(context, rpc);
  };
}

/** Every published method, by the path of its calls. */
function rpcsOf(options: RpcOptions): ReadonlyMap<string, Rpc> {
  const rpcs = new Map<string, Rpc>();
  for (const published of publishedServices(options.clients)) {
    for (const method of publishedMethods(published.service)) {
      const router = createConnectRouter();
      const readMaxBytes = messageBytesMaxOf(method, options.bodyBytesMax);
      addMethod(router, published, method, { grpc: false, readMaxBytes, jsonOptions: jsonOptionsFor(method.input) });
      const admit = async (context: RequestContext) => {
        await options.authentication.admitCall(context, method, published.product);
        return context.token;
      };
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

function announce(context: RequestContext, { allowedMethods }: UniversalHandler): void {
  const allow = [...allowedMethods, "OPTIONS"].join(", ");
  const allowHeaders = [...REQUEST_HEADERS, ...cors.allowedHeaders].join(", ");
  send(context, {
    status: 204,
    headers: [
      ...["Allow", allow, "Access-Control-Allow-Methods", allow, "Access-Control-Allow-Headers", allowHeaders],
      ...["Access-Control-Max-Age", String(PREFLIGHT_SECONDS)],
    ],
  });
}

async function answer(
  context: RequestContext,
  { handler, method, readMaxBytes: bytesMax, admit, answerPlainCall }: Rpc,
): Promise<void> {
  const admitted = admit(context);
  admitted.catch(() => undefined); // reported when the body is read or the service is called
  const { req } = context;
  if (answerPlainCall !== undefined && isPlainCall(req)) {
    await answerPlainCall({ context, admitted });
    return;
  }
  const call: RpcCall = { context, admitted };
  const isText = isTextType(callTypeOf(req));
  const sent = bodyOf(context, method, admitted);
  const bytes = isText ? fromBase64(sent) : sent;
  const body = receivedBody(bytes, { context, method, bytesMax }, (message) => {
    call.message = message;
  });
  const response = await handler({
    httpVersion: req.httpVersion,
    url: `http://localhost${req.url ?? ""}`,
    method: req.method ?? "",
    header: protocolHeaders(context),
    body: failingAsRpc(body, context),
    signal: context.clientLeft,
    contextValues: createContextValues().set(RPC_CALL, call),
  });
  // A call that is answered before its request has been read is refused. Its response is short, and must have a
  // length: the client may wait for the end of it before it stops sending.
  const isStream = method.methodKind === "server_streaming" && req.complete;
  const reply = await toReply(response, isStream);
  send(context, isText ? inBase64(reply) : reply);
}

async function* failingAsRpc(body: AsyncIterable<Uint8Array>, context: RequestContext): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toConnectError(error, context);
  }
}
