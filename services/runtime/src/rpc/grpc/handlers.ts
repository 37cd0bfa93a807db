import type {
  DescMessage,
  DescMethod,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  Message,
} from "@bufbuild/protobuf";
import type { sendUnaryData, Server, ServerDuplexStream, ServerReadableStream } from "@grpc/grpc-js";
import type { ServerSurfaceCall } from "@grpc/grpc-js/build/src/server-call.js";
import { AppError } from "../../errors/app-error.js";
import type { Logger } from "../../log.js";
import { loopDoor } from "../../process/loop-door.js";
import { CallLifetime } from "../call-lifetime.js";
import { type Dispatcher, IncomingCall } from "../dispatch.js";
import { byKind, type Route } from "../service.js";
import { decodeMessage } from "../validation/message-size.js";
import {
  clientAddressOf,
  encode,
  MessageWriter,
  requestIdOf,
  responseMetadata,
  tokenOf,
  toStatus,
  traceOf,
  unchanged,
} from "./wire.js";

/** Unary calls of other clients without a deadline end after two minutes: twice the longest wait that exists. */
const NO_DEADLINE_TIMEOUT_MS = 120_000;

interface ServingOptions {
  dispatcher: Dispatcher;
  log: Logger;
  holdMessages: HoldMessages;
  /** Resolves when all that a peer (`127.0.0.1:41234`) had sent until now has been read. */
  drained: (peer: string) => Promise<void>;
}

/**
 * Registers every method of the route's service, with or without a handler. All are registered with grpc-js as
 * streams, so that a call begins with its headers and a caller cannot fill memory with a request before it is
 * authenticated.
 */
export function addRoute(server: Server, route: Route, serving: ServingOptions): void {
  for (const method of route.service.methods) {
    const path = `/${route.service.typeName}/${method.name}`;
    byKind(method, {
      unary: (unary) =>
        server.register(path, inTurn(unaryHandler(route, unary, serving)), unchanged, unchanged, "clientStream"),
      clientStream: (stream) =>
        server.register(
          path,
          inTurn(clientStreamHandler(route, stream, serving)),
          unchanged,
          unchanged,
          "clientStream",
        ),
      serverStream: (stream) =>
        server.register(path, inTurn(serverStreamHandler(route, stream, serving)), unchanged, unchanged, "bidi"),
    });
  }
}

/** Calls begin at the door of the event loop, so that those of one caller delay nobody else's. */
function inTurn<C extends ServerSurfaceCall, A extends unknown[]>(handle: (call: C, ...rest: A) => void) {
  return (call: C, ...rest: A): void => {
    loopDoor.enter(tokenOf(call.metadata) || call.getPeer(), () => handle(call, ...rest));
  };
}

function unaryHandler(route: Route, method: DescMethodUnary, { dispatcher, log, holdMessages }: ServingOptions) {
  return (call: ServerReadableStream<Buffer, Buffer>, callback: sendUnaryData<Buffer>): void => {
    const incoming = incomingCall(call, NO_DEADLINE_TIMEOUT_MS);
    const hold = released(call, holdMessages(incoming, method));
    const response = dispatcher.unary(route, method, () => requestOf(call, method.input, hold), incoming);
    void respond(call, callback, { method, incoming, response, hold, log });
  };
}

function clientStreamHandler(route: Route, method: DescMethodClientStreaming, serving: ServingOptions) {
  const { dispatcher, log, holdMessages, drained } = serving;
  return (call: ServerReadableStream<Buffer, Buffer>, callback: sendUnaryData<Buffer>): void => {
    const incoming = incomingCall(call);
    const hold = released(call, holdMessages(incoming, method));
    const requests = requestsOf(call, { method, incoming, hold, drained });
    const response = dispatcher.clientStream(route, method, requests, incoming);
    void respond(call, callback, { method, incoming, response, hold, log });
  };
}

function serverStreamHandler(route: Route, method: DescMethodServerStreaming, serving: ServingOptions) {
  const { dispatcher, log, holdMessages } = serving;
  return (call: ServerDuplexStream<Buffer, Buffer>): void => {
    const incoming = incomingCall(call);
    const writer = new MessageWriter(call, incoming.signal);
    const hold = released(call, holdMessages(incoming, method));
    const responses = dispatcher.serverStream(route, method, () => requestOf(call, method.input, hold), incoming);
    const send = async (): Promise<void> => {
      let begun = false;
      for await (const response of responses) {
        if (!begun) call.sendMetadata(responseMetadata(incoming.requestId));
        begun = true;
        const bytes = encode(method.output, response);
        hold.carry(bytes.length);
        await writer.write(bytes);
      }
      if (!begun) call.sendMetadata(responseMetadata(incoming.requestId));
    };
    send().then(
      () => call.end(),
      (error: unknown) => call.emit("error", toStatus(reportUnsent(error, method, log), incoming.requestId)),
    );
  };
}

interface Reply {
  method: DescMethodUnary | DescMethodClientStreaming;
  incoming: IncomingCall;
  response: Promise<Message>;
  hold: MessageHold;
  log: Logger;
}

async function respond(call: ServerSurfaceCall, callback: sendUnaryData<Buffer>, parts: Reply): Promise<void> {
  const { method, incoming, response, hold, log } = parts;
  try {
    const bytes = encode(method.output, await response);
    hold.carry(bytes.length);
    call.sendMetadata(responseMetadata(incoming.requestId));
    callback(null, bytes);
  } catch (error) {
    callback(toStatus(reportUnsent(error, method, log), incoming.requestId));
  }
}

