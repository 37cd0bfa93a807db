import type { MessageInitShape } from "@bufbuild/protobuf";
import { OperationStatus, type Operation } from "@hourglass/proto/operation/v1/operation";
import {
  GetOperationRequestSchema,
  ListOperationsRequestSchema,
  type KnownOperation,
} from "@hourglass/proto/operation/v1/operation_service";
import { AppError, type CallOptions } from "@hourglass/runtime";
import { toIso, type Violations } from "@hourglass/runtime/json";
import type { GatewaySettings } from "../config.js";
import { etagOf, jsonReply, type Reply } from "../http/reply.js";
import type { CachedBody, CachePart, ResponseCache } from "../http/response-cache.js";
import type { Endpoint, RouteContext } from "../http/route.js";
import { accepted, refusal } from "../json/field-errors.js";
import { fromCursor, OPERATION_STATUS, wholeNumber } from "../json/fields.js";
import {
  approximateSize,
  fromListedOperation,
  hasEnded,
  operationBody,
  recordKey,
  toCreateOperationRequest,
} from "../json/operation.js";
import type { Clients } from "../services.js";

/** Path of operations. */
export const OPERATIONS = "/api/v2/products/api/operations";
const SECONDS_UNTIL_NEXT_LOOK = "1";

/** Creating, reading, listing and deleting operations. */
export class OperationRoutes {
  readonly endpoints: readonly Endpoint[];
  private readonly done: DoneOperations;

  constructor(
    private readonly service: Clients["operation"],
    settings: Required<GatewaySettings>,
    cache: ResponseCache,
  ) {
    this.done = new DoneOperations(service, cache);
    const base = { access: "api", record: "operation" } as const;
    this.endpoints = [
      { ...base, method: "GET", path: `${OPERATIONS}/:id`, handle: (context) => this.get(context) },
      { ...base, method: "DELETE", path: `${OPERATIONS}/:id`, handle: (context) => this.delete(context) },
      {
        ...base,
        method: "POST",
        path: OPERATIONS,
        body: "json",
        bodyBytesMax: settings.bodyBytesMax,
        quota: { name: "unfinished-operations", limit: settings.unfinishedOperationsMax },
        handle: (context, body) => this.create(context, body),
      },
      { method: "GET", path: OPERATIONS, access: "api", handle: (context) => this.list(context) },
    ];
  }

  private async get(context: RouteContext): Promise<Reply> {
    const id = context.pathId;
    const wait = context.hasQuery ? readWait(context, id) : 0;
    const kept = wait === 0 ? await this.done.find(context, id) : undefined;
    if (kept !== undefined) return kept;
    const operation = await context.request.gateway.largeRecords.read(context.request, {
      key: recordKey(id),
      waits: wait > 0,
      sizeOf: approximateSize,
      load: (waitedMs) =>
        context.waitFor(wait, (seconds, options) => this.load(id, seconds, lessPatient(options, waitedMs))),
    });
    const body = operationBody(operation);
    if (typeof body === "string") this.done.keep(context, operation, body);
    return hasEnded(operation)
      ? { status: 200, body, ...(typeof body === "string" ? {} : { etag: etagOfRecord(operation) }) }
      : { status: 200, body, headers: ["Retry-After", SECONDS_UNTIL_NEXT_LOOK] };
  }

  private async load(id: bigint, wait: number, options: CallOptions): Promise<Operation> {
    const { operation } = await this.service.getOperation({ id, wait }, options);
    if (operation === undefined) throw new AppError("internal", "The operation could not be read. Try again later.");
    return operation;
  }

  private async delete(context: RouteContext): Promise<Reply> {
    await this.service.deleteOperation({ id: context.pathId }, context.options());
    return { status: 204 };
  }

  private async create(context: RouteContext, body: Record<string, unknown>): Promise<Reply> {
    const violations: Violations = [];
    const request = toCreateOperationRequest(body, context.idempotencyKey, violations);
    const check = () => this.service.createOperation({ ...request, validateOnly: true }, context.options());
    if (violations.length > 0) throw await refusal(violations, check);
    const { id } = await this.service.createOperation(request, context.options());
    context.concerns(id);
    context.request.gateway.largeRecords.note(recordKey(id), context.request.heldBytes);
    return jsonReply(201, { id: Number(id) }, ["Location", `${OPERATIONS}/${id}`]);
  }

