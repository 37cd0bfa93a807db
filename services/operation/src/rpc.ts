import type { Timestamp } from "@bufbuild/protobuf/wkt";
import {
  type Content,
  type Operation,
  type OperationAuthor,
  type OperationQuery,
  OperationType,
} from "@hourglass/proto/operation/v1/operation";
import {
  type CreateOperationRequest,
  type GetOperationResponse,
  type ListOperationContentsResponse,
  type ListOperationsRequest,
  type ListOperationsResponse,
  OperationService,
} from "@hourglass/proto/operation/v1/operation_service";
import {
  type AuthenticatedContext,
  type Author,
  authorOfCall,
  callerIdOfCall,
  type Handlers,
  hasEnded,
  type Jobs,
  metadataOf,
  route,
  type Route,
  type Rules,
} from "@hourglass/runtime";
import { ContentReads, NO_CONTENTS, type ReadContents, toContent } from "./content-reads.js";
import { readContentsPage } from "./contents-page.js";
import type { AnalyzerReports } from "./analyzer-reports.js";
import type { Caller, OperationCreation } from "./create.js";
import type { OperationErasure } from "./erase.js";
import { type OperationListing, storedPreviewOf, type Wanted } from "./list.js";
import { MediaCalls, type Media } from "./media.js";
import {
  analysisNameOf,
  analysisTypeOf,
  offsetUnitFrom,
  statusOf,
  toAnalyzer,
  wireOffsetUnitOf,
  wireStatusOf,
  wireTypeOf,
} from "./messages.js";
import {
  findRequestViolations,
  type NewContent,
  type NewOperation,
  type RequestLimits,
  type RequestParts,
} from "./request.js";
import { toContentResults } from "./results.js";
import {
  analysesOf,
  isExplained,
  offsetUnitOf,
  operationNotFound,
  type OperationRecord,
  type OperationRepository,
} from "./store.js";

export interface RpcDeps {
  repository: OperationRepository;
  jobs: Jobs<OperationRecord>;
  creation: OperationCreation;
  erasure: OperationErasure;
  listing: OperationListing;
  analyzers: AnalyzerReports;
  media: Media | undefined;
  limits: RequestLimits;
}

/**
 * The service's methods. Messages are built as literals: an operation may hold thousands, and `create` traverses each
 * of them.
 */
export function operationRoute({
  repository,
  jobs,
  creation,
  erasure,
  listing,
  analyzers,
  media,
  limits,
}: RpcDeps): Route {
  const reads = new ContentReads(repository);
  const handlers: Handlers<typeof OperationService> = {
    createOperation: async (request, context) => {
      if (request.validateOnly) return {};
      const { id, replayed } = await creation.create(fromRequest(request), callerOf(context, media));
      return { id: BigInt(id), replayed };
    },
    getOperation: async (request, context): Promise<GetOperationResponse> => {
      const id = Number(request.id);
      const waitFor = {
        id,
        callerId: callerIdOfCall(context),
        waitMs: request.wait * 1000,
        signal: () => context.signal,
      };
      const record = await jobs.readWhenEnded(waitFor, () => repository.find(id, context.principal.companyId));
      const operation = toMessage(record, await reads.read(record, request.data ?? true, () => context.signal));
      return { $typeName: "hourglass.operation.v1.GetOperationResponse", operation };
    },
    checkOperations: async ({ operations }, context) => {
      const known = operations.map(({ id, finishedAt }) => ({ id: Number(id), finishedAt: fromTimestamp(finishedAt) }));
      const unchanged = await repository.findUnchanged(known, context.principal.companyId);
      return { unchangedIds: unchanged.map(BigInt) };
    },
    listOperationContents: async ({ id, limit, cursor }, context): Promise<ListOperationContentsResponse> => {
      const record = await repository.find(Number(id), context.principal.companyId);
      const page = { limit, cursor };
      const {
        first,
        contents: values,
        outcomes,
        groups,
        nextCursor,
      } = await readContentsPage(repository, record, page);
      const contents = values.map((value) => toContent(record.kind, value));
      const results = toContentResults(record, { first, contents, outcomes, groups });
      return {
        $typeName: "hourglass.operation.v1.ListOperationContentsResponse",
        contents: results.map((result, offset) => ({
          $typeName: "hourglass.operation.v1.OperationContent",
          index: first + offset,
          result,
        })),
        nextCursor,
      };
    },
    listOperations: async ({ limit, cursor, knownRevision, ...wanted }, context): Promise<ListOperationsResponse> => {
      const { companyId } = context.principal;
      // Read before the page, which is then at least as new.
      const revision = listing.revisionOf(companyId);
      const answer = { $typeName: "hourglass.operation.v1.ListOperationsResponse", revision } as const;
      if (revision !== "" && knownRevision === revision) {
        return { ...answer, operations: [], nextCursor: "", unchanged: true };
      }
      const { records, nextCursor } = await listing.read({ companyId, ...toWanted(wanted) }, { limit, cursor });
      return { ...answer, operations: records.map(toListed), nextCursor, unchanged: false };
    },
    listAnalyzers: async () => ({ analyzers: (await analyzers.list()).map(toAnalyzer) }),
    // A worker in the middle of the operation finds its lease gone and discards its results.
    deleteOperation: async (request, context) => {
      const { companyId, files } = callerOf(context, media);
      const record = await repository.find(Number(request.id), companyId);
      if (!(await erasure.erase(record, (operationId) => files.erase(operationId)))) throw operationNotFound();
      return {};
    },
  };
  const rules: Rules<typeof OperationService> = {
    createOperation: (request) => findRequestViolations(partsOf(request), limits),
  };
  return route(OperationService, handlers, { product: "api", rules });
}