/** The dispatcher has reported its failures; any error that is not an AppError arose in encoding the response. */
function reportUnsent(error: unknown, method: { toString: () => string }, log: Logger): AppError {
  if (!(error instanceof AppError)) log.error({ err: error, method: method.toString() }, "response could not be sent");
  return AppError.from(error);
}

function incomingCall(call: ServerSurfaceCall, defaultTimeoutMs?: number): IncomingCall {
  const deadline = Number(call.getDeadline());
  const timeoutMs = Number.isFinite(deadline) ? Math.max(0, deadline - Date.now()) : defaultTimeoutMs;
  const lifetime = new CallLifetime(timeoutMs);
  // Emitted for every call that ends, answered ones included.
  call.once("cancelled", () => lifetime.cancel());
  if (call.cancelled) lifetime.cancel();
  const clientAddress = clientAddressOf(call.metadata);
  const origin = {
    trace: traceOf(call.metadata),
    peerAddress: () => peerAddressOf(call),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  };
  return new IncomingCall(requestIdOf(call.metadata), tokenOf(call.metadata), lifetime, origin);
}

/** The hold, which ends with the call. */
function released(call: ServerSurfaceCall, hold: MessageHold): MessageHold {
  call.once("cancelled", () => hold.release()); // emitted for answered calls too
  if (call.cancelled) hold.release();
  return hold;
}

/** The address in `127.0.0.1:41234` or `::1:41234`; empty once the connection is gone. */
function peerAddressOf(call: ServerSurfaceCall): string {
  return /^(.*):\d+$/.exec(call.getPeer())?.[1] ?? "";
}

/** The single request message of a call. It is no longer awaited once the call has ended. */
async function requestOf(
  call: ServerReadableStream<Buffer, Buffer>,
  schema: DescMessage,
  hold: MessageHold,
): Promise<Message> {
  const bytes = await hold.receive(() => onlyMessageOf(call));
  return decodeMessage(schema, bytes, (memory) => hold.carry(memory));
}

function onlyMessageOf(call: ServerReadableStream<Buffer, Buffer>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let request: Buffer | undefined;
    call.on("data", (message: Buffer) => {
      if (request === undefined) request = message;
      else reject(new AppError("unimplemented", "This method takes one message: send no more than one."));
    });
    call.once("end", () => {
      if (request === undefined)
        reject(new AppError("unimplemented", "This method takes one message: send it before you end the call."));
      else resolve(request);
    });
  });
}

interface RequestParts {
  method: DescMethodClientStreaming;
  incoming: IncomingCall;
  hold: MessageHold;
  drained: ServingOptions["drained"];
}

async function* requestsOf(
  call: ServerReadableStream<Buffer, Buffer>,
  { method, incoming, hold, drained }: RequestParts,
): AsyncIterable<Message> {
  try {
    for await (const bytes of call as AsyncIterable<Buffer>) {
      hold.accept(bytes.length);
      yield await decodeMessage(method.input, bytes, (memory) => hold.carry(memory));
    }
  } catch (error) {
    throw call.cancelled ? cutOff(error) : error;
  }
  call.sendMetadata(responseMetadata(incoming.requestId));
  if (await isCut(call, drained)) throw cutOff();
}

/**
 * Node ends the readable side of a reset stream in the same way as that of a complete one, before it reports that it is
 * closed; and as a client it sends an end before the reset. So a call counts as complete only once everything that its
 * caller had sent with the end has been read. grpc-js detects the reset of a stream that has ended only when it sends
 * something, such as the metadata; it reports the cancellation in the next iteration of the event loop.
 */
async function isCut(call: ServerReadableStream<Buffer, Buffer>, drained: ServingOptions["drained"]): Promise<boolean> {
  const cancelled = new Promise<void>((resolve) => call.once("cancelled", resolve));
  await new Promise(setImmediate);
  if (!call.cancelled) await Promise.race([drained(call.getPeer()), cancelled]);
  return call.cancelled;
}

function cutOff(cause?: unknown): AppError {
  return new AppError("cancelled", "The caller broke off the call.", { cause });
}

/** Accounts for the memory that the messages of one call occupy; its largest message counts. */
export interface MessageHold {
  /**
   * Reads the request, whose size is unknown until it has arrived in full. Fails like `read`, or with AppError if there
   * is no memory for it.
   */
  receive(read: () => Promise<Buffer>): Promise<Buffer>;
  /** Accounts for a streamed request. Throws AppError if it is too large or there is no memory for it. */
  accept(bytes: number): void;
  /** Accounts for a decoded request or a response. Throws AppError if there is no memory for it. */
  carry(bytes: number): void;
  /** Releases everything; called when the call has ended and its response has left. */
  release(): void;
}

/** Begins to account for a call. Its `principal` is known when its first message is read. */
export type HoldMessages = (call: IncomingCall, method: DescMethod) => MessageHold;

/** Accounts for nothing: for ports that only other parts of the product reach. */
export const holdNothing: HoldMessages = () => ({
  receive: (read) => read(),
  accept: () => undefined,
  carry: () => undefined,
  release: () => undefined,
});
