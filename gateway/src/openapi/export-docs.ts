import { POSTING_KEYS } from "@hourglass/posting";
import { CreateExportRequestSchema } from "@hourglass/proto/export/v1/export_service";
import { IDS_ONLY_NAMES } from "../json/export.js";
import { CSV_DELIMITER, EXPORT_FORMAT, EXPORT_STATUS } from "../json/fields.js";
import { EXPORT_LINKS, EXPORTS, EXPORTS_ALIAS } from "../routes/exports.js";
import {
  answer,
  created,
  deleteRoute,
  json,
  listRoute,
  parameter,
  query,
  waitRoute,
  type RouteDoc,
} from "./describe.js";
import {
  array,
  boolean,
  enumeration,
  integer,
  limitsOf,
  moment,
  nullable,
  object,
  page,
  recordId,
  ref,
  string,
  type Schema,
} from "./schema.js";

const TAG = "Exports";

const ids = array(recordId("Id of an insight."), limitsOf(CreateExportRequestSchema, "insight_search_ids"));
const date = (description: string) => string(description, { format: "date" });

const head = {
  id: recordId("Id of the export."),
  status: ref("ExportStatus"),
  query: ref("ExportQuery"),
  error: string("Why it failed."),
  progress: ref("ExportProgress"),
  rows: nullable(integer("Postings in it; null unless it is done.", { minimum: 0 })),
  files: array(ref("ExportFile"), { description: "The formats it can be downloaded in; empty unless it is done." }),
  created_at: moment("When it was accepted."),
  finished_at: nullable(moment("When it came to its end.")),
  expires_at: nullable(moment("When it is deleted; null if never.")),
  revised_at: nullable(moment("When erased postings were last removed from it; null if never.")),
};

