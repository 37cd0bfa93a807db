import type {
  DescMessage,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  Message,
} from "@bufbuild/protobuf";
import type { sendUnaryData, Server, ServerDuplexStream, ServerReadableStream } from "@grpc/grpc-js";
import type { ServerSurfaceCall } from "@grpc/grpc-js/build/src/server-call.js";
import { AppError } from "../../errors/app-error.js";
import type { Logger } from "../../log/logger.js";
import { CallLifetime } from "../call-lifetime.js";
import { IncomingCall, type Dispatcher } from "../dispatch.js";
import { byKind } from "../method-kind.js";
import type { Route } from "../service.js";
import { decodeRequest, encode, unchanged } from "./messages.js";
import { answerMetadata, requestIdOf, tokenOf, toStatus, traceOf } from "./metadata.js";
import { MessageWriter } from "./message-writer.js";

/** Unary calls of foreign clients that name no deadline end after two minutes: twice the longest wait there is. */
const NO_DEADLINE_TIMEOUT_MS = 120_000;

export interface ServingOptions {
  dispatcher: Dispatcher;
  log: Logger;
}

/**
 * Makes every method of the route's service reachable, whether it has a handler or not. To grpc-js all of them read
 * streams: that way a call begins with its headers, and nobody can fill our memory with a request before we know who
 * they are.
 */
export function addRoute(server: Server, route: Route, serving: ServingOptions): void {
  for (const method of route.service.methods) {
    const path = `/${route.service.typeName}/${method.name}`;
    byKind(method, {
      unary: (unary) =>
        server.register(path, unaryHandler(route, unary, serving), unchanged, unchanged, "clientStream"),
      clientStream: (stream) =>
        server.register(path, clientStreamHandler(route, stream, serving), unchanged, unchanged, "clientStream"),
      serverStream: (stream) =>
        server.register(path, serverStreamHandler(route, stream, serving), unchanged, unchanged, "bidi"),
    });
  }
}

function unaryHandler(route: Route, method: DescMethodUnary, { dispatcher, log }: ServingOptions) {
  return (call: ServerReadableStream<Buffer, Buffer>, callback: sendUnaryData<Buffer>): void => {
    const incoming = incomingCall(call, NO_DEADLINE_TIMEOUT_MS);
    const response = dispatcher.unary(route, method, () => requestOf(call, method.input), incoming);
    void answer(call, callback, { method, incoming, response, log });
  };
}

function clientStreamHandler(route: Route, method: DescMethodClientStreaming, { dispatcher, log }: ServingOptions) {
  return (call: ServerReadableStream<Buffer, Buffer>, callback: sendUnaryData<Buffer>): void => {
    const incoming = incomingCall(call);
    const response = dispatcher.clientStream(route, method, requestsOf(call, method, incoming), incoming);
    void answer(call, callback, { method, incoming, response, log });
  };
}

function serverStreamHandler(route: Route, method: DescMethodServerStreaming, { dispatcher, log }: ServingOptions) {
  return (call: ServerDuplexStream<Buffer, Buffer>): void => {
    const incoming = incomingCall(call);
    const writer = new MessageWriter(call, incoming.signal);
    const responses = dispatcher.serverStream(route, method, () => requestOf(call, method.input), incoming);
    const send = async (): Promise<void> => {
      let begun = false;
      for await (const response of responses) {
        if (!begun) call.sendMetadata(answerMetadata(incoming.requestId));
        begun = true;
        await writer.write(encode(method.output, response));
      }
      if (!begun) call.sendMetadata(answerMetadata(incoming.requestId));
    };
    send().then(
      () => call.end(),
      (error: unknown) => call.emit("error", toStatus(answerable(error, method, log), incoming.requestId)),
    );
  };
}

interface Answer {
  method: DescMethodUnary | DescMethodClientStreaming;
  incoming: IncomingCall;
  response: Promise<Message>;
  log: Logger;
}

async function answer(call: ServerSurfaceCall, callback: sendUnaryData<Buffer>, parts: Answer): Promise<void> {
  const { method, incoming, response, log } = parts;
  try {
    const bytes = encode(method.output, await response);
    call.sendMetadata(answerMetadata(incoming.requestId));
    callback(null, bytes);
  } catch (error) {
    callback(toStatus(answerable(error, method, log), incoming.requestId));
  }
}

/** The dispatcher has reported its own failures; what is not one yet went wrong in encoding the answer. */
function answerable(error: unknown, method: { toString: () => string }, log: Logger): AppError {
  if (!(error instanceof AppError)) log.error({ err: error, method: method.toString() }, "answer could not be sent");
  return AppError.from(error);
}

function incomingCall(call: ServerSurfaceCall, defaultTimeoutMs?: number): IncomingCall {
  const deadline = Number(call.getDeadline());
  const timeoutMs = Number.isFinite(deadline) ? Math.max(0, deadline - Date.now()) : defaultTimeoutMs;
  const lifetime = new CallLifetime(timeoutMs);
  // Emitted for every call that ends, also for those that were answered.
  call.once("cancelled", () => lifetime.cancel());
  if (call.cancelled) lifetime.cancel();
  const origin = { trace: traceOf(call.metadata), peerAddress: () => peerAddressOf(call) };
  return new IncomingCall(requestIdOf(call.metadata), tokenOf(call.metadata), lifetime, origin);
}

/** The address in `127.0.0.1:41234` or `::1:41234`; empty once the connection is gone. */
function peerAddressOf(call: ServerSurfaceCall): string {
  return /^(.*):\d+$/.exec(call.getPeer())?.[1] ?? "";
}

/** The one message of a call that sends one. Nobody waits for it any longer once the call is over. */
async function requestOf(call: ServerReadableStream<Buffer, Buffer>, schema: DescMessage): Promise<Message> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
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
  return decodeRequest(schema, bytes);
}

async function* requestsOf(
  call: ServerReadableStream<Buffer, Buffer>,
  method: DescMethodClientStreaming,
  { requestId }: IncomingCall,
): AsyncIterable<Message> {
  try {
    for await (const bytes of call as AsyncIterable<Buffer>) yield decodeRequest(method.input, bytes);
  } catch (error) {
    throw call.cancelled ? cutOff(error) : error;
  }
  if (await isCut(call, requestId)) throw cutOff();
}

/**
 * Node ends the reading side of a stream that was reset just like that of one that is complete, before it says that it
 * is closed. grpc-js notices that only when something is to be sent; hence the metadata, and the turn of the loop in
 * which it tells us.
 */
async function isCut(call: ServerReadableStream<Buffer, Buffer>, requestId: string): Promise<boolean> {
  call.sendMetadata(answerMetadata(requestId));
  await new Promise(setImmediate);
  return call.cancelled;
}

function cutOff(cause?: unknown): AppError {
  return new AppError("cancelled", "The caller broke off the call.", { cause });
}
