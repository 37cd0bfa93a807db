import { EXPORTED_KEYS } from "@hourglass/posting";
import * as proto from "@hourglass/proto/export/v1/export";
import {
  CreateExportLinkRequestSchema,
  CreateExportRequestSchema,
  CsvDelimiter,
  CsvDelimiterSchema,
  GetExportRequestSchema,
  ListExportsRequestSchema,
  ListExportsResponseSchema,
} from "@hourglass/proto/export/v1/export_service";
import { AppError, giveOneOf } from "@hourglass/runtime";
import { Spelling, toIso } from "@hourglass/runtime/json";
import * as z from "zod";
import { originOf } from "../http/client-address.js";
import { creationReply, jsonReply, type Reply } from "../http/reply.js";
import { route, type Endpoint, type RouteContext } from "../http/route.js";
import type { Clients } from "../services.js";
import {
  ACCEPT_RANGES,
  aDeletion,
  anAwaitedRecord,
  aPage,
  CONTENT_RANGE,
  created,
  json,
  pageOf,
  textOf,
  WAIT,
} from "./answers.js";
import { writerOf } from "./conversion.js";
import { acceptedFormat, EXPORT_FORMAT, fileReply, objectReply, type Form, type ReadExport } from "./export-file.js";
import { messageOf, valuesOf } from "./input.js";
import { ExportFilter, newExportFilter } from "./filters.js";
import { Metadata, METADATA_FILTER, NewMetadata } from "./metadata.js";
import { COVERAGE_EXAMPLE, INSIGHTS, PlatformCoverage } from "./platforms.js";
import { POSTING_EXAMPLE } from "./posting-example.js";
import { Posting } from "./posting-schema.js";
import { CREATED_BY_EXAMPLE, CreatedBy } from "./created-by.js";
import * as s from "./schema.js";

/** Path of exports. */
export const EXPORTS = `${INSIGHTS}/exports`;
/** A second path for creating and reading exports, which clients of the interface also use. */
const EXPORTS_ALIAS = "/api/v2/products/api/exports";
/** Path of the links of exports, each followed by its token. */
const EXPORT_LINKS = `${EXPORTS}/links`;

/** A hundred ids and two dates, or a format. */
const SHORT_BYTES_MAX = 65_536;
const SECONDS_UNTIL_NEXT_LOOK = "1";

/** Bounded by the client's pace, which is checked elsewhere. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;

const CSV_DELIMITER = new Spelling(CsvDelimiterSchema);
const FormatName = s.spelled(EXPORT_FORMAT, "`json` is an array of postings, `ndjson` a posting a line.");

const InsightId = s.recordId("Id of an insight.");
const date = (description: string) => s.text(description, { format: "date" });

const newExport = (platforms: readonly string[]) =>
  s.request(
    CreateExportRequestSchema,
    {
      insight_search_ids: s.list(InsightId),
      start_date: date("Postings created on this day or later, in UTC."),
      end_date: date("Postings created before this day, in UTC."),
      filter: s.nullish(newExportFilter(platforms)),
      metadata: s.nullish(NewMetadata),
    },
    { id: "NewExport", isOpen: true },
  );
const CreatedExport = s.object("CreatedExport", { id: s.recordId("Id of the new export.") });

const Progress = s.response(
  "ExportProgress",
  proto.ExportProgressSchema,
  {
    done: s.integer("Of the total, those analyzed and rendered: all of them once the export is done.", { minimum: 0 }),
    total: s.nullable(s.integer("Postings to export; null until they have been counted.", { minimum: 0 })),
    analysed: s.integer("Of these, those whose analysis is done or was given up.", { minimum: 0 }),
    rendered: s.integer("Of these, those rendered.", { minimum: 0 }),
  },
  "How far an export is.",
);

const Query = s.response(
  "ExportQuery",
  proto.ExportQuerySchema,
  {
    insight_search_ids: s.list(InsightId),
    start_date: date("First day."),
    end_date: date("Day after the last."),
    filter: s.optional(ExportFilter),
  },
  "What an export was asked for.",
);

const File = s.response("ExportFile", proto.ExportFileSchema, {
  format: FormatName,
  size: s.from("size_bytes", s.integer("Bytes.", { format: "int64", minimum: 0 })),
});

const Coverage = s.response("ExportCoverage", proto.InsightCoverageSchema, {
  insight_search_id: InsightId,
  platforms: s.list(PlatformCoverage),
});

const HEAD = {
  id: s.recordId("Id of the export."),
  status: s.spelled(new Spelling(proto.ExportStatusSchema)),
  query: Query,
  error: s.optional(s.text("Why it failed.")),
  progress: Progress,
  rows: s.nullable(s.integer("Postings in it; null unless it is done.", { minimum: 0 })),
  files: s.list(File, { description: "The formats it can be downloaded in; empty unless it is done." }),
  created_at: s.moment("When it was accepted."),
  metadata: s.optional(Metadata),
  created_by: s.nullable(CreatedBy),
  finished_at: s.nullable(s.moment("When it came to its end.")),
  expires_at: s.nullable(s.moment("When it is deleted; null if never.")),
  revised_at: s.nullable(s.moment("When erased postings were last removed from it; null if never.")),
};
const ListedExport = s.response("ListedExport", proto.ExportSchema, HEAD, "An export without its data.");

const LISTED_EXAMPLE = {
  id: 7,
  status: "done",
  query: { insight_search_ids: [12], start_date: "2026-01-01", end_date: "2026-02-01", filter: { language: ["en"] } },
  progress: { done: 41, total: 41, analysed: 41, rendered: 41 },
  rows: 41,
  files: [
    { format: "json", size: 98_304 },
    { format: "csv", size: 40_960 },
  ],
  created_at: "2026-01-31T12:00:00.000Z",
  created_by: CREATED_BY_EXAMPLE,
  finished_at: "2026-01-31T12:00:02.000Z",
  expires_at: "2026-03-02T12:00:02.000Z",
  revised_at: null,
};

/** The service has the data as JSON already, which stands behind the rest. */
const leftToService = () => undefined;
const Whole = s.response("Export", proto.ExportSchema, {
  ...HEAD,
  coverage: s.list(Coverage, {
    description:
      "For which spans of the range each insight was collected completely, as known when the export was made. Empty " +
      "unless it is done.",
  }),
  data: s.from(leftToService, s.nullable(s.list(Posting, { description: "Null unless `status` is done." }))),
});

