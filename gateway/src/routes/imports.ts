import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  DATE_FORMATS,
  dateFormatNamed,
  DEFAULT_PRESET,
  ImportNotes,
  isTimeZone,
  PRESETS,
  readColumnMap,
  readCsv,
  readNdjson,
  toPostingJson,
  type ColumnMap,
  type CsvLayout,
  type DateFormat,
  type WrongRow,
} from "@hourglass/posting";
import type { ImportPostingsResponse } from "@hourglass/proto/insight/v1/insight_service";
import type { Platform as PlatformNumber } from "@hourglass/proto/insight/v1/platform";
import { AppError, giveOneOf, LoopPace } from "@hourglass/runtime";
import { MalformedJson, parseJson, type Violations } from "@hourglass/runtime/json";
import * as z from "zod";
import { mediaType } from "../http/headers.js";
import { creationReply } from "../http/reply.js";
import { route, type Endpoint, type RouteContext } from "../http/route.js";
import type { Clients } from "../services.js";
import { jsonWith } from "./answers.js";
import { valuesOf } from "./input.js";
import { INSIGHTS } from "./platforms.js";
import { importMessages, inLines, inRows, inTurns, readRows } from "./posting-import.js";
import { NEW_POSTING_EXAMPLE } from "./posting-example.js";
import { NewPosting, Posting } from "./posting-schema.js";
import * as s from "./schema.js";

const LeftOut = s.object("LeftOutRow", {
  row: s.integer("Its number in the body; the header of a CSV file is row 1."),
  message: s.text("Why it is left out."),
});

const Accepted = s.object("PostingsAccepted", {
  accepted: s.integer("Postings stored for the first time."),
  duplicates: s.integer("Postings that were stored already, or that stand in the body repeatedly."),
  unmatched: s.optional(s.integer("With match=true: postings left out because they do not match the keywords.")),
  erased: s.optional(s.integer("Postings left out because they were erased; absent if there are none.")),
  warnings: s.list(s.text(), {
    description:
      "What was done with the file that its owner may not expect, a sentence each: columns that are not used or stand " +
      "twice, days that could be read in two ways, codes and missing values as they were read, and a last row that is cut.",
  }),
  skipped: s.optional(
    s.integer(
      "Rows left out because they are no postings; of JSON Lines, those without text and media, if there are any.",
    ),
  ),
  skipped_rows: s.optional(
    s.list(
      s.object("SkippedRow", {
        row: s.integer("Its number in the file; the header is row 1."),
        message: s.text("Why it was left out."),
      }),
      { description: "The first 1,000 of these rows." },
    ),
  ),
  first: s.optional(
    s.list(Posting, { description: "With validate_only=true: the first 10 postings as they would be stored." }),
  ),
  left_out: s.optional(
    s.list(LeftOut, {
      description:
        "With validate_only=true: the first 1,000 rows that are right and would be left out, since they do not match or were erased.",
    }),
  ),
});

const CSV = "text/csv";

const ROWS = {
  schema: z.string().meta({ description: "Rows of postings.", format: "binary" }),
  example:
    "platform,post_date,post_time,text_of_post,like_count\r\nnews,1/31/2026,12:00:00,The queue was far too long.,3\r\n",
};

const LINES = {
  schema: z.string().meta({ description: "Lines of NewPosting.", format: "binary" }),
  example:
    '{"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."}\n',
};

/** Clients send such bodies unchanged, as they are in files. */
const BODY = {
  // Generators that know one content type per body take the last. No name of JSON Lines is registered: these are in use.
  [CSV]: ROWS,
  "application/jsonl": LINES,
  "application/json-lines": LINES,
  "application/x-jsonlines": LINES,
  "application/ndjson": LINES,
  "application/x-ndjson": LINES,
};
const IMPORTED_TYPES = Object.keys(BODY);

const MOMENT_NEEDED = "Give a date such as 2026-01-31 or a moment such as 2026-01-31T12:00:00Z.";

