import { randomUUID } from "node:crypto";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  getOption,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { callers, Callers } from "@hourglass/proto/options/v1/callers";
import { authorOf, requireAccess, requirementOf } from "../auth/access.js";
import { type Act, type ActDetails, audited, type AuditTrail, type BegunAct } from "../auth/audit-trail.js";
import { looksLike } from "../auth/token-verifier.js";
import { SERVICE_TOKENS, servicesOnly, serviceTokenNeeded, tokenNeeded } from "../auth/tokens.js";
import { AppError, type ErrorKind, type FieldViolation } from "../errors/app-error.js";
import { type LoopShare, loopShare } from "../process/event-loop.js";
import { loopWatch } from "../process/loop-watch.js";
import { makingRoom } from "../storage/disk-reserve.js";
import { eachInSpan } from "../telemetry/spans.js";
import { CallLifetime, DEFAULT_TIMEOUT_MS } from "./call-lifetime.js";
import { endServedCall, type RemoteTrace, startServedCall } from "./rpc-spans.js";
import {
  type Authenticate,
  type AuthenticatedContext,
  type AuthenticateService,
  type CallContext,
  type CallOptions,
  type Client,
  clientOf,
  type Principal,
  type Route,
  type ServicePrincipal,
} from "./service.js";
import { findViolationsInParts } from "./validation/violations.js";

/** Origin of a call from another process. */
interface CallOrigin {
  readonly trace?: RemoteTrace;
  /** Evaluated only when a handler needs it. */
  readonly peerAddress?: () => string;
  /** Of the client for whom the caller calls; absent: that of the caller. */
  readonly clientAddress?: string;
}

/** Methods that work on a full disk, because they make room on it. */
const DELETES = /^(Delete|Erase)[A-Z]/;

/** A call as a transport hands it over. */
export class IncomingCall implements CallContext {
  /** The accepted caller, set by the dispatcher; undefined before, and for methods that need no token. */
  principal: Principal | ServicePrincipal | undefined;
  /** Whether the request asks to wait for the end of a job, set by the dispatcher. */
  waits = false;
  /** What the audit log has of the call, set by the dispatcher. */
  act: BegunAct | undefined;

  constructor(
    readonly requestId: string,
    readonly token: string,
    readonly lifetime: CallLifetime,
    private readonly origin: CallOrigin = {},
  ) {}

  get service(): string | undefined {
    return this.principal !== undefined && "service" in this.principal ? this.principal.service : undefined;
  }

  /** The trace of the caller if it is another process. */
  get trace(): RemoteTrace {
    return this.origin.trace;
  }

  get peerAddress(): string | undefined {
    return this.origin.peerAddress?.();
  }

  /** Of the client for whom the call is made; empty if it is not known. */
  get clientAddress(): string {
    return this.origin.clientAddress ?? this.peerAddress ?? "";
  }

  get signal(): AbortSignal {
    return this.lifetime.signal;
  }
}

/** Returns the request; called after the caller has been admitted. */
type RequestSource = () => Message | Promise<Message>;

/** Called for every failure whose details are hidden from the caller; `cause` holds the original. */
type ReportFailure = (error: AppError, method: DescMethod, call: CallContext) => void;

/** A finished call, with the outcome that its caller saw. */
interface FinishedCall {
  readonly method: DescMethod;
  readonly outcome: ErrorKind | "ok";
  /** The code of a failure. */
  readonly code?: string;
  /** Whether the caller asked to wait for the end of a job. */
  readonly waited: boolean;
  readonly durationMs: number;
}

/** Called for every finished call. */
type ObserveCall = (call: FinishedCall) => void;

interface DispatchOptions {
  authenticate: Authenticate;
  /** If absent, no service token is accepted. */
  authenticateService?: AuthenticateService;
  reportFailure: ReportFailure;
  observeCall?: ObserveCall;
  /** Where the acts of callers are recorded that the methods' options name. Absent where another dispatcher does it. */
  audit?: Pick<AuditTrail, "begin">;
  /** Told of the calls that users wait for. Default: that of the process. */
  share?: Pick<LoopShare, "noteRequest">;
}

/**
 * Dispatches a call from any transport to its handler: admission by kind of token, product and role, validation by the
 * rules in proto/, deadline, failures as AppError. All transports use it, so they all answer alike.
 */