const EXAMPLE = {
  ...LISTED_EXAMPLE,
  progress: { done: 1, total: 1, analysed: 1, rendered: 1 },
  rows: 1,
  coverage: [{ insight_search_id: 12, ...COVERAGE_EXAMPLE }],
  data: [POSTING_EXAMPLE],
};

const writeWhole = writerOf(Whole);

const NewLink = s.request(CreateExportLinkRequestSchema, { format: FormatName }, { id: "NewExportLink" });
const Link = s.object("ExportLink", {
  url: s.text("Where the file can be downloaded without an access token.", { format: "uri" }),
  expires_at: s.moment("When it stops working."),
});

const LINK_EXAMPLE = {
  url: "https://hourglass.example.com/api/v2/products/insight/exports/links/1-2-1769936700.c2lnbmF0dXJl",
  expires_at: "2026-02-01T09:05:00.000Z",
};

/** Asks for the ids only of postings whose platform allows no more to be passed on. */
const WHERE_REQUIRED = "where_required";

const ExportedKey = s.enumeration(
  "ExportedKey",
  EXPORTED_KEYS,
  "A key of a posting, or `posted_at`: its date and time as one value.",
);

const FORM = z.object({
  columns: z
    .array(ExportedKey)
    .refine((columns) => columns.length > 0, { error: giveOneOf(EXPORTED_KEYS) })
    .meta({ description: "Only these columns, in this order; separate them by commas." })
    .optional(),
  ids_only: z
    .enum(["true", "false", WHERE_REQUIRED], { error: `Give true, false or ${WHERE_REQUIRED}.` })
    .meta({
      id: "IdsOnly",
      description:
        "Which postings hold only platform, social_id and social_url, which platforms allow to be passed on: all, none, or " +
        "those whose platform allows no more.",
    })
    .optional()
    .meta({ description: "Which postings are given by their ids only." }),
  delimiter: s
    .spelled(CSV_DELIMITER, "What separates the cells of CSV.")
    .optional()
    .meta({ description: "CSV only: what separates the cells." }),
  bom: z.boolean().optional().meta({ description: "CSV only: whether a byte order mark comes first, for Excel." }),
});

function isUnambiguous(form: unknown): boolean {
  const { columns, ids_only: ids } = form as z.output<typeof FORM>;
  return columns === undefined || ids !== "true";
}

/** With further parameters. What the two of them contradict is named also where others are wrong. */
function formOf<S extends z.ZodRawShape>(shape: S) {
  const rule = { path: ["ids_only"], error: "Give either columns or ids_only.", when: () => true };
  return z.object({ ...shape, ...FORM.shape }).refine(isUnambiguous, rule);
}

