import { createHash } from "node:crypto";
import {
  AppError,
  findByMark,
  type FieldViolation,
  type Jobs,
  keyReused,
  lineOf,
  markOf,
  winnerOf,
} from "@hourglass/runtime";
import type { Insight } from "../insight/insight-port.js";
import { EXPORT_KIND } from "../job/export-kind.js";
import type { Collections } from "../records/collections.js";
import { expiryOf } from "../records/dates.js";
import { type ExportedInsight, type ExportRecord, newExport } from "../records/export.js";

export interface CreateExportDeps {
  collections: Collections;
  jobs: Jobs<ExportRecord>;
  insight: Pick<Insight, "client">;
  /** Days until exports expire; 0: never. */
  days: number;
  now: () => number;
}

/** A request that has passed the rules on requests. */
export interface NewExport {
  insightSearchIds: readonly number[];
  startDate: string;
  endDate: string;
  /** Empty: none. */
  idempotencyKey: string;
}

export interface ExportCaller {
  companyId: number;
  /** The user's token, by which Insight decides which searches are theirs. */
  token: string;
  requestId: string;
  signal: () => AbortSignal;
}

/**
 * Accepts an export: once the id is returned, it is stored and will run. Throws AppError `invalid` that names each insight
 * which is unknown or another company's, without a difference between the two.
 */
export type CreateExport = (request: NewExport, caller: ExportCaller) => Promise<number>;

type KeyUse = Pick<ExportRecord, "requestHash"> & { idempotency: string };

export function createCreateExport(deps: CreateExportDeps): CreateExport {
  return async (request, caller) => {
    const key = keyUseOf(request, caller.companyId);
    const findEarlier = key && (() => findByKey(deps, key));
    const earlier = await findEarlier?.();
    if (earlier !== undefined) return earlier;
    await deps.jobs.admit(caller.companyId);
    const insights = await findInsights(deps.insight, request, caller);
    const record = await draft(deps, { request, caller, insights, key });
    try {
      await deps.collections.companies.insertNew([{ id: caller.companyId, dueAt: deps.now(), followed: [] }]);
      await deps.jobs.insert(record);
      return record.id;
    } catch (error) {
      return winnerOf(error, findEarlier);
    }
  };
}

async function findInsights(
  { client }: Pick<Insight, "client">,
  { insightSearchIds }: NewExport,
  { token, requestId, signal }: ExportCaller,
): Promise<ExportedInsight[]> {
  const ids = [...new Set(insightSearchIds)];
  const found = await client.lookUpInsights({ ids: ids.map(BigInt) }, { token, requestId, signal: signal() });
  const watermarks = new Map(found.insights.map(({ id, watermark }) => [Number(id), Number(watermark)]));
  const violations: FieldViolation[] = insightSearchIds.flatMap((id, index) => {
    if (watermarks.has(id)) return [];
    return [{ field: `insight_search_ids[${index}]`, message: "Give the id of an insight that exists." }];
  });
  if (violations.length > 0) throw AppError.invalid(violations);
  return ids.map((id) => ({ id, watermark: watermarks.get(id) ?? 0 }));
}

async function draft(
  { jobs, days, now }: CreateExportDeps,
  {
    request: { startDate, endDate },
    caller: { companyId, requestId },
    insights,
    key,
  }: { request: NewExport; caller: ExportCaller; insights: ExportedInsight[]; key: KeyUse | undefined },
): Promise<ExportRecord> {
  const job = await jobs.draft({ companyId, cost: 1, mark: key, requestId });
  const record = newExport(job, { insights, startDate, endDate, dueAt: expiryOf(now(), days) });
  return { ...record, line: lineOf(EXPORT_KIND.lanes, record) };
}

function keyUseOf({ idempotencyKey, ...request }: NewExport, companyId: number): KeyUse | undefined {
  const idempotency = markOf(companyId, idempotencyKey);
  if (idempotency === undefined) return undefined;
  const { insightSearchIds, startDate, endDate } = request;
  const asked = JSON.stringify([[...new Set(insightSearchIds)], startDate, endDate]);
  return { idempotency, requestHash: createHash("sha256").update(asked).digest("base64url") };
}

/** The export that the key stands for; it may have been deleted since. */
async function findByKey(
  { collections: { exports, deletedKeys }, now }: CreateExportDeps,
  { idempotency, requestHash }: KeyUse,
): Promise<number | undefined> {
  // A deletion stores the key in the commit that removes the record, so reading in this order misses neither.
  const stored = await findByMark(exports, idempotency, now());
  const found = stored ?? (await findByMark(deletedKeys, idempotency, now()));
  if (found === undefined || found.requestHash === requestHash) return found?.id;
  throw keyReused("idempotency_key");
}
