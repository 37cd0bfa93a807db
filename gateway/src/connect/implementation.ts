import type { DescMessage, DescMethod, Message, MessageInitShape } from "@bufbuild/protobuf";
import { createContextKey, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import type { UniversalHandlerOptions } from "@connectrpc/connect/protocol";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { byKind, type CallOptions } from "@hourglass/runtime";
import type { Exchange } from "../http/exchange.js";
import { toConnectError } from "./failure.js";
import { loadInTurn } from "./large-records.js";
import type { PublishedService } from "./published-services.js";

/** A service that has not answered by then is as good as away. */
const ANSWER_TIMEOUT_MS = 15_000;

/** A call that is being answered. */
export interface RpcCall {
  readonly exchange: Exchange;
  /** Resolves to the token that is passed on; fails with AppError when the call is not admitted. */
  readonly admitted: Promise<string>;
}

/** Under which an implementation finds the call that it answers. */
export const RPC_CALL = createContextKey<RpcCall | undefined>(undefined);

type Init = MessageInitShape<DescMessage>;
type Unary = (request: Init, options: CallOptions) => Promise<Message>;
type ServerStream = (request: Init, options: CallOptions) => AsyncIterable<Message>;
type ClientStream = (requests: AsyncIterable<Init>, options: CallOptions) => Promise<Message>;

/** Adds a method to the router: the call goes on to the client of its service. */
export function addMethod(
  router: ConnectRouter,
  { client }: PublishedService,
  method: DescMethod,
  options: Partial<UniversalHandlerOptions>,
): void {
  // The client has a method of that kind under that name.
  const target: unknown = (client as Record<string, unknown>)[method.localName];
  byKind(method, {
    unary: (unary) =>
      router.rpc(unary, (request, context) => callUnary(target as Unary, request, { method, context }), options),
    serverStream: (stream) =>
      router.rpc(stream, (request, context) => callServerStream(target as ServerStream, request, context), options),
    clientStream: (stream) =>
      router.rpc(stream, (requests, context) => callClientStream(target as ClientStream, requests, context), options),
  });
}

async function callUnary(
  target: Unary,
  received: Message,
  { method, context }: { method: DescMethod; context: HandlerContext },
): Promise<Message> {
  const { exchange, admitted } = callIn(context);
  try {
    const token = await admitted;
    const request = method === AuthService.method.signIn ? fromClient(received, exchange) : received;
    const wait = secondsOfWaiting(request);
    const timeoutMs = context.timeoutMs() ?? wait * 1000 + ANSWER_TIMEOUT_MS;
    return await loadInTurn(exchange, { method, request }, async (waitedMs) => {
      // What a client waited for its turn counts: it gets an answer when it would without a queue.
      const options = { token, requestId: exchange.requestId, timeoutMs: Math.max(1, timeoutMs - waitedMs) };
      if (wait === 0) return target(request, options);
      return target(request, { ...options, signal: exchange.patience }).catch((error: unknown) => {
        // The client gets what there is by now, rather than a failure because this process stops.
        if (!exchange.context.stopping) throw error;
        return target({ ...request, wait: 0 }, options);
      });
    });
  } catch (error) {
    throw toConnectError(error, exchange);
  }
}

async function* callServerStream(
  target: ServerStream,
  request: Message,
  context: HandlerContext,
): AsyncGenerator<Message> {
  const { exchange, admitted } = callIn(context);
  try {
    yield* target(request, { ...streamOptions(exchange, context), token: await admitted });
  } catch (error) {
    throw toConnectError(error, exchange);
  }
}

async function callClientStream(
  target: ClientStream,
  requests: AsyncIterable<Message>,
  context: HandlerContext,
): Promise<Message> {
  const { exchange, admitted } = callIn(context);
  try {
    return await target(requests, { ...streamOptions(exchange, context), token: await admitted });
  } catch (error) {
    throw toConnectError(error, exchange);
  }
}

function callIn({ values }: HandlerContext): RpcCall {
  const call = values.get(RPC_CALL);
  if (call === undefined) throw new TypeError("a handler was called outside of a request");
  return call;
}

/** Streams take as long as their client goes on. */
function streamOptions({ requestId, clientLeft }: Exchange, context: HandlerContext): CallOptions {
  const timeoutMs = context.timeoutMs();
  return { requestId, signal: clientLeft, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** Attempts to sign in are counted by this address: what the client claims it to be is nobody's word. */
function fromClient(request: Message, { clientAddress }: Exchange): Message {
  return { ...request, clientAddress } as Message;
}

/** For how long the record may be waited for, where the request has such a field. */
function secondsOfWaiting(request: Message): number {
  const { wait } = request as { wait?: unknown };
  return typeof wait === "number" && wait > 0 ? wait : 0;
}
