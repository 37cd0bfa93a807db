import { AppError, type Collection } from "@hourglass/runtime";
import type { InsightRecord } from "./insight.js";

/** The insight. Throws AppError `not-found` if it is unknown, deleted or another company's. */
export async function findInsight(
  insights: Collection<InsightRecord>,
  id: number,
  companyId: number,
): Promise<InsightRecord> {
  const record = await insights.get(id);
  if (record?.companyId !== companyId || record.status === "deleted") throw insightNotFound();
  return record;
}

/** The failure for an insight that is unknown, deleted or another company's. */
export function insightNotFound(): AppError {
  return new AppError("not-found", "There is no such insight.");
}