function callerOf(context: AuthenticatedContext, media: Media | undefined): Caller {
  const { principal, requestId } = context;
  // No method of this service is for services.
  const author = authorOfCall(context) ?? { userId: null, keyId: null, name: "" };
  return { companyId: principal.companyId, requestId, author, files: new MediaCalls(context, media) };
}

function toWanted(request: Omit<ListOperationsRequest, "limit" | "cursor" | "knownRevision">): Wanted {
  const { status, type, analyses, from, to, q, metadata } = request;
  return {
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...(type === undefined ? {} : { isText: type === OperationType.TEXT }),
    analyses: analyses.map(analysisNameOf),
    ...(from === undefined ? {} : { from: fromTimestamp(from) }),
    ...(to === undefined ? {} : { to: fromTimestamp(to) }),
    q,
    metadata: metadataOf(metadata),
  };
}

/** Like `fromRequest`, for a request that may be invalid. */
function partsOf({ type, analyses, contents, contentsGroups }: CreateOperationRequest): RequestParts {
  return {
    type: type === OperationType.TEXT ? "text" : type === OperationType.FILE ? "file" : undefined,
    analyses,
    contents: contents.map((content) => (content.value.case === undefined ? undefined : fromContent(content))),
    groups: contentsGroups,
  };
}

function fromRequest(request: CreateOperationRequest): NewOperation {
  return {
    type: request.type === OperationType.TEXT ? "text" : "file",
    analyses: request.analyses.map(analysisNameOf),
    contents: request.contents.map(fromContent),
    groups: request.contentsGroups,
    explain: request.explain,
    offsets: offsetUnitFrom(request.offsets),
    name: request.name,
    metadata: metadataOf(request.metadata),
    idempotencyKey: request.idempotencyKey,
  };
}

function fromContent({ value }: Content): NewContent {
  switch (value.case) {
    case "fileId":
      return { kind: "file-id", value: Number(value.value) };
    case "url":
      return { kind: "url", value: value.value };
    default:
      return { kind: "text", value: value.value ?? "" };
  }
}

function toListed(record: OperationRecord): Operation {
  return { ...toMessage(record, NO_CONTENTS), preview: storedPreviewOf(record) };
}

function toMessage(record: OperationRecord, { contents, data }: ReadContents): Operation {
  return {
    $typeName: "hourglass.operation.v1.Operation",
    id: BigInt(record.id),
    status: wireStatusOf(record.status),
    query: toQuery(record, contents),
    data,
    error: record.error ?? "",
    ...(record.failedContents === null ? {} : { failedContents: record.failedContents }),
    progress: {
      $typeName: "hourglass.operation.v1.OperationProgress",
      done: record.progress,
      total: record.contentsCount,
    },
    createdAt: toTimestamp(record.createdAt),
    finishedAt: record.finishedAt !== null && hasEnded(record.status) ? toTimestamp(record.finishedAt) : undefined,
    name: record.name ?? "",
    metadata: Object.fromEntries(record.metadata ?? []),
    createdBy: toAuthor(record.createdBy),
    preview: "",
  };
}

function toAuthor({ userId, keyId, name }: Author): OperationAuthor {
  return {
    $typeName: "hourglass.operation.v1.OperationAuthor",
    userId: BigInt(userId ?? 0),
    keyId: BigInt(keyId ?? 0),
    name,
  };
}

function toQuery(record: OperationRecord, contents: Content[]): OperationQuery {
  return {
    $typeName: "hourglass.operation.v1.OperationQuery",
    type: wireTypeOf(record.kind),
    analyses: analysesOf(record).map(analysisTypeOf),
    contents,
    contentsGroups: record.groups ?? [],
    explain: isExplained(record),
    offsets: wireOffsetUnitOf(offsetUnitOf(record)),
  };
}

function toTimestamp(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1000);
  return { $typeName: "google.protobuf.Timestamp", seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1e6 };
}

function fromTimestamp(moment: Timestamp | undefined): number {
  return moment === undefined ? Number.NaN : Number(moment.seconds) * 1000 + moment.nanos / 1e6;
}