export class Dispatcher {
  private readonly share: Pick<LoopShare, "noteRequest">;

  constructor(private readonly options: DispatchOptions) {
    this.share = options.share ?? loopShare;
  }

  async unary(route: Route, method: DescMethodUnary, request: RequestSource, call: IncomingCall): Promise<Message> {
    return this.run(method, call, async () => {
      const context = await this.admit(route, method, call);
      if (call.service === undefined) this.share.noteRequest();
      const message = await valid(method.input, await request(), route.rules[method.localName]);
      call.waits = asksToWait(message);
      const handle = handlerOf(route, method) as UnaryHandler;
      const act = this.actOf(method, call, message);
      const work = () => this.recorded(act, call, () => handle(message, context));
      return DELETES.test(method.name) ? makingRoom(work) : work();
    });
  }

  async clientStream(
    route: Route,
    method: DescMethodClientStreaming,
    requests: AsyncIterable<Message>,
    call: IncomingCall,
  ): Promise<Message> {
    return this.run(method, call, async () => {
      const context = await this.admit(route, method, call);
      // The requests get their own lifetime, so that a handler waiting for the next one learns when none will come.
      const lasting = new CallLifetime(undefined, call.signal).stream(requests);
      const handle = handlerOf(route, method) as ClientStreamHandler;
      return this.recordedOnceDescribed(this.actOf(method, call), call, () =>
        handle(eachValid(method.input, lasting), context),
      );
    });
  }

  async *serverStream(
    route: Route,
    method: DescMethodServerStreaming,
    request: RequestSource,
    call: IncomingCall,
  ): AsyncGenerator<Message, void, undefined> {
    const startedAt = performance.now();
    const span = startServedCall(method, call.requestId, call.trace);
    let outcome: AppError | "cancelled" | "ok" = "cancelled"; // the outcome if the reader stops
    try {
      yield* call.lifetime.stream(eachInSpan(span, this.responses(route, method, request, call)));
      outcome = "ok";
    } catch (error) {
      outcome = this.failure(error, method, call);
      throw outcome;
    } finally {
      this.observe(method, call, { outcome, startedAt });
      endServedCall(span, outcome, call.service);
    }
  }

  private async *responses(
    route: Route,
    method: DescMethodServerStreaming,
    request: RequestSource,
    call: IncomingCall,
  ): AsyncGenerator<Message, void, undefined> {
    const context = await this.admit(route, method, call);
    const message = await valid(method.input, await request(), route.rules[method.localName]);
    const handle = handlerOf(route, method) as ServerStreamHandler;
    for await (const response of handle(message, context)) yield create(method.output, response);
  }

  private async run(
    method: DescMethod,
    call: IncomingCall,
    work: () => Promise<MessageInitShape<DescMessage>>,
  ): Promise<Message> {
    const startedAt = performance.now();
    const span = startServedCall(method, call.requestId, call.trace);
    try {
      const inSpan = span === undefined ? work : () => span.run(work);
      const response = create(method.output, await call.lifetime.run(inSpan));
      this.observe(method, call, { outcome: "ok", startedAt });
      endServedCall(span, "ok", call.service);
      return response;
    } catch (error) {
      const failure = this.failure(error, method, call);
      this.observe(method, call, { outcome: failure, startedAt });
      endServedCall(span, failure, call.service);
      throw failure;
    }
  }

  /** What the audit log of the caller's company records of a call; undefined if nothing. */
  private actOf(method: DescMethod, call: IncomingCall, request: object = {}): Act | undefined {
    const { principal, requestId, clientAddress } = call;
    const { audit: action } = requirementOf(method);
    if (action === "" || principal === undefined || "service" in principal || changesNothing(request)) return undefined;
    const { companyId, email } = principal;
    const about = nameIn(request);
    return {
      ...{
        companyId,
        action,
        by: authorOf(principal),
        email,
        recordId: idIn(request) ?? null,
        requestId,
        clientAddress,
      },
      ...(about === undefined ? {} : { about }),
    };
  }

  private async recorded<T extends object>(
    act: Act | undefined,
    call: IncomingCall,
    work: () => Promise<T>,
  ): Promise<T> {
    const { audit } = this.options;
    if (audit === undefined || act === undefined) return work();
    call.act = await audit.begin(act);
    return audited(call.act, work, idIn);
  }

