import { randomUUID } from "node:crypto";
import {
  create,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  type Message,
  type MessageInitShape,
  type DescMessage,
} from "@bufbuild/protobuf";
import { CallLifetime } from "./call-lifetime.js";
import type { Dispatcher, IncomingCall } from "./dispatch.js";
import type { CallOptions, Client, Route } from "./service.js";

/**
 * A client that calls the service in this process: same admission, validation, deadlines and failures as over a port,
 * without serialisation. Messages are handed over as they are; neither side changes what it was given.
 */
export function createInProcessClient<S extends DescService>(
  service: S,
  route: Route,
  dispatcher: Dispatcher,
): Client<S> {
  const calls: Record<string, unknown> = {};
  for (const method of service.methods) calls[method.localName] = bind(method, route, dispatcher);
  return calls as Client<S>;
}

function bind(method: DescMethod, route: Route, dispatcher: Dispatcher): unknown {
  switch (method.methodKind) {
    case "unary":
      return (request: MessageInitShape<DescMessage>, options: CallOptions = {}) => {
        const lifetime = new CallLifetime(options);
        return lifetime.bound(
          dispatcher.unary(
            route,
            method as DescMethodUnary,
            create(method.input, request),
            incoming(options, lifetime),
          ),
        );
      };
    case "client_streaming":
      return (requests: AsyncIterable<MessageInitShape<DescMessage>>, options: CallOptions = {}) => {
        const lifetime = new CallLifetime(options);
        const messages = created(method.input, requests);
        return lifetime.bound(
          dispatcher.clientStream(route, method as DescMethodClientStreaming, messages, incoming(options, lifetime)),
        );
      };
    case "server_streaming":
      return async function* (request: MessageInitShape<DescMessage>, options: CallOptions = {}) {
        const lifetime = new CallLifetime(options);
        try {
          yield* dispatcher.serverStream(
            route,
            method as DescMethodServerStreaming,
            create(method.input, request),
            incoming(options, lifetime),
          );
        } finally {
          lifetime.end();
        }
      };
    default:
      throw new Error(`${method.toString()}: bidirectional streams are not used`);
  }
}

function incoming(options: CallOptions, lifetime: CallLifetime): IncomingCall {
  return {
    token: options.token ?? "",
    requestId: options.requestId ?? randomUUID(),
    get signal() {
      return lifetime.signal;
    },
  };
}

async function* created(
  schema: DescMessage,
  inits: AsyncIterable<MessageInitShape<DescMessage>>,
): AsyncIterable<Message> {
  for await (const init of inits) yield create(schema, init);
}
