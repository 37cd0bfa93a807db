import { AppError } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { ExportRecord } from "../records/export.js";

/** The export. Throws AppError `not-found` if it is unknown or another company's. */
export async function findExport(
  { exports }: Pick<Collections, "exports">,
  id: number,
  companyId: number,
): Promise<ExportRecord> {
  const record = await exports.get(id);
  if (record?.companyId !== companyId) throw exportNotFound();
  return record;
}

/** The same error for unknown exports and for those of others, so that callers cannot tell them apart. */
export function exportNotFound(): AppError {
  return new AppError("not-found", "There is no such export: it was deleted, or the id is wrong.", {
    code: "export_not_found",
  });
}
