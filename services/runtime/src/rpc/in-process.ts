import { randomUUID } from "node:crypto";
import { create, type DescMessage, type DescService, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { CallLifetime, DEFAULT_TIMEOUT_MS } from "./call-lifetime.js";
import { IncomingCall, type Dispatcher } from "./dispatch.js";
import { clientOf } from "./method-kind.js";
import type { CallOptions, Client, Route } from "./service.js";

type Init = MessageInitShape<DescMessage>;

/**
 * A client that calls the service in this process: same admission, validation, deadlines and failures as over a port,
 * without serialisation. Messages are passed by reference; neither side may modify what it received.
 */
export function createInProcessClient<S extends DescService>(
  service: S,
  route: Route,
  dispatcher: Dispatcher,
): Client<S> {
  return clientOf(service, {
    unary: (method) => {
      return (request: Init, options: CallOptions = {}) =>
        dispatcher.unary(route, method, () => create(method.input, request), incoming(options, DEFAULT_TIMEOUT_MS));
    },
    clientStream: (method) => {
      return (requests: AsyncIterable<Init>, options: CallOptions = {}) =>
        dispatcher.clientStream(route, method, created(method.input, requests), incoming(options));
    },
    serverStream: (method) => {
      return async function* (request: Init, options: CallOptions = {}) {
        yield* dispatcher.serverStream(route, method, () => create(method.input, request), incoming(options));
      };
    },
  });
}

function incoming(options: CallOptions, defaultTimeoutMs?: number): IncomingCall {
  const lifetime = new CallLifetime(options.timeoutMs ?? defaultTimeoutMs, options.signal);
  return new IncomingCall(options.requestId ?? randomUUID(), options.token ?? "", lifetime);
}

async function* created(schema: DescMessage, inits: AsyncIterable<Init>): AsyncIterable<Message> {
  for await (const init of inits) yield create(schema, init);
}