  /** What a stream of requests is about is known to its handler alone: it says when something is done, and to what. */
  private async recordedOnceDescribed<T extends object>(
    act: Act | undefined,
    call: IncomingCall,
    work: () => Promise<T>,
  ): Promise<T> {
    const { audit } = this.options;
    if (audit === undefined || act === undefined) return work();
    let begun: BegunAct | undefined;
    call.act = {
      describe: async (about) => {
        if (begun === undefined) begun = await audit.begin({ ...act, about });
        else await begun.describe(about);
      },
      done: async (recordId) => begun?.done(recordId),
      drop: async () => begun?.drop(),
    };
    return audited(call.act, work, idIn);
  }

  private observe(
    method: DescMethod,
    { waits: waited, principal }: IncomingCall,
    { outcome, startedAt }: { outcome: AppError | "cancelled" | "ok"; startedAt: number },
  ): void {
    loopWatch.note({ route: `${method.parent.name}.${method.name}`, companyId: principal?.companyId });
    const code = outcome instanceof AppError ? { code: outcome.code } : {};
    const durationMs = performance.now() - startedAt;
    this.options.observeCall?.({ method, outcome: kindOf(outcome), ...code, waited, durationMs });
  }

  private async admit(route: Route, method: DescMethod, call: IncomingCall): Promise<CallContext> {
    if (route.admission.open === true || isOpen(method)) return call;
    if (call.token === "") throw tokenNeeded();
    const principal = await this.principalOf(route, method, call);
    call.principal = principal;
    return new AdmittedCall(call, principal);
  }

  private async principalOf(
    route: Route,
    method: DescMethod,
    call: IncomingCall,
  ): Promise<Principal | ServicePrincipal> {
    if (callersOf(method, call.token) === "users") {
      const user = await this.options.authenticate(call.token);
      requireProduct(user, route.admission.product);
      requireAccess(user, method);
      return user;
    }
    return requireService(call.token, this.options);
  }

  private failure(error: unknown, method: DescMethod, call: IncomingCall): AppError {
    const failure = AppError.from(error);
    if (failure.kind === "internal") this.options.reportFailure(failure, method, call);
    return failure;
  }
}

function kindOf(outcome: AppError | "cancelled" | "ok"): ErrorKind | "ok" {
  return outcome instanceof AppError ? outcome.kind : outcome;
}

class AdmittedCall implements AuthenticatedContext {
  readonly requestId: string;
  readonly token: string;

  constructor(
    private readonly call: IncomingCall,
    readonly principal: Principal | ServicePrincipal,
  ) {
    this.requestId = call.requestId;
    this.token = call.token;
  }

  get service(): string | undefined {
    return this.call.service;
  }

  get peerAddress(): string | undefined {
    return this.call.peerAddress;
  }

  async describeAct(details: ActDetails): Promise<void> {
    await this.call.act?.describe(details);
  }

  /** A getter, so that the signal is created only for handlers that use it. */
  get signal(): AbortSignal {
    return this.call.signal;
  }
}

/** Throws AppError `forbidden` unless the product is active for the principal's company. */
export function requireProduct(principal: Principal, product: string | undefined): void {
  if (product === undefined) return;
  if (principal.products.some(({ uid, active }) => uid === product && active)) return;
  throw new AppError(
    "forbidden",
    `The product "${product}" is not active for your company. Ask your operator to activate it.`,
    {
      code: "product_inactive",
    },
  );
}

type Rule = (request: Message) => FieldViolation[];
type UnaryHandler = (request: Message, context: CallContext) => Promise<MessageInitShape<DescMessage>>;
type ServerStreamHandler = (request: Message, context: CallContext) => AsyncIterable<MessageInitShape<DescMessage>>;
type ClientStreamHandler = (
  requests: AsyncIterable<Message>,
  context: CallContext,
) => Promise<MessageInitShape<DescMessage>>;

/** `route` has checked that the handler fits the method. */
function handlerOf(route: Route, method: DescMethod): unknown {
  const handler = route.handlers[method.localName];
  if (handler === undefined) {
    throw new AppError("unimplemented", `The method ${method.name} is not available in this version of the server.`);
  }
  return handler;
}