const FILES = {
  ...textOf(
    "text/csv",
    "With a header, safe to open in a spreadsheet. The last column is `posted_at`, the moment in UTC.",
  ),
  ...textOf("application/x-ndjson", "A posting a line. The last key is `posted_at`, the moment in UTC."),
  ...textOf("application/vnd.apache.parquet", "Apache Parquet.", { format: "binary" }),
};

const FILE_HEADERS = {
  ETag: { description: "Other bytes have another one.", schema: { type: "string" } },
  "Content-Disposition": { description: "The name of the file.", schema: { type: "string" } },
  ...ACCEPT_RANGES,
};

const PART = {
  description: "The range that was asked for.",
  content: { ...textOf("application/json"), ...FILES },
  headers: {
    ...FILE_HEADERS,
    ...CONTENT_RANGE,
  },
};

const A_FILE = {
  headers: ["Range"],
  answers: {
    200: {
      description: "The file.",
      content: { ...json(z.array(Posting), [POSTING_EXAMPLE]), ...FILES },
      headers: FILE_HEADERS,
    },
    206: PART,
  },
  failures: [400, 404, 409, 416],
} as const;

const RENDERED =
  "`columns`, `ids_only`, `delimiter` and `bom` are rendered while the file is read, so that it has no length and no ranges.";

/** Creating, reading, listing, downloading and deleting exports. */
export class ExportRoutes {
  readonly endpoints: readonly Endpoint[];
  private readonly newExport: ReturnType<typeof newExport>;

  /** `platforms` are those of the server. */
  constructor(
    private readonly service: Clients["export"],
    platforms: readonly string[],
  ) {
    this.newExport = newExport(platforms);
    const base = { tag: "Exports", access: "insight", record: "export" } as const;
    this.endpoints = [
      this.creating("createExport", EXPORTS),
      route(`GET ${EXPORTS}`, "listExports", "List exports", {
        ...base,
        ...aPage({
          desc: ListExportsRequestSchema,
          page: pageOf("ExportPage", ListExportsResponseSchema, { exports: s.list(ListedExport) }),
          get: (request, options) => service.listExports(request, options),
          more: METADATA_FILTER,
          example: { exports: [LISTED_EXAMPLE], next_cursor: null },
        }),
        description:
          "Newest first. With `metadata.KEY`, a page looks through a limited number of exports: it may have fewer entries than " +
          "`limit`, or none, although more follow.",
      }),
      route(`GET ${EXPORT_LINKS}/:token`, "downloadLinkedExport", "Download an export by a link", {
        tag: "Exports",
        access: "open",
        description: `404 if the link has been changed or has expired, or the export was deleted. ${RENDERED}`,
        ...A_FILE,
        input: valuesOf(formOf({})),
        handle: (context, form) => {
          const token = context.pathToken;
          const read: ReadExport = (reading) => this.service.readLinkedExport({ token, reading }, downloading(context));
          return fileReply(context, read, renderedForm(form));
        },
      }),
      this.getting("getExport", `${EXPORTS}/:id`),
      route(`DELETE ${EXPORTS}/:id`, "deleteExport", "Delete an export", {
        ...base,
        description: "Cancels it if it is not finished, and erases its record and its files.",
        ...aDeletion((record, options) => service.deleteExport(record, options)),
      }),
      route(`GET ${EXPORTS}/:id/download`, "downloadExport", "Download an export", {
        ...base,
        description: `The data alone, as a file; compressed if you accept gzip or br. ${RENDERED}`,
        ...A_FILE,
        input: valuesOf(
          formOf({ format: FormatName.optional().meta({ description: "Default: what `Accept` prefers." }) }),
        ),
        // The query comes before Accept, because it can be part of a link.
        handle: (context, { format: name, ...form }) => {
          const format = name === undefined ? acceptedFormat(context) : EXPORT_FORMAT.numberOf(name);
          return fileReply(context, this.reader(context, context.pathId, format), renderedForm(form));
        },
      }),
      route(`POST ${EXPORTS}/:id/links`, "createExportLink", "Get a link to a file of an export", {
        ...base,
        description: "The link works for 5 minutes without an access token, for browsers and spreadsheets.",
        bodyBytesMax: SHORT_BYTES_MAX,
        input: messageOf(CreateExportLinkRequestSchema, { body: NewLink, isKeyed: true }),
        example: { format: "csv" },
        answers: { 201: { description: "The link.", content: json(Link, LINK_EXAMPLE) } },
        failures: [404, 409],
        handle: async (context, request) => {
          const { token, expiresAt, replayed } = await this.service.createExportLink(request, context.options());
          const url = `${originOf(context.request)}${EXPORT_LINKS}/${token}`;
          return creationReply(201, { url, expires_at: toIso(expiresAt) }, { replayed });
        },
      }),
      this.creating("createExportByOtherPath", EXPORTS_ALIAS),
      this.getting("getExportByOtherPath", `${EXPORTS_ALIAS}/:id`),
    ];
  }

