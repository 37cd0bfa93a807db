import type { MessageInitShape } from "@bufbuild/protobuf";
import { OperationStatus, type Operation } from "@hourglass/proto/operation/v1/operation";
import {
  CreateOperationRequestSchema,
  GetOperationRequestSchema,
  ListOperationContentsRequestSchema,
  ListOperationsRequestSchema,
  ListOperationsResponseSchema,
  type GetOperationResponse,
  type KnownOperation,
} from "@hourglass/proto/operation/v1/operation_service";
import { AppError, type CallOptions } from "@hourglass/runtime";
import { toIso } from "@hourglass/runtime/json";
import type { GatewaySettings } from "../config.js";
import { creationReply, etagOf, type Reply } from "../http/reply.js";
import type { CachedBody, CachePart, ResponseCache, RevisedResponses } from "../http/response-cache.js";
import { route, type Endpoint, type RouteContext } from "../http/route.js";
import type { Clients } from "../services.js";
import { aDeletion, anAwaitedRecord, aRevisedPage, created, json, jsonWith, PAGE, pageOf, WAIT } from "./answers.js";
import { messageOf } from "./input.js";
import { METADATA_FILTER } from "./metadata.js";
import { CONTENT_PAGE_EXAMPLE, LIST_EXAMPLE, RECORD_EXAMPLES, REQUEST_EXAMPLES } from "./operation-examples.js";
import {
  approximatePageSize,
  approximateResponseSize,
  contentPageBody,
  ContentPage,
  FileContents,
  ListedOperation,
  NewOperation,
  newOperationOf,
  operationBody,
  OperationJson,
  recordKey,
  Status,
} from "./operation-json.js";
import { AnalysisType, OperationType } from "./operation-results.js";
import { boolean, from, list, momentOrDay, object, optional, recordId, request, text, withKeywords } from "./schema.js";

/** Path of operations. */
export const OPERATIONS = "/api/v2/products/api/operations";
const SECONDS_UNTIL_NEXT_LOOK = "1";

const Created = object("CreatedOperation", { id: recordId("Id of the new operation.") });

const BEYOND_THE_SCHEMA =
  "Refused (400) is also what no schema can say: texts without a textual analysis; ids of files that are unknown, deleted or " +
  "used; URLs that do not lead to a public address; groups that are empty or name an index that `contents` does not have.";

const DATA = {
  data: optional(
    boolean(
      "`false` leaves `data` null also in an operation that is done, and of a large one `query.contents` empty. Read its " +
        "contents in pages instead.",
    ),
  ),
};

const OPERATION_TYPE_WANTED = withKeywords(OperationType, { description: "Only those of this type." });

/** Parameters of a list. */
const FILTERS = {
  status: optional(withKeywords(Status, { description: "Only those in this state." })),
  type: optional(OPERATION_TYPE_WANTED),
  analysis: from(
    "analyses",
    optional(
      list(AnalysisType, { description: "Only those with one of these analyses; repeat it or separate by commas." }),
    ),
  ),
  from: optional(momentOrDay("Only those accepted at this moment or later; of a date its first moment in UTC.")),
  to: optional(momentOrDay("Only those accepted before this moment; of a date its first moment in UTC.")),
  q: optional(text("Only those with this text in their name or first content, in any case and with any accents.")),
  ...METADATA_FILTER,
};

/** How an operation is read. */
interface Read {
  readonly id: bigint;
  readonly wait: number;
  readonly data: boolean;
}

/** Creating, reading, listing and deleting operations. */
export class OperationRoutes {
  readonly endpoints: readonly Endpoint[];
  private readonly done: DoneOperations;

  constructor(
    private readonly service: Clients["operation"],
    settings: Required<GatewaySettings>,
    { cache, revised }: { cache: ResponseCache; revised: RevisedResponses },
  ) {
    this.done = new DoneOperations(service, cache);
    const base = { tag: "Operations", access: "api", record: "operation" } as const;
    this.endpoints = [
      route(`GET ${OPERATIONS}/:id`, "getOperation", "Read an operation", {
        ...base,
        ...anAwaitedRecord(
          "The operation; Retry-After while it is not finished.",
          jsonWith(OperationJson, RECORD_EXAMPLES),
        ),
        input: messageOf(GetOperationRequestSchema, {
          query: request(GetOperationRequestSchema, { ...WAIT, ...DATA }),
        }),
        handle: (context, { id = 0n, wait = 0, data = true }) => this.get(context, { id, wait, data }),
      }),
      route(
        `GET ${OPERATIONS}/:id/contents`,
        "listOperationContents",
        "List the contents of an operation with their results",
        {
          ...base,
          description: "In the order of the request. 409 until the operation is done, and if it failed or is invalid.",
          input: messageOf(ListOperationContentsRequestSchema, {
            query: request(ListOperationContentsRequestSchema, PAGE),
          }),
          answers: { 200: { description: "A page.", content: json(ContentPage, CONTENT_PAGE_EXAMPLE) } },
          failures: [400, 404, 409],
          handle: (context, asked) => this.listContents(context, asked),
        },
      ),
      route(`DELETE ${OPERATIONS}/:id`, "deleteOperation", "Delete an operation", {
        ...base,
        description: "Cancels it when it is not finished; erases the record, the results and the files.",
        ...aDeletion((operation, options) => service.deleteOperation(operation, options)),
      }),
      route(`POST ${OPERATIONS}`, "createOperation", "Create an operation", {
        ...base,
        description:
          "Analyses texts, uploaded files or files at URLs in the background. Every result names the model that made it, and " +
          "says whether that model is made for the language of the content.\n\n" +
          BEYOND_THE_SCHEMA,
        bodyBytesMax: settings.bodyBytesMax,
        quota: { name: "unfinished-operations", limit: settings.unfinishedOperationsMax },
        input: messageOf(CreateOperationRequestSchema, {
          body: NewOperation,
          chosen: newOperationOf,
          isKeyed: true,
          check: (asked, context) => service.createOperation({ ...asked, validateOnly: true }, context.options()),
        }),
        examples: REQUEST_EXAMPLES,
        schemas: [FileContents],
        answers: { 201: created("Accepted: it will be carried out. Read it by its id.", json(Created, { id: 1 })) },
        handle: async (context, asked) => {
          const { id, replayed } = await service.createOperation(asked, context.options());
          context.concerns(id);
          context.request.gateway.largeRecords.note(recordKey(id), context.request.heldBytes);
          return creationReply(201, { id: Number(id) }, { replayed, location: `${OPERATIONS}/${id}` });
        },
      }),
      route(`GET ${OPERATIONS}`, "listOperations", "List operations", {
        ...base,
        ...aRevisedPage({
          desc: ListOperationsRequestSchema,
          page: pageOf("OperationPage", ListOperationsResponseSchema, { operations: list(ListedOperation) }),
          get: (asked, knownRevision, options) => service.listOperations({ ...asked, knownRevision }, options),
          revised,
          more: FILTERS,
          example: { operations: [LIST_EXAMPLE], next_cursor: null },
        }),
        description:
          "Newest first. With `type`, `analysis`, `from`, `to`, `q` or `metadata.KEY`, a page looks through a limited number of operations: it " +
          "may have fewer entries than `limit`, or none, although more follow. Continue with `next_cursor` until it is null.",
      }),
    ];
  }

