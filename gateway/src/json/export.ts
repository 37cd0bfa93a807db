import type { MessageInitShape } from "@bufbuild/protobuf";
import { POSTING_KEYS } from "@hourglass/posting";
import { ExportFormat, ExportStatus, type Export } from "@hourglass/proto/export/v1/export";
import {
  CreateExportLinkRequestSchema,
  CreateExportRequestSchema,
  CsvDelimiter,
  type ExportFormSchema,
} from "@hourglass/proto/export/v1/export_service";
import { giveOneOf, itemsMaxOf } from "@hourglass/runtime";
import { id, list, ObjectReader, string, toIso, wrong, type Read, type Violations } from "@hourglass/runtime/json";
import { accepted } from "./field-errors.js";
import { CSV_DELIMITER, EXPORT_FORMAT, EXPORT_STATUS, flag } from "./fields.js";
import { fromCoverage } from "./insight.js";

/** Whether an export has ended. */
export function hasEnded({ status }: Export): boolean {
  return status === ExportStatus.DONE || status === ExportStatus.FAILED;
}

/** The head of the full object of an export. */
export function fromWholeExport(found: Export): object {
  const coverage = found.coverage.map(({ insightSearchId, platforms }) => ({
    insight_search_id: Number(insightSearchId),
    ...fromCoverage({ platforms }),
  }));
  return { ...fromExport(found), coverage };
}

/** An entry of a list of exports. */
export function fromExport(found: Export): object {
  const { id, status, query, error, createdAt, finishedAt } = found;
  return {
    id: Number(id),
    status: EXPORT_STATUS.of(status),
    query: {
      insight_search_ids: (query?.insightSearchIds ?? []).map(Number),
      start_date: query?.startDate ?? "",
      end_date: query?.endDate ?? "",
    },
    ...(error === "" ? undefined : { error }),
    progress: fromProgress(found),
    rows: found.rows === undefined ? null : Number(found.rows),
    files: found.files.map(({ format, sizeBytes }) => ({ format: EXPORT_FORMAT.of(format), size: Number(sizeBytes) })),
    created_at: toIso(createdAt),
    finished_at: toIso(finishedAt),
    expires_at: toIso(found.expiresAt),
    revised_at: toIso(found.revisedAt),
  };
}

function fromProgress({ progress }: Export): object {
  return {
    done: Number(progress?.done ?? 0),
    total: progress?.total === undefined ? null : Number(progress.total),
    analysed: Number(progress?.analysed ?? 0),
    rendered: Number(progress?.rendered ?? 0),
  };
}

const INSIGHTS_MAX = itemsMaxOf(CreateExportRequestSchema, "insight_search_ids");

/** Reads the request body for a new export. */
export function toCreateExportRequest(
  body: Record<string, unknown>,
  idempotencyKey: string,
): MessageInitShape<typeof CreateExportRequestSchema> {
  const violations: Violations = [];
  const reader = new ObjectReader(body, "", violations);
  const ids = list(id, { itemsMax: INSIGHTS_MAX, placeholder: (index) => -1n - BigInt(index) });
  const request = {
    insightSearchIds: reader.required("insight_search_ids", ids) ?? [],
    startDate: reader.required("start_date", string) ?? "",
    endDate: reader.required("end_date", string) ?? "",
    idempotencyKey,
  };
  return accepted(CreateExportRequestSchema, request, violations);
}

/** Reads the request body for a new link. */
export function toCreateLinkRequest(
  exportId: bigint,
  body: Record<string, unknown>,
): MessageInitShape<typeof CreateExportLinkRequestSchema> {
  const violations: Violations = [];
  const format = new ObjectReader(body, "", violations).required("format", EXPORT_FORMAT.read);
  const request = { id: exportId, format: format ?? ExportFormat.UNSPECIFIED };
  return accepted(CreateExportLinkRequestSchema, request, violations);
}

/** Keys that platforms allow to be passed on, from which the postings can be read again there. */
const ID_KEYS = ["platform", "social_id", "social_url"];
/** Asks for the ids only of postings whose platform allows no more to be passed on. */
const WHERE_REQUIRED = "where_required";
/** Values of the parameter `ids_only`. */
export const IDS_ONLY_NAMES: readonly string[] = ["true", "false", WHERE_REQUIRED];

/** The parts of a query string that a download reads. */
interface FormQuery {
  readonly fields: ObjectReader;
  /** All values of `columns`. */
  readonly columns: readonly string[];
}

/** Reads the form in which an export is asked for; undefined for the stored bytes. */
export function readExportForm(
  { fields, columns }: FormQuery,
  violations: Violations,
): MessageInitShape<typeof ExportFormSchema> | undefined {
  const csvDelimiter = fields.optional("delimiter", CSV_DELIMITER.read) ?? CsvDelimiter.UNSPECIFIED;
  const csvBom = fields.optional("bom", flag) ?? false;
  const ids = fields.optional("ids_only", idsOnly) ?? "false";
  const form = {
    columns: readColumns({ fields, columns, isIdsOnly: ids === "true" }, violations),
    csvDelimiter,
    csvBom,
    ...(ids === WHERE_REQUIRED && { flaggedIdsOnly: true }),
  };
  const isStored = form.columns.length === 0 && !csvBom && csvDelimiter <= CsvDelimiter.COMMA && ids !== WHERE_REQUIRED;
  return isStored ? undefined : form;
}

/** Reads which postings are given by their ids only: all, none, or those of platforms that allow no more. */
const idsOnly: Read<string> = (value, path, violations) =>
  typeof value === "string" && IDS_ONLY_NAMES.includes(value)
    ? value
    : wrong(violations, path, `Give true, false or ${WHERE_REQUIRED}.`);

function readColumns(
  { fields, columns, isIdsOnly }: FormQuery & { isIdsOnly: boolean },
  violations: Violations,
): string[] {
  const given = fields.optional("columns", string);
  if (given === undefined) return isIdsOnly ? ID_KEYS : [];
  if (isIdsOnly) wrong(violations, "ids_only", "Give either columns or ids_only.");
  if (columns.length === 0) wrong(violations, "columns", giveOneOf(POSTING_KEYS));
  const unknown = columns.find((column) => !POSTING_KEYS.includes(column));
  if (unknown !== undefined) wrong(violations, "columns", giveOneOf(POSTING_KEYS, unknown));
  return [...new Set(columns)];
}