  private async list(context: RouteContext): Promise<Reply> {
    const { operations, nextCursor } = await this.service.listOperations(toListRequest(context), context.options());
    return jsonReply(200, {
      operations: operations.map(fromListedOperation),
      next_cursor: fromCursor(nextCursor),
    });
  }
}

/** Of a record that changes no more; weak, since another release may write it otherwise. */
function etagOfRecord({ id, finishedAt }: Operation): string {
  return `W/"${id}-${toIso(finishedAt) ?? ""}"`;
}

/** Seconds to wait for the end. */
function readWait(context: RouteContext, id: bigint): number {
  const violations: Violations = [];
  const wait = context.query(violations).optional("wait", wholeNumber) ?? 0;
  accepted(GetOperationRequestSchema, { id, wait }, violations);
  return wait;
}

/**
 * The wait for a turn counts toward the timeout, so the client is answered, even with an error, as soon as without a
 * queue.
 */
function lessPatient(options: CallOptions, waitedMs: number): CallOptions {
  return { ...options, timeoutMs: Math.max(1, (options.timeoutMs ?? 0) - waitedMs) };
}

function toListRequest(context: RouteContext): MessageInitShape<typeof ListOperationsRequestSchema> {
  const violations: Violations = [];
  const query = context.query(violations);
  const status = query.optional("status", OPERATION_STATUS.read);
  const request = { ...context.page(query), ...(status === undefined ? {} : { status }) };
  return accepted(ListOperationsRequestSchema, request, violations);
}

interface DoneOperation extends CachedBody {
  readonly companyId: number;
  readonly known: KnownOperation;
  readonly reply: Reply;
}

/** As many as the service checks in one call. */
const CHECKED_MAX = 1000;

/**
 * The bodies of operations that are done, which change no more: a reader gets the kept one after the service has said, for
 * each read, that its operation is still there.
 */
class DoneOperations {
  private readonly kept: CachePart<bigint, DoneOperation>;
  /** The calls of each token that have come in this turn of the event loop, and are checked at its end. */
  private readonly checks = new Map<string, Check>();

  constructor(
    private readonly service: Clients["operation"],
    cache: ResponseCache,
  ) {
    this.kept = cache.part();
  }

  /** The response with an operation if its body is kept, and it is still there. */
  async find(context: RouteContext, id: bigint): Promise<Reply | undefined> {
    const kept = this.kept.get(id);
    if (kept === undefined || kept.companyId !== context.request.principal?.companyId) return undefined;
    if ((await this.unchanged(context, kept.known)).has(id)) return kept.reply;
    this.kept.delete(id, kept);
    return undefined;
  }

  /** Keeps the body of an operation if it is done; its reader has just read it. */
  keep({ request: { principal } }: RouteContext, { id, status, finishedAt }: Operation, text: string): void {
    if (principal === undefined || status !== OperationStatus.DONE || finishedAt === undefined) return;
    const body = Buffer.from(text);
    this.kept.set(id, {
      companyId: principal.companyId,
      known: { $typeName: "hourglass.operation.v1.KnownOperation", id, finishedAt },
      body,
      reply: { status: 200, body, etag: etagOf(body) },
    });
  }

  /** Asks once for all calls with a token that come in one turn; a read that is traced asks for itself. */
  private unchanged(context: RouteContext, known: KnownOperation): Promise<ReadonlySet<bigint>> {
    if (context.request.span !== undefined) return this.ask(context, [known]);
    const { token } = context.request;
    const check = this.checks.get(token) ?? this.begin(token, context);
    check.known.set(known.id, known);
    if (check.known.size === CHECKED_MAX) this.checks.delete(token);
    return check.unchanged;
  }

  private begin(token: string, context: RouteContext): Check {
    const known = new Map<bigint, KnownOperation>();
    const unchanged = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (this.checks.get(token) === check) this.checks.delete(token);
      return this.ask(context, [...known.values()]);
    });
    const check: Check = { known, unchanged };
    this.checks.set(token, check);
    return check;
  }

  private async ask(context: RouteContext, operations: KnownOperation[]): Promise<ReadonlySet<bigint>> {
    try {
      return new Set((await this.service.checkOperations({ operations }, context.options())).unchangedIds);
    } catch (error) {
      // A service of an older release: everything is read.
      if (error instanceof AppError && error.kind === "unimplemented") return new Set();
      throw error;
    }
  }
}

interface Check {
  readonly known: Map<bigint, KnownOperation>;
  readonly unchanged: Promise<ReadonlySet<bigint>>;
}
