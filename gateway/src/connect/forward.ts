import type { DescMessage, DescMethod, Message, MessageInitShape } from "@bufbuild/protobuf";
import {
  createContextKey,
  type ConnectRouter,
  type ConnectRouterOptions,
  type HandlerContext,
} from "@connectrpc/connect";
import { OperationService, type CreateOperationResponse } from "@hourglass/proto/operation/v1/operation_service";
import { asksToWait, byKind, type AppError, type CallOptions } from "@hourglass/runtime";
import type { RequestContext } from "../http/request-context.js";
import { ANSWER_TIMEOUT_MS } from "../http/route.js";
import { recordKey } from "../routes/operation-json.js";
import { noteRecord, takesClientAddress, type PublishedService } from "../services.js";
import { fromProtocol, toConnectError } from "./connect-errors.js";
import { readLarge } from "./large-answers.js";

/** A call that is being answered. */
export interface RpcCall {
  readonly context: RequestContext;
  /** Fails with AppError if the call is not admitted. */
  readonly admitted: Promise<void>;
  /** What is wrong with the request as the protocol reads its headers; reported once the call is admitted. */
  readonly refusal?: AppError | undefined;
  /** Of a request whose message is in its URL. */
  readonly query?: URLSearchParams | undefined;
  /** What ended the reading of its body. */
  failure?: AppError;
  /** The message of a request that is no stream, once it has been decoded; the protocol has read an empty one. */
  message?: Message;
}

/** Context key under which an implementation finds its call. */
export const RPC_CALL = createContextKey<RpcCall | undefined>(undefined);

type Init = MessageInitShape<DescMessage>;
type Unary = (request: Init, options: CallOptions) => Promise<Message>;
type ServerStream = (request: Init, options: CallOptions) => AsyncIterable<Message>;
type ClientStream = (requests: AsyncIterable<Init>, options: CallOptions) => Promise<Message>;

/** Adds a method to the router: calls are forwarded to the client of its service. */
export function addMethod(
  router: ConnectRouter,
  { client }: PublishedService,
  method: DescMethod,
  options: ConnectRouterOptions,
): void {
  // The client has a method of that kind with that name.
  const target: unknown = (client as Record<string, unknown>)[method.localName];
  byKind(method, {
    unary: (unary) =>
      router.rpc(
        unary,
        (request, handler) => {
          const timeoutMs = handler.timeoutMs();
          const call = callIn(handler);
          return callUnary(target as Unary, call.message ?? request, { method, call, timeoutMs });
        },
        options,
      ),
    serverStream: (stream) =>
      router.rpc(
        stream,
        (request, handler) => callServerStream(target as ServerStream, request, { method, handler }),
        options,
      ),
    clientStream: (stream) =>
      router.rpc(
        stream,
        (requests, handler) => callClientStream(target as ClientStream, requests, { method, handler }),
        options,
      ),
  });
}

interface UnaryCall {
  readonly method: DescMethod;
  readonly call: RpcCall;
  /** The caller's timeout; undefined: as long as the request waits, plus the time for an answer. */
  readonly timeoutMs?: number | undefined;
}

/** Forwards a unary call to the client of its service. Fails with ConnectError. */
async function callUnary(
  target: Unary,
  received: Message,
  { method, call: { context, admitted }, timeoutMs: askedMs }: UnaryCall,
): Promise<Message> {
  try {
    await admitted;
    const { token } = context;
    const request = takesClientAddress(method) ? fromClient(received, context) : received;
    noteRecord(context, method, request);
    const wait = asksToWait(request) ? request.wait : 0;
    context.waited = wait > 0;
    const until = performance.now() + (askedMs ?? wait * 1000 + ANSWER_TIMEOUT_MS);
    // Also what the call has waited for its turn counts, so that the client is answered as soon as without a queue.
    const { requestId, clientAddress } = context;
    const options = () => ({ token, requestId, clientAddress, timeoutMs: Math.max(1, until - performance.now()) });
    const call = (message: Message) => target(message, options());
    const waitFor = (message: Message) => (wait > 0 ? awaiting(context, message, { target, options }) : call(message));
    const { largeRecords } = context.gateway;
    const read = { method, request, reader: context, largeRecords, call, wait: waitFor };
    const response = await (readLarge(read) ?? waitFor(request));
    if (method === createOperation) {
      largeRecords.note(recordKey((response as CreateOperationResponse).id), context.heldBytes);
    }
    noteRecord(context, method, response);
    return response;
  } catch (error) {
    throw toConnectError(error, context, method.input);
  }
}

interface StreamCall {
  readonly method: DescMethod;
  readonly handler: HandlerContext;
}

async function* callServerStream(
  target: ServerStream,
  received: Message,
  { method, handler }: StreamCall,
): AsyncGenerator<Message> {
  const { context, admitted, message: request = received } = callIn(handler);
  noteRecord(context, method, request);
  try {
    await admitted;
    yield* target(request, streamOptions(context, handler));
  } catch (error) {
    throw toConnectError(error, context, method.input);
  }
}

async function callClientStream(
  target: ClientStream,
  requests: AsyncIterable<Message>,
  { method, handler }: StreamCall,
): Promise<Message> {
  const call = callIn(handler);
  const { context, admitted } = call;
  try {
    await admitted;
    const response = await target(readable(requests, call), streamOptions(context, handler));
    noteRecord(context, method, response);
    return response;
  } catch (error) {
    throw toConnectError(error, context, method.input);
  }
}

/** The messages of a stream; what ends it early is a failure in our terms. */
async function* readable(requests: AsyncIterable<Message>, call: RpcCall): AsyncGenerator<Message> {
  try {
    yield* requests;
  } catch (error) {
    throw call.failure ?? fromProtocol(error);
  }
}

function callIn({ values }: HandlerContext): RpcCall {
  const call = values.get(RPC_CALL);
  if (call === undefined) throw new TypeError("a handler was called outside of a request");
  return call;
}

/** Streams last as long as the client continues. */
function streamOptions(
  { token, requestId, clientAddress, clientLeft }: RequestContext,
  handler: HandlerContext,
): CallOptions {
  const timeoutMs = handler.timeoutMs();
  return { token, requestId, clientAddress, signal: clientLeft, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** Attempts with a password are counted by this address; an address in the request is not trusted. */
function fromClient(request: Message, { clientAddress }: RequestContext): Message {
  return { ...request, clientAddress } as Message;
}

const { createOperation } = OperationService.method;

/** How a method is called, with what is left of the caller's time. */
interface Target {
  readonly target: Unary;
  readonly options: () => CallOptions;
}

/** Calls a method that waits, until the caller leaves. When this process stops, the caller gets the current state. */
async function awaiting(context: RequestContext, request: Message, { target, options }: Target): Promise<Message> {
  try {
    return await target(request, { ...options(), signal: context.patience });
  } catch (error) {
    if (!context.gateway.stopping) throw error;
    return target({ ...request, wait: 0 }, options());
  }
}
