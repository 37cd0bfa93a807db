import { CreateExportRequestSchema } from "@hourglass/proto/export/v1/export_service";
import { EXPORT_STATUS } from "../json/spelling.js";
import { itemLimitsOf, limitsOf } from "./limits.js";
import { answer, created, json, parameter, type RouteDoc } from "./route.js";
import { array, integer, moment, nullable, object, oneOf, recordId, ref, string, type Schema } from "./schema.js";

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
  status: oneOf(EXPORT_STATUS.names),
  query: object({
    insight_search_ids: array(integer()),
    start_date: date("First day."),
    end_date: date("Day after the last."),
  }),
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
  Export: object(
    {
      ...head,
      data: { ...array(ref("Posting")), type: ["array", "null"], description: "Null unless `status` is done." },
    },
    { optional: ["error"] },
  ),
  ListedExport: object(head, { optional: ["error"], description: "An export without its data." }),
};

function create(id: string): RouteDoc {
  return {
    id,
    tag: TAG,
    summary: "Create an export",
    description: "Makes a dataset of the analysed postings of some insights in a range of days.",
    parameters: [parameter("IdempotencyKey")],
    body: json(ref("NewExport"), { insight_search_ids: [1], start_date: "2026-01-01", end_date: "2026-02-01" }),
    answers: { 201: created("Accepted. Read it by its id.", json(object({ id: recordId("Id.") }), { id: 1 })) },
    failures: [501],
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
    summary: "Read an export",
    description:
      "With `Accept: text/csv` or `application/x-ndjson`, a done export answers with its data as a download.",
    parameters: [parameter("Id"), parameter("Wait")],
    answers: {
      200: answer("The export; Retry-After while it is not finished.", content, {
        "Retry-After": { $ref: "#/components/headers/RetryAfter" },
      }),
    },
    failures: [400, 404, 501, 504],
  };
}

/** The routes of exports. */
export const EXPORT_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${EXPORTS}`]: create("createExport"),
  [`GET ${EXPORTS}`]: {
    id: "listExports",
    tag: TAG,
    summary: "List exports",
    description: "Newest first.",
    parameters: [parameter("Limit"), parameter("Cursor")],
    answers: {
      200: answer("A page.", json(object({ exports: array(ref("ListedExport")), next_cursor: nullable(string()) }))),
    },
    failures: [400, 501],
  },
  [`GET ${EXPORTS}/:id`]: read("getExport"),
  [`POST ${EXPORTS_ALIAS}`]: create("createExportByOtherPath"),
  [`GET ${EXPORTS_ALIAS}/:id`]: read("getExportByOtherPath"),
};
