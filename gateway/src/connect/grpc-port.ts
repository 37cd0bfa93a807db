import type { DescMethod, Message } from "@bufbuild/protobuf";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import {
  AppError,
  type AuthenticatedContext,
  callerIdOfCall,
  createGrpcServer,
  createReportingDispatcher,
  openPort,
  route,
  type Admission,
  type Authenticate,
  type AuthenticateService,
  type CallContext,
  type CallOptions,
  type Foundation,
  type HoldMessages,
  type IncomingCall,
  type Logger,
  type MessageHold,
  type Metrics,
  type ProcessConfig,
  type Route,
} from "@hourglass/runtime";
import type { GatewayConfig } from "../config.js";
import { SMALL_BYTES, tooLarge } from "../http/body.js";
import { isShed } from "../http/errors.js";
import type { Budget, CallerId, Holder } from "../http/limits.js";
import type { SharedLimits } from "../http/shared-limits.js";
import {
  publishedMethods,
  publishedServices,
  takesClientAddress,
  type Clients,
  type PublishedService,
} from "../services.js";
import { readLarge } from "./large-answers.js";
import { messageBytesMaxOf } from "./messages.js";

/** Default address of gRPC in a single process. */
const DEFAULT_PLACE = { host: "127.0.0.1", port: 50_050 };

export interface GrpcPortOptions extends Foundation<ProcessConfig & { readonly gateway: GatewayConfig }> {
  readonly clients: Clients;
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  readonly metrics: Metrics;
  /** Those of the HTTP port, so that a second port gives nobody a second allowance. */
  readonly limits: SharedLimits;
}

/**
 * Opens the port on which all services answer gRPC, with health and reflection, and returns its number. It is
 * `GRPC_PORT` at `HOST`, by default 50050 on the loopback interface; if the default port is taken, only a warning is
 * logged. The lifecycle closes the port.
 */
export async function openGrpcPort(options: GrpcPortOptions): Promise<number | undefined> {
  const { config, log, lifecycle, limits, metrics } = options;
  const { bodyBytesMax } = config.gateway;
  const onShed = (code: string) => metrics.countRequestShed(code);
  const server = await createGrpcServer({
    routes: forwardingRoutes(options.clients, { limits, log }),
    dispatcher: createReportingDispatcher({ ...options, authenticate: limited(options, onShed), forwards: true }),
    log,
    maxMessageBytes: bodyBytesMax,
    holdMessages: holdInBudget({ budget: limits.budget, bodyBytesMax, onShed }),
    ...(config.tls === undefined ? {} : { tls: config.tls }),
  });
  const asked = config.grpcPort === undefined ? undefined : { host: config.host, port: config.grpcPort };
  const place = { ...(asked ?? DEFAULT_PLACE), variable: "GRPC_PORT" } as const;
  try {
    const port = await openPort(server.listen(place), place);
    lifecycle.addEntrance("gRPC port", (graceMs) => server.stop(graceMs));
    return port;
  } catch (error) {
    if (asked !== undefined) throw error;
    log.warn({ reason: error instanceof Error ? error.message : undefined }, "there is no gRPC port");
    return undefined;
  }
}

/** Every call authenticates its token exactly once, so the requests of a user are counted there. */
function limited(
  { limits: { countRequest }, authenticate }: GrpcPortOptions,
  onShed: (code: string) => void,
): Authenticate {
  if (countRequest === undefined) return authenticate;
  return async (token) => {
    const principal = await authenticate(token);
    try {
      await countRequest({ rateHeaders: [] }, principal);
    } catch (error) {
      if (isShed(error)) onShed(error.code);
      throw error;
    }
    return principal;
  };
}

/** A request that takes longer to arrive is large or its connection slow, and is accounted for; in milliseconds. */
const UNDERWAY_MS = 1000;

interface MessageBudgetOptions {
  readonly budget: Budget;
  /** Maximum size of a message. */
  readonly bodyBytesMax: number;
  /** Called for every message that is refused because of overload, with the code of the response. */
  readonly onShed: (code: string) => void;
}

/**
 * Accounts for the messages of the gRPC port in the budget of the gateway. grpc-js tells the size of a message only when
 * it is complete. One that takes longer than a second to arrive counts until then as the largest one that its method takes.
 */
function holdInBudget(options: MessageBudgetOptions): HoldMessages {
  return (call, method) => new CallHold(call, messageBytesMaxOf(method, options.bodyBytesMax), options);
}

class CallHold implements Holder, MessageHold {
  heldBytes = 0;
  isOver = false;

  constructor(
    private readonly call: IncomingCall,
    /** Of a request. */
    private readonly bytesMax: number,
    private readonly options: MessageBudgetOptions,
  ) {}

  get callerId(): CallerId | undefined {
    return callerIdOfCall(this.call);
  }