const NdjsonOptions = z.object({
  match: z.boolean().optional().meta({ description: "`true`: leave out postings that do not match the keywords." }),
  complete_from: moment(
    "With complete_to: states that, with this import, all that the platforms of its postings published for the search since " +
      "this moment, or day, is stored. The span counts as collected completely, so that its days can be judged; a wrong row " +
      "of a CSV file then refuses the file.",
  ),
  complete_to: moment("The end of that span, which does not belong to it and has passed."),
  validate_only: z.boolean().optional().meta({
    description:
      "`true`: check all and store nothing; the answer says what an import would do. Viewers may do that, too.",
  }),
  date_format: z
    .string()
    .transform(toDateFormat)
    .optional()
    .meta({
      description:
        `How the file writes its times, one of ${DATE_FORMATS.join(", ")}; days also with dots or dashes. Without it, times ` +
        "are recognized, and a file is refused whose days contradict each other, or whose times are bare numbers.",
      examples: ["d/m/yyyy"],
    }),
  time_zone: z
    .string()
    .refine(isTimeZone, { error: "Give a time zone of IANA, such as Europe/Lisbon." })
    .optional()
    .meta({
      description: "The time zone, of IANA, of the times that state none; UTC without it.",
      examples: ["Europe/Lisbon"],
    }),
});

function toDateFormat(name: string, context: z.core.$RefinementCtx): DateFormat {
  const format = dateFormatNamed(name);
  if (format === undefined) context.addIssue(giveOneOf(DATE_FORMATS, name));
  return format ?? "iso";
}

function moment(description: string) {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: MOMENT_NEEDED })
    .transform((text) => timestampFromDate(new Date(text)))
    .optional()
    .meta({ description });
}

/** Without a preset and a map, the columns are those of our own exports. */
const CsvOptions = NdjsonOptions.extend({
  preset: z
    .string()
    .refine((name) => PRESETS.has(name), { error: ({ input }) => giveOneOf([...PRESETS.keys()], input) })
    .optional()
    .meta({
      description: `CSV only: the tool that wrote the file, one of ${[...PRESETS.keys()].join(", ")}. Without it and without a map: ${DEFAULT_PRESET}.`,
    }),
  map: z.string().transform(toColumnMap).optional().meta({
    description:
      'CSV only: a JSON object of keys with their columns, such as {"text_of_post":"body","platform":{"value":"reddit"}}. It comes before the preset.',
  }),
});

function toColumnMap(json: string, context: z.core.$RefinementCtx): ColumnMap {
  const violations: Violations = [];
  try {
    const map = readColumnMap(parseJson(json, "The map"), "", violations);
    for (const { field, message } of violations)
      context.addIssue({ code: "custom", message, path: field === "" ? [] : [field.slice(1)] });
    return map ?? new Map();
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    context.addIssue(error.message);
    return new Map();
  }
}

const CSV_INPUT = valuesOf(CsvOptions);
const NDJSON_INPUT = valuesOf(NdjsonOptions);

/** Time for storing an import, in milliseconds: at least, and for each posting. The largest one ends in four minutes. */
const IMPORT_TIMEOUT_MS = 60_000;
const POSTING_TIMEOUT_MS = 20;

const EXAMPLES = {
  stored: { summary: "An import", value: { accepted: 1, duplicates: 0, warnings: [] } },
  trial: {
    summary: "With validate_only=true and match=true: what it would do",
    value: {
      accepted: 1,
      duplicates: 0,
      unmatched: 1,
      warnings: ["Columns that are not used: flair. A map can name them."],
      first: [NEW_POSTING_EXAMPLE],
      left_out: [{ row: 3, message: "It does not match the keywords." }],
    },
  },
};

/** Importing postings. */
export function importRoute(service: Clients["insight"]): Endpoint {
  return route(`POST ${INSIGHTS}/:id/postings`, "importPostings", "Import postings", {
    ...({ tag: "Insights", access: "insight", record: "insight" } as const),
    description:
      "Stores and analyzes postings of your own, at most 10,000 a request: one JSON object a line, or CSV with a header. " +
      "A wrong line refuses the request, and all wrong fields of all lines are named. A wrong row of a CSV file is left out " +
      "and explained, and so is any without text and media, but a row of a platform that the search does not have refuses " +
      "the file. What was stored before a 504 stays: the same request with the same Idempotency-Key continues there.",
    body: "chunks",
    types: IMPORTED_TYPES,
    content: BODY,
    schemas: [NewPosting],
    input: {
      query: CsvOptions,
      isKeyed: true,
      rename: (field) => field.replace(/^header\./, ""),
      read: (context, body, known) => (isCsv(context) ? CSV_INPUT : NDJSON_INPUT).read(context, body, known),
    },
    answers: { 200: { description: "Stored.", content: jsonWith(Accepted, EXAMPLES) } },
    failures: [404, 504],
    handle: (context, options, body) => importPostings(service, context, { options, body }),
  });
}