/** Schemas of exports. */
export const EXPORT_SCHEMAS: Readonly<Record<string, Schema>> = {
  NewExport: object({
    insight_search_ids: ids,
    start_date: date("Postings created on this day or later, in UTC."),
    end_date: date("Postings created before this day, in UTC."),
  }),
  ExportStatus: enumeration(EXPORT_STATUS.names),
  ExportFormat: enumeration(EXPORT_FORMAT.names, "`json` is an array of postings, `ndjson` a posting a line."),
  ExportProgress: object(
    {
      done: integer("Of the total, those analyzed and rendered: all of them once the export is done.", { minimum: 0 }),
      total: nullable(integer("Postings to export; null until they have been counted.", { minimum: 0 })),
      analysed: integer("Of these, those whose analysis is done or was given up.", { minimum: 0 }),
      rendered: integer("Of these, those rendered.", { minimum: 0 }),
    },
    { description: "How far an export is." },
  ),
  ExportFile: object({
    format: ref("ExportFormat"),
    size: integer("Bytes.", { format: "int64", minimum: 0 }),
  }),
  PostingKey: enumeration(POSTING_KEYS, "A key of a posting."),
  IdsOnly: enumeration(
    IDS_ONLY_NAMES,
    "Which postings hold only platform, social_id and social_url, which platforms allow to be passed on: all, none, or " +
      "those whose platform allows no more.",
  ),
  CsvDelimiter: enumeration(CSV_DELIMITER.names, "What separates the cells of CSV."),
  NewExportLink: object({ format: ref("ExportFormat") }),
  ExportLink: object({
    url: string("Where the file can be downloaded without an access token.", { format: "uri" }),
    expires_at: moment("When it stops working."),
  }),
  ExportQuery: object(
    {
      insight_search_ids: array(recordId("Id of an insight.")),
      start_date: date("First day."),
      end_date: date("Day after the last."),
    },
    { description: "What an export was asked for." },
  ),
  ExportCoverage: object({
    insight_search_id: recordId("Id of an insight."),
    platforms: array(ref("PlatformCoverage")),
  }),
  Export: object(
    {
      ...head,
      coverage: array(ref("ExportCoverage"), {
        description:
          "For which spans of the range each insight was collected completely, as known when the export was made. Empty " +
          "unless it is done.",
      }),
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
    summary: "Create an export",
    description:
      "Makes a dataset of the analyzed postings of some insights in a range of days. `start_date` must be before `end_date`.",
    parameters: [parameter("IdempotencyKey")],
    body: json(ref("NewExport"), { insight_search_ids: [1], start_date: "2026-01-01", end_date: "2026-02-01" }),
    answers: { 201: created("Accepted. Read it by its id.", json(ref("CreatedExport"), { id: 1 })) },
  };
}

const RANGE: Schema = {
  name: "Range",
  in: "header",
  description: "A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag.",
  schema: string(),
};

const form = [
  query("columns", "Only these columns, in this order; separate them by commas.", array(ref("PostingKey"))),
  query("ids_only", "Which postings are given by their ids only.", ref("IdsOnly")),
  query("delimiter", "CSV only: what separates the cells.", ref("CsvDelimiter")),
  query("bom", "CSV only: whether a byte order mark comes first, for Excel.", boolean()),
];

const headers = {
  ETag: { description: "Other bytes have another one.", schema: string() },
  "Content-Disposition": { description: "The name of the file.", schema: string() },
};

const files = {
  "text/csv": { schema: string("With a header, safe to open in a spreadsheet.") },
  "application/x-ndjson": { schema: string("A posting a line.") },
  "application/vnd.apache.parquet": { schema: string("Apache Parquet.", { format: "binary" }) },
};

const download = {
  200: answer("The file.", { ...json(array(ref("Posting"))), ...files }, headers),
  206: answer(
    "The range that was asked for.",
    { ...json(string()), ...files },
    {
      ...headers,
      "Content-Range": { description: "Which bytes of how many.", schema: string() },
    },
  ),
};

const RENDERED =
  "`columns`, `ids_only`, `delimiter` and `bom` are rendered while the file is read, so that it has no length and no ranges.";

function read(id: string): RouteDoc {
  const route = waitRoute(
    {
      id,
      tag: TAG,
      summary: "Read an export",
      description: `With another type than JSON in \`Accept\`, it answers as a download does. ${RENDERED}`,
    },
    "The export; Retry-After while it is not finished.",
    { ...json(ref("Export")), ...files },
  );
  const { 206: part } = download;
  return {
    ...route,
    parameters: [...(route.parameters ?? []), ...form, RANGE],
    answers: { ...route.answers, 206: part },
    failures: [...(route.failures ?? []), 409, 416],
  };
}

/** The routes of exports. */
export const EXPORT_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${EXPORTS}`]: create("createExport"),
  [`GET ${EXPORTS}`]: listRoute({ id: "listExports", tag: TAG, summary: "List exports" }, json(ref("ExportPage"))),
  [`GET ${EXPORTS}/:id`]: read("getExport"),
  [`DELETE ${EXPORTS}/:id`]: deleteRoute({
    id: "deleteExport",
    tag: TAG,
    summary: "Delete an export",
    description: "Cancels it if it is not finished, and erases its record and its files.",
  }),
  [`GET ${EXPORTS}/:id/download`]: {
    id: "downloadExport",
    tag: TAG,
    summary: "Download an export",
    description: `The data alone, as a file; compressed if you accept gzip or br. ${RENDERED}`,
    parameters: [
      parameter("Id"),
      query("format", "Default: what `Accept` prefers.", ref("ExportFormat")),
      ...form,
      RANGE,
    ],
    answers: download,
    failures: [400, 404, 409, 416],
  },
  [`POST ${EXPORTS}/:id/links`]: {
    id: "createExportLink",
    tag: TAG,
    summary: "Get a link to a file of an export",
    description: "The link works for 5 minutes without an access token, for browsers and spreadsheets.",
    parameters: [parameter("Id")],
    body: json(ref("NewExportLink"), { format: "csv" }),
    answers: { 201: answer("The link.", json(ref("ExportLink"))) },
    failures: [404, 409],
  },
  [`GET ${EXPORT_LINKS}/:token`]: {
    id: "downloadLinkedExport",
    tag: TAG,
    summary: "Download an export by a link",
    description: `404 if the link has been changed or has expired, or the export was deleted. ${RENDERED}`,
    parameters: [
      { name: "token", in: "path", required: true, description: "The end of the link.", schema: string() },
      ...form,
      RANGE,
    ],
    answers: download,
    failures: [400, 404, 409, 416],
  },
  [`POST ${EXPORTS_ALIAS}`]: create("createExportByOtherPath"),
  [`GET ${EXPORTS_ALIAS}/:id`]: read("getExportByOtherPath"),
};