  async receive(read: () => Promise<Buffer>): Promise<Buffer> {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const underway = setTimeout(() => {
        try {
          this.carry(this.bytesMax);
        } catch (error) {
          reject(AppError.from(error));
        }
      }, UNDERWAY_MS);
      this.stopWaiting = () => clearTimeout(underway);
      read().then(resolve, reject).finally(this.stopWaiting);
    });
    this.options.budget.release(this);
    this.accept(bytes.length);
    return bytes;
  }

  accept(bytes: number): void {
    if (bytes > this.bytesMax) throw tooLarge(this.bytesMax);
    this.carry(bytes);
  }

  carry(bytes: number): void {
    const missing = bytes - this.heldBytes;
    if (bytes <= SMALL_BYTES || missing <= 0) return;
    try {
      this.options.budget.take(this, missing);
    } catch (error) {
      if (isShed(error)) this.options.onShed(error.code);
      throw error;
    }
  }

  release(): void {
    this.isOver = true;
    this.stopWaiting();
    this.options.budget.release(this);
  }

  private stopWaiting: () => void = () => undefined;
}

/** Routes that forward every call to the client of its service, for a dispatcher that has admitted the caller. */
function forwardingRoutes(clients: Clients, forwarding: Forwarding): Route[] {
  return publishedServices(clients).map((published) => {
    const { service, product } = published;
    const admission: Admission = product === undefined ? {} : { product };
    const handlers =
      service === AuthService
        ? withClientAddress(handlersOf(published, forwarding))
        : handlersOf(published, forwarding);
    return { ...route(service, {}, admission), handlers };
  });
}

/** What forwarding takes, besides the clients. */
interface Forwarding {
  readonly limits: SharedLimits;
  readonly log: Logger;
}

/** Longer than the longest wait for a record. The caller's own deadline aborts the signal. */
const UNARY_TIMEOUT_MS = 120_000;

type Call = (request: unknown, options: CallOptions) => unknown;
type Handlers = Readonly<Record<string, (request: unknown, context: CallContext) => unknown>>;

/** The client and the handler of a method differ only in their second argument, for every kind of method. */
function handlersOf({ service, client }: PublishedService, { limits, log }: Forwarding): Handlers {
  const calls: Readonly<Record<string, unknown>> = client;
  return Object.fromEntries(
    publishedMethods(service).map((method) => {
      const { localName, methodKind } = method;
      const call = calls[localName] as Call;
      const noteKey = (context: CallContext & Partial<AuthenticatedContext>) => {
        const { principal, peerAddress: clientAddress = "" } = context;
        if (principal === undefined || "service" in principal) return;
        limits.keyAddresses.note({ principal, clientAddress, log });
      };
      if (methodKind !== "unary") {
        return [
          localName,
          (request: unknown, context: CallContext) => {
            noteKey(context);
            return call(request, optionsOf(context));
          },
        ];
      }
      const ask = (request: unknown, context: CallContext) =>
        call(request, { ...optionsOf(context), timeoutMs: UNARY_TIMEOUT_MS }) as Promise<Message>;
      return [
        localName,
        (request: unknown, context: CallContext) => {
          noteKey(context);
          return inTurn(limits, { method, request: request as Message, context, ask });
        },
      ];
    }),
  );
}

interface UnaryCall {
  readonly method: DescMethod;
  readonly request: Message;
  readonly context: CallContext;
  readonly ask: (request: unknown, context: CallContext) => Promise<Message>;
}

/** Calls a method, whose response if it is large is loaded in turn. The message then counts as it is sent. */
async function inTurn(
  { budget, largeRecords }: SharedLimits,
  { method, request, context, ask }: UnaryCall,
): Promise<Message> {
  const call = (message: Message) => ask(message, context);
  const reader = new CallReader(context);
  const read = readLarge({ method, request, reader, largeRecords, call, wait: call });
  try {
    return await (read ?? call(request));
  } finally {
    budget.release(reader);
  }
}

/** Holds the size of a response until it is encoded. */
class CallReader implements Holder {
  heldBytes = 0;

  constructor(private readonly call: CallContext) {}

  get callerId(): CallerId | undefined {
    return callerIdOfCall(this.call as Partial<AuthenticatedContext>);
  }

  get isOver(): boolean {
    return this.call.signal.aborted;
  }
}

function optionsOf({ token, requestId, signal, peerAddress: clientAddress = "" }: CallContext): CallOptions {
  return { token, requestId, signal, clientAddress };
}

/** Attempts with a password are counted by the peer address; an address in the request is not trusted. */
function withClientAddress(handlers: Handlers): Handlers {
  const counted = Object.entries(handlers).map(([name, handle]): [string, Handlers[string]] => {
    if (!takesClientAddress(AuthService.methods.find(({ localName }) => localName === name))) return [name, handle];
    return [name, (request, call) => handle({ ...(request as object), clientAddress: call.peerAddress ?? "" }, call)];
  });
  return Object.fromEntries(counted);
}