/** `route` has checked that the rule fits the method. */
async function valid(schema: DescMessage, message: Message, rule?: unknown): Promise<Message> {
  const violations = await findViolationsInParts(schema, message as MessageShape<DescMessage>);
  const further = rule === undefined ? [] : (rule as Rule)(message);
  if (violations.length + further.length === 0) return message;
  // A field that already breaks a rule of the proto file is not reported twice, but a further rule may know where.
  const known = new Set(violations.flatMap(({ field }) => [field, ...outerOf(field)]));
  const placed = violations.map((each) => ({ ...placeOf(further.find(({ field }) => field === each.field)), ...each }));
  throw AppError.invalid([...placed, ...further.filter(({ field }) => !known.has(field))]);
}

function placeOf({ start, end }: Partial<FieldViolation> = {}): Pick<FieldViolation, "start" | "end"> {
  return start === undefined || end === undefined ? {} : { start, end };
}

/** The messages that a field is in: of `query.contents[3].text`, `query` and `query.contents[3]`. */
function outerOf(field: string): string[] {
  return [...field.matchAll(/\./g)].map(({ index }) => field.slice(0, index));
}

async function* eachValid(schema: DescMessage, requests: AsyncIterable<Message>): AsyncIterable<Message> {
  for await (const request of requests) yield await valid(schema, request);
}

/**
 * The service that a token for a method for services belongs to. A user or API key is told that only services may, AppError
 * `forbidden`; who is not known, that they are not, AppError `unauthenticated`.
 */
export async function requireService(
  token: string,
  { authenticate, authenticateService }: Pick<DispatchOptions, "authenticate" | "authenticateService">,
): Promise<ServicePrincipal> {
  if (!looksLike(token, SERVICE_TOKENS)) {
    await authenticate(token);
    throw servicesOnly();
  }
  if (authenticateService === undefined) throw serviceTokenNeeded();
  return authenticateService(token);
}

/** Caches the option, because each access decodes it and every call needs it. */
const known = new WeakMap<DescMethod, Callers>();

/** Whether the method's option in proto/ lets everybody call it, without a token. */
export function isOpen(method: DescMethod): boolean {
  return allowedBy(method) === Callers.ANYONE;
}

/**
 * The kind of token that the method's option in proto/ requires, for a method that is not open; users' tokens if the
 * option is not set.
 */
export function callersOf(method: DescMethod, token: string): "users" | "services" {
  switch (allowedBy(method)) {
    case Callers.SERVICES:
      return "services";
    case Callers.USERS_AND_SERVICES:
      return looksLike(token, SERVICE_TOKENS) ? "services" : "users";
    default:
      return "users";
  }
}

function allowedBy(method: DescMethod): Callers {
  let allowed = known.get(method);
  if (allowed === undefined) {
    allowed = getOption(method, callers);
    known.set(method, allowed);
  }
  return allowed;
}

/** Whether a request may be held back, by the convention of proto/: `wait` is the seconds for which it may be. */
export function asksToWait(request: Message): request is Message & { readonly wait: number } {
  const { wait } = request as Message & { readonly wait?: unknown };
  return typeof wait === "number" && wait > 0;
}

/** Whether a request only asks whether it would be accepted, by the convention of proto/. */
function changesNothing(request: object): boolean {
  return "validateOnly" in request && request.validateOnly === true;
}

/** What the record is called that a message makes, by the convention of proto/; undefined if it gives no name. */
function nameIn(message: object): ActDetails | undefined {
  return "name" in message && typeof message.name === "string" && message.name !== ""
    ? { recordName: message.name }
    : undefined;
}

/** The id of the record that a message is about, by the convention of proto/; undefined if it names none. */
function idIn(message: object): number | undefined {
  return "id" in message && typeof message.id === "bigint" && message.id > 0n ? Number(message.id) : undefined;
}

type Init = MessageInitShape<DescMessage>;

/**
 * A client that calls the service in this process: same admission, validation, deadlines and failures as over a port,
 * without serialization. Messages are passed by reference; neither side may modify what it received.
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
  const { requestId = randomUUID(), token = "", clientAddress } = options;
  return new IncomingCall(requestId, token, lifetime, clientAddress === undefined ? {} : { clientAddress });
}

async function* created(schema: DescMessage, inits: AsyncIterable<Init>): AsyncIterable<Message> {
  for await (const init of inits) yield create(schema, init);
}
