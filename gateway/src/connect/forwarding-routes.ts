import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { route, type Admission, type CallContext, type CallOptions, type Route } from "@hourglass/runtime";
import type { Clients } from "../clients.js";
import { publishedMethods, publishedServices, type PublishedService } from "./published-services.js";

/** Routes that forward every call to the client of its service, for a dispatcher that has admitted the caller. */
export function forwardingRoutes(clients: Clients): Route[] {
  return publishedServices(clients).map((published) => {
    const { service, product } = published;
    const admission: Admission = product === undefined ? {} : { product };
    const handlers = service === AuthService ? withClientAddress(handlersOf(published)) : handlersOf(published);
    return { ...route(service, {}, admission), handlers };
  });
}

/** Longer than the longest wait for a record. The caller's own deadline aborts the signal. */
const UNARY_TIMEOUT_MS = 120_000;

type Call = (request: unknown, options: CallOptions) => unknown;
type Handlers = Readonly<Record<string, (request: unknown, context: CallContext) => unknown>>;

/** The client and the handler of a method differ only in their second argument, for every kind of method. */
function handlersOf({ service, client }: PublishedService): Handlers {
  const calls: Readonly<Record<string, unknown>> = client;
  return Object.fromEntries(
    publishedMethods(service).map(({ localName, methodKind }) => {
      const call = calls[localName] as Call;
      const limits = methodKind === "unary" ? { timeoutMs: UNARY_TIMEOUT_MS } : {};
      return [
        localName,
        (request: unknown, context: CallContext) => call(request, { ...optionsOf(context), ...limits }),
      ];
    }),
  );
}

function optionsOf({ token, requestId, signal }: CallContext): CallOptions {
  return { token, requestId, signal };
}

/** Sign-in attempts are counted by the peer address; an address in the request is not trusted. */
function withClientAddress(handlers: Handlers): Handlers {
  const { signIn } = handlers;
  if (signIn === undefined) return handlers;
  return {
    ...handlers,
    signIn: (request, context) => signIn({ ...(request as object), clientAddress: context.peerAddress ?? "" }, context),
  };
}
