import { CreateExportRequestSchema } from "@hourglass/proto/export/v1/export_service";
import { EXPORT_STATUS } from "../json/spelling.js";
import { itemLimitsOf, limitsOf } from "./limits.js";
import { answer, created, json, parameter, type RouteDoc } from "./route.js";
import {
  array,
  enumeration,
  moment,
  nullable,
  object,
  page,
  recordId,
  ref,
  string,
  integer,
  type Schema,
} from "./schema.js";

const TAG = "Exports";
const EXPORTS = "/api/v2/products/insight/exports";
const EXPORTS_ALIAS = "/api/v2/products/api/exports";

const ids = array(
  integer(undefined, itemLimitsOf(CreateExportRequestSchema, "insight_search_ids")),
  limitsOf(CreateExportRequestSchema, "insight_search_ids"),
);
const date = (description: string) => string(description, { format: "date" });

const head = {
  id: recordId("Id of the export."),
  status: ref("ExportStatus"),
  query: ref("ExportQuery"),
  error: string("Why it failed."),
  created_at: moment("When it was accepted."),
  finished_at: nullable(moment("When it came to its end.")),
};

/** Schemas of exports. */
export const EXPORT_SCHEMAS: Readonly<Record<string, Schema>> = {
  NewExport: object({
    insight_search_ids: ids,
    start_date: date("Postings created on this day or later, in UTC."),
    end_date: date("Postings created before this day, in UTC."),
  }),
  ExportStatus: enumeration(EXPORT_STATUS.names),
  ExportQuery: object(
    {
      insight_search_ids: array(recordId("Id of an insight.")),
      start_date: date("First day."),
      end_date: date("Day after the last."),
    },
    { description: "What an export was asked for." },
  ),
  Export: object(
    {
      ...head,
      data: nullable(array(ref("Posting"), { description: "Null unless `status` is done." })),
    },
    { optional: ["error"] },
  ),
  ListedExport: object(head, { optional: ["error"], description: "An export without its data." }),
  CreatedExport: object({ id: recordId("Id of the new export.") }),
  ExportPage: page("exports", "ListedExport"),
};

function create(id: string): RouteDoc {
  return {
    id,
    tag: TAG,
    planned: true,
    summary: "Create an export",
    description:
      "Makes a dataset of the analysed postings of some insights in a range of days. `start_date` must be before `end_date`.",
    parameters: [parameter("IdempotencyKey")],
    body: json(ref("NewExport"), { insight_search_ids: [1], start_date: "2026-01-01", end_date: "2026-02-01" }),
    answers: { 201: created("Accepted. Read it by its id.", json(ref("CreatedExport"), { id: 1 })) },
  };
}

function read(id: string): RouteDoc {
  const content = {
    ...json(ref("Export")),
    "text/csv": { schema: string("The data of a done export, safe to open in a spreadsheet.") },
    "application/x-ndjson": { schema: string("The data of a done export, a posting a line.") },
  };
  return {
    id,
    tag: TAG,
    planned: true,
    summary: "Read an export",
    description:
      "With `Accept: text/csv` or `application/x-ndjson`, a done export answers with its data as a download.",
    parameters: [parameter("Id"), parameter("Wait")],
    answers: {
      200: answer("The export; Retry-After while it is not finished.", content, {
        "Retry-After": { $ref: "#/components/headers/RetryAfter" },
      }),
    },
    failures: [400, 404, 504],
  };
}

/** The routes of exports. */
export const EXPORT_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${EXPORTS}`]: create("createExport"),
  [`GET ${EXPORTS}`]: {
    id: "listExports",
    tag: TAG,
    planned: true,
    summary: "List exports",
    description: "Newest first.",
    parameters: [parameter("Limit"), parameter("Cursor")],
    answers: { 200: answer("A page.", json(ref("ExportPage"))) },
    failures: [400],
  },
  [`GET ${EXPORTS}/:id`]: read("getExport"),
  [`POST ${EXPORTS_ALIAS}`]: create("createExportByOtherPath"),
  [`GET ${EXPORTS_ALIAS}/:id`]: read("getExportByOtherPath"),
};
