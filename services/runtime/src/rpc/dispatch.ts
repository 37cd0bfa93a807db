import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescMethodClientStreaming,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { AppError } from "../errors/app-error.js";
import type { AuthenticatedContext, Authenticate, CallContext, Principal } from "./context.js";
import type { Route } from "./service.js";
import { findViolations } from "./validation.js";

/** A call as a transport hands it over; `signal` ends with the caller's interest or the deadline. */
export type IncomingCall = CallContext;

/** Told of every failure a caller may not see in full; `cause` holds the original. */
export type ReportFailure = (error: AppError, method: DescMethod, call: IncomingCall) => void;

export interface DispatchOptions {
  authenticate: Authenticate;
  reportFailure: ReportFailure;
}

/**
 * Carries a call from any transport to its handler: admission by token and product, validation by the rules in proto/,
 * failures as AppError. All transports go through here, so they all answer alike.
 */
export class Dispatcher {
  constructor(private readonly options: DispatchOptions) {}

  async unary(route: Route, method: DescMethodUnary, request: Message, call: IncomingCall): Promise<Message> {
    try {
      const context = await this.admit(route, method, call);
      rejectInvalid(method.input, request);
      const handle = handlerOf<UnaryHandler>(route, method);
      return create(method.output, await handle(request, context));
    } catch (error) {
      throw this.failure(error, method, call);
    }
  }

  async *serverStream(
    route: Route,
    method: DescMethodServerStreaming,
    request: Message,
    call: IncomingCall,
  ): AsyncIterable<Message> {
    try {
      const context = await this.admit(route, method, call);
      rejectInvalid(method.input, request);
      const handle = handlerOf<ServerStreamHandler>(route, method);
      for await (const message of handle(request, context)) yield create(method.output, message);
    } catch (error) {
      throw this.failure(error, method, call);
    }
  }

  async clientStream(
    route: Route,
    method: DescMethodClientStreaming,
    requests: AsyncIterable<Message>,
    call: IncomingCall,
  ): Promise<Message> {
    try {
      const context = await this.admit(route, method, call);
      const handle = handlerOf<ClientStreamHandler>(route, method);
      return create(method.output, await handle(validated(method.input, requests), context));
    } catch (error) {
      throw this.failure(error, method, call);
    }
  }

  private async admit(route: Route, method: DescMethod, call: IncomingCall): Promise<CallContext> {
    if (route.admission.open?.includes(method.localName) === true) return call;
    const principal = await this.options.authenticate(call.token);
    requireProduct(principal, route.admission.product);
    const context: AuthenticatedContext = {
      requestId: call.requestId,
      token: call.token,
      principal,
      get signal() {
        return call.signal;
      },
    };
    return context;
  }

  private failure(error: unknown, method: DescMethod, call: IncomingCall): AppError {
    const failure = AppError.from(error);
    if (failure.kind === "internal") this.options.reportFailure(failure, method, call);
    return failure;
  }
}

/** Fails with AppError `forbidden` unless the principal's company has the product active. */
export function requireProduct(principal: Principal, product: string | undefined): void {
  if (product === undefined) return;
  if (principal.products.some(({ uid, active }) => uid === product && active)) return;
  throw new AppError("forbidden", `The product "${product}" is not active for your company.`, {
    code: "product_inactive",
  });
}

type UnaryHandler = (request: Message, context: CallContext) => Promise<MessageInitShape<DescMessage>>;
type ServerStreamHandler = (request: Message, context: CallContext) => AsyncIterable<MessageInitShape<DescMessage>>;
type ClientStreamHandler = (
  requests: AsyncIterable<Message>,
  context: CallContext,
) => Promise<MessageInitShape<DescMessage>>;

function handlerOf<H>(route: Route, method: DescMethod): H {
  const handler = route.handlers[method.localName];
  if (handler === undefined) {
    throw new AppError("unimplemented", `${method.name} is not available in this version of the server.`);
  }
  return handler as H;
}

function rejectInvalid(schema: DescMessage, message: Message): void {
  const violations = findViolations(schema, message as MessageShape<DescMessage>);
  if (violations.length > 0) throw AppError.invalid(violations);
}

async function* validated(schema: DescMessage, requests: AsyncIterable<Message>): AsyncIterable<Message> {
  for await (const request of requests) {
    rejectInvalid(schema, request);
    yield request;
  }
}