  private async get(context: RouteContext, { id, wait, data }: Read): Promise<Reply> {
    // A wait holds no contents: they are loaded in turn once it is over, and only for those who are still there.
    const state = wait > 0 || !data ? await this.awaitEnd(context, { id, wait }) : undefined;
    if (state !== undefined && (!data || isWhole(state))) return replyTo(state, data);
    const kept = await this.done.find(context, id);
    if (kept !== undefined) return kept;
    // The same message as an RPC reads, since both share the loads of one user.
    const response = await context.request.gateway.largeRecords.read(context.request, {
      key: recordKey(id),
      sizeOf: approximateResponseSize,
      load: (waitedMs) => this.service.getOperation({ id }, lessPatient(context.options(), waitedMs)),
    });
    const operation = operationOf(response);
    const reply = replyTo(operation, true);
    if (typeof reply.body === "string") this.done.keep(context, operation, reply.body);
    return reply;
  }

  private awaitEnd(context: RouteContext, { id, wait }: Omit<Read, "data">): Promise<Operation> {
    return context.waitFor(wait, async (seconds, options) =>
      operationOf(await this.service.getOperation({ id, wait: seconds, data: false }, options)),
    );
  }

  private async listContents(
    context: RouteContext,
    asked: MessageInitShape<typeof ListOperationContentsRequestSchema>,
  ): Promise<Reply> {
    const page = await context.request.gateway.largeRecords.read(context.request, {
      key: `contents of ${recordKey(asked.id ?? 0n)} ${asked.limit ?? ""} ${asked.cursor ?? ""}`,
      sizeOf: approximatePageSize,
      load: (waitedMs) => this.service.listOperationContents(asked, lessPatient(context.options(), waitedMs)),
    });
    return { status: 200, body: contentPageBody(page) };
  }
}

function operationOf({ operation }: GetOperationResponse): Operation {
  if (operation === undefined) throw new AppError("internal", "The operation could not be read. Try again later.");
  return operation;
}

/** Whether an operation that was read without results has no more to tell: it is small, or not done. */
function isWhole({ status, query, progress }: Operation): boolean {
  return status !== OperationStatus.DONE && query?.contents.length === progress?.total;
}

function replyTo(operation: Operation, withData: boolean): Reply {
  const body = operationBody(operation);
  if (!hasEnded(operation)) return { status: 200, body, headers: ["Retry-After", SECONDS_UNTIL_NEXT_LOOK] };
  return { status: 200, body, ...(typeof body === "string" ? {} : { etag: etagOfRecord(operation, withData) }) };
}

/** Whether an operation has ended. */
function hasEnded({ status }: Operation): boolean {
  return status === OperationStatus.DONE || status === OperationStatus.FAILED || status === OperationStatus.INVALID;
}

/** Of a record that changes no more; weak, since another release may write it otherwise. */
function etagOfRecord({ id, finishedAt }: Operation, withData: boolean): string {
  return `W/"${id}-${toIso(finishedAt) ?? ""}${withData ? "" : "-without-data"}"`;
}

/**
 * The wait for a turn counts toward the timeout, so the client is answered, even with an error, as soon as without a
 * queue.
 */
function lessPatient(options: CallOptions, waitedMs: number): CallOptions {
  return { ...options, timeoutMs: Math.max(1, (options.timeoutMs ?? 0) - waitedMs) };
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
      reply: { status: 200, body, etag: etagOf(body), isKept: true },
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
    return new Set((await this.service.checkOperations({ operations }, context.options())).unchangedIds);
  }
}

interface Check {
  readonly known: Map<bigint, KnownOperation>;
  readonly unchanged: Promise<ReadonlySet<bigint>>;
}