function isCsv({ request }: RouteContext): boolean {
  return mediaType(request.req.headers["content-type"]) === CSV;
}

interface Import {
  readonly options: z.output<typeof CsvOptions> | z.output<typeof NdjsonOptions>;
  readonly body: readonly Uint8Array[];
}

async function importPostings(service: Clients["insight"], context: RouteContext, { options, body }: Import) {
  const { match = false, validate_only: validateOnly = false, complete_from: from, complete_to: to } = options;
  const span = { ...(from && { completeFrom: from }), ...(to && { completeTo: to }) };
  const header = { id: context.pathId, match, validateOnly, idempotencyKey: context.idempotencyKey, ...span };
  const pace = new LoopPace();
  const step = () => pace.step();
  const chunks = inTurns(body, step);
  const isTable = isCsv(context);
  const notes = new ImportNotes();
  const stated = { notes, dateFormat: options.date_format, timeZone: options.time_zone };
  const rows = isTable
    ? readCsv(chunks, { ...stated, ...layoutOf(options) })
    : readNdjson(chunks, { ...stated, platforms: await platformsOf(service, context) });
  // What is left out is not stored, so that the span would not be complete.
  const mayLeaveOut = from === undefined && to === undefined;
  const leaveOut = !mayLeaveOut ? "none" : isTable ? "wrong" : "blank";
  const read = await readRows(rows, { leaveOut, named: isTable ? "rows" : "postings" }, step);
  const areRowsNamed = leaveOut === "wrong" || read.skipped > 0;
  try {
    const messages = importMessages(header, read.postings, step);
    const callOptions = context.options(IMPORT_TIMEOUT_MS + POSTING_TIMEOUT_MS * read.postings.length);
    const response = validateOnly
      ? await service.validatePostings(messages, callOptions)
      : await service.importPostings(messages, callOptions);
    const { accepted, duplicates, unmatched, erased, replayed } = response;
    const answer = {
      accepted,
      duplicates,
      ...(match && { unmatched }),
      ...(erased > 0 && { erased }),
      warnings: notes.warnings,
      ...(areRowsNamed && { skipped: read.skipped, skipped_rows: read.leftOut.map(fromWrongRow) }),
      ...(validateOnly && previewOf(response, read.rowOf)),
    };
    return creationReply(200, answer, { replayed });
  } catch (error) {
    throw isTable ? inRows(error, read.rowOf) : inLines(error, read.indexOf);
  }
}

function previewOf({ first, leftOut }: ImportPostingsResponse, rowOf: readonly number[]) {
  const rows = leftOut.map(({ index, reason }) => ({ row: rowOf[index] ?? 0, message: reason }));
  return { first: first.map(toPostingJson), left_out: rows };
}

function layoutOf({ map, preset }: Partial<z.output<typeof CsvOptions>>): CsvLayout {
  return { map, preset: preset ?? (map === undefined ? DEFAULT_PRESET : undefined) };
}

/**
 * The platforms of the search, read before the lines of the body, so that lines of other platforms are named together
 * with those that are wrong otherwise. Undefined for a search that does not exist: the service reports that once the
 * body is right.
 */
async function platformsOf(
  service: Clients["insight"],
  context: RouteContext,
): Promise<readonly PlatformNumber[] | undefined> {
  try {
    const { insight } = await service.getInsight({ id: context.pathId }, context.options());
    return insight?.query?.platforms;
  } catch (error) {
    if (error instanceof AppError && error.kind === "not-found") return undefined;
    throw error;
  }
}

function fromWrongRow({ row, violations }: WrongRow) {
  const messages = violations.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return { row, message: messages.join(" ") };
}