  private creating(id: string, path: string): Endpoint {
    return route(`POST ${path}`, id, "Create an export", {
      tag: "Exports",
      access: "insight",
      record: "export",
      description:
        "Makes a dataset of the analyzed postings of some insights in a range of days. `start_date` must be before `end_date`. " +
        "A `filter` has the same kinds as the parameters of a list of postings.",
      bodyBytesMax: SHORT_BYTES_MAX,
      input: messageOf(CreateExportRequestSchema, { body: this.newExport, isKeyed: true }),
      example: { insight_search_ids: [1], start_date: "2026-01-01", end_date: "2026-02-01" },
      answers: { 201: created("Accepted. Read it by its id.", json(CreatedExport, { id: 1 })) },
      handle: async (context, request) => {
        const { id: exportId, replayed } = await this.service.createExport(request, context.options());
        context.concerns(exportId);
        return creationReply(201, { id: Number(exportId) }, { replayed, location: `${EXPORTS}/${exportId}` });
      },
    });
  }

  private getting(id: string, path: string): Endpoint {
    const { answers, failures } = anAwaitedRecord(
      "The export; Retry-After while it is not finished.",
      { ...json(Whole, EXAMPLE), ...FILES },
      FILE_HEADERS,
    );
    const wait = s.request(GetExportRequestSchema, WAIT);
    return route(`GET ${path}`, id, "Read an export", {
      tag: "Exports",
      access: "insight",
      record: "export",
      description: `With another type than JSON in \`Accept\`, it answers as a download does. ${RENDERED}`,
      headers: A_FILE.headers,
      answers: { ...answers, 206: PART },
      failures: [...(failures ?? []), 409, 416],
      input: valuesOf(formOf(wait.shape), { desc: GetExportRequestSchema, query: wait }),
      handle: (context, { wait: seconds = 0, ...form }) => this.get(context, Number(seconds), renderedForm(form)),
    });
  }

  /** JSON returns the export and its progress; any other type downloads its file, which fails until it is done. */
  private async get(context: RouteContext, wait: number, form: Form | undefined): Promise<Reply> {
    const id = context.pathId;
    const found = await this.waitFor(context, id, wait);
    const format = acceptedFormat(context);
    if (format !== proto.ExportFormat.JSON) return fileReply(context, this.reader(context, id, format), form);
    if (found.status === proto.ExportStatus.DONE) {
      const head = async () => writeWhole(await this.waitFor(context, id, 0));
      return objectReply(context, this.reader(context, id, format), head, form);
    }
    const retry = found.status === proto.ExportStatus.FAILED ? [] : ["Retry-After", SECONDS_UNTIL_NEXT_LOOK];
    return jsonReply(200, { ...writeWhole(found), data: null }, ["Vary", "Accept, Accept-Encoding", ...retry]);
  }

  private async waitFor(context: RouteContext, id: bigint, wait: number): Promise<proto.Export> {
    const { export: found } = await context.waitFor(wait, (seconds, options) =>
      this.service.getExport({ id, wait: seconds }, options),
    );
    if (found === undefined) throw new AppError("internal", "The export could not be read. Try again later.");
    return found;
  }

  private reader(context: RouteContext, id: bigint, format: proto.ExportFormat): ReadExport {
    return (reading) => this.service.readExport({ id, format, reading }, downloading(context));
  }
}

function downloading(context: RouteContext) {
  return { ...context.options(DOWNLOAD_TIMEOUT_MS), signal: context.request.clientLeft };
}

/** Keys that platforms allow to be passed on, from which the postings can be read again there. */
const ID_KEYS = ["platform", "social_id", "social_url"];

/** The form in which an export is asked for; undefined for the stored bytes. */
function renderedForm({ columns, ids_only: ids, delimiter, bom = false }: z.output<typeof FORM>): Form | undefined {
  const csvDelimiter = delimiter === undefined ? CsvDelimiter.UNSPECIFIED : CSV_DELIMITER.numberOf(delimiter);
  const keys = columns ?? (ids === "true" ? ID_KEYS : []);
  const isFlagged = ids === WHERE_REQUIRED;
  if (keys.length === 0 && !bom && csvDelimiter <= CsvDelimiter.COMMA && !isFlagged) return undefined;
  return { columns: keys, csvDelimiter, csvBom: bom, ...(isFlagged && { flaggedIdsOnly: true }) };
}
