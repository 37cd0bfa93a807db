import { createHash } from "node:crypto";
import { toJson } from "@bufbuild/protobuf";
import { type PostingFilter, PostingFilterSchema } from "@hourglass/proto/insight/v1/insight_service";
import {
  AppError,
  type Author,
  type Created,
  findByIdempotency,
  type FieldViolation,
  type Jobs,
  type Json,
  type Metadata,
  keyReused,
  idempotencyOf,
  madeBefore,
  madeNow,
  winnerOf,
} from "@hourglass/runtime";
import type { InsightCalls } from "./insight.js";
import { expiryOf, type ExportedInsight, type ExportRecord, type ExportRepository, newExport } from "./store.js";

export interface CreateDeps {
  repository: ExportRepository;
  jobs: Jobs<ExportRecord>;
  insight: InsightCalls;
  /** Days until exports expire; 0: never. */
  days: number;
  now: () => number;
}

/** A request that has passed the rules on requests. */
export interface NewExport {
  insightSearchIds: readonly number[];
  startDate: string;
  endDate: string;
  filter: PostingFilter | undefined;
  metadata: Metadata;
  /** Empty: none. */
  idempotencyKey: string;
}

export interface ExportCaller {
  companyId: number;
  createdBy?: Author | undefined;
  /** The user's token, by which Insight decides which searches are theirs. */
  token: string;
  requestId: string;
  signal: () => AbortSignal;
}

interface KeyUse {
  idempotency: string;
  requestHash: string;
}

/** Accepts exports. */
export class ExportCreation {
  constructor(private readonly deps: CreateDeps) {}

  /**
   * Accepts an export: once the id is returned, it is stored and will run. Throws AppError `invalid` that names each insight
   * which is unknown or another company's, without a difference between the two.
   */
  async create(request: NewExport, caller: ExportCaller): Promise<Created> {
    const { repository, jobs, days, now } = this.deps;
    const { companyId, createdBy, requestId } = caller;
    const key = keyUseOf(request, companyId);
    const findEarlier = key && (() => this.findByKey(key));
    const earlier = await findEarlier?.();
    if (earlier !== undefined) return madeBefore(earlier);
    await jobs.admit(companyId);
    const insights = await this.findInsights(request, caller);
    const job = jobs.draft({ companyId, idempotency: key, requestId });
    const { startDate, endDate } = request;
    const filter = storedFilter(request.filter);
    const asked = {
      insights,
      startDate,
      endDate,
      ...(filter !== undefined && { filter }),
      ...(request.metadata.length > 0 && { metadata: request.metadata }),
      ...(createdBy && { createdBy }),
    };
    const record = newExport(job, { ...asked, expiresAt: expiryOf(now(), days) });
    try {
      await repository.collections.companies.insertNew([{ id: companyId, dueAt: now(), followed: [] }]);
      return madeNow(await jobs.insertNext(record));
    } catch (error) {
      return madeBefore(await winnerOf(error, findEarlier));
    }
  }

  private async findInsights(
    { insightSearchIds, filter }: NewExport,
    caller: ExportCaller,
  ): Promise<ExportedInsight[]> {
    const ids = [...new Set(insightSearchIds)];
    const watermarks = await this.deps.insight.lookUp(ids, filter, { ...caller, signal: caller.signal() });
    const violations: FieldViolation[] = insightSearchIds.flatMap((id, index) => {
      if (watermarks.has(id)) return [];
      return [{ field: `insight_search_ids[${index}]`, message: "Give the id of an insight that exists." }];
    });
    if (violations.length > 0) throw AppError.invalid(violations);
    return ids.map((id) => ({ id, watermark: watermarks.get(id) ?? 0 }));
  }

  /** The export of an earlier request with the key; it may have been deleted since. */
  private async findByKey({ idempotency, requestHash }: KeyUse): Promise<number | undefined> {
    const { exports, deletedKeys } = this.deps.repository.collections;
    const now = this.deps.now();
    // A deletion stores the key in the commit that removes the record, so reading in this order misses neither.
    const found =
      (await findByIdempotency(exports, idempotency, now)) ?? (await findByIdempotency(deletedKeys, idempotency, now));
    if (found === undefined || found.requestHash === requestHash) return found?.id;
    throw keyReused("idempotency_key");
  }
}

function keyUseOf({ idempotencyKey, ...request }: NewExport, companyId: number): KeyUse | undefined {
  const idempotency = idempotencyOf(companyId, idempotencyKey);
  if (idempotency === undefined) return undefined;
  const { insightSearchIds, startDate, endDate, metadata } = request;
  const filter = storedFilter(request.filter);
  const content = JSON.stringify([
    [...new Set(insightSearchIds)],
    startDate,
    endDate,
    ...(filter === undefined ? [] : [filter]),
    ...(metadata.length === 0 ? [] : [metadata]),
  ]);
  return { idempotency, requestHash: createHash("sha256").update(content).digest("base64url") };
}

/** The filter as JSON, with single labels among the lists of them; undefined if it asks for all. */
function storedFilter(filter: PostingFilter | undefined): Json | undefined {
  if (filter === undefined) return undefined;
  const joined: PostingFilter = {
    ...filter,
    sentiments: withOne(filter.sentiments, filter.sentiment),
    intentions: withOne(filter.intentions, filter.intention),
    languages: withOne(filter.languages, filter.language),
    sentiment: "",
    intention: "",
    language: "",
  };
  const json = toJson(PostingFilterSchema, joined) as Record<string, Json>;
  return Object.keys(json).length === 0 ? undefined : json;
}

function withOne(values: readonly string[], value: string): string[] {
  return value === "" || values.includes(value) ? [...values] : [...values, value];
}
