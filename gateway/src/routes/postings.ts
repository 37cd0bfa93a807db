import {
  DEFAULT_PRESET,
  MEDIA_URLS,
  POSTING_FIELDS,
  PRESETS,
  readColumnMap,
  readCsv,
  readNdjson,
  toPostingJson,
  type ColumnMap,
  type CsvLayout,
  type PostingField,
  type WrongRow,
} from "@hourglass/posting";
import {
  ErasePostingsRequestSchema,
  ListPostingsRequestSchema,
  ListPostingsResponseSchema,
  type ListPostingsResponse,
} from "@hourglass/proto/insight/v1/insight_service";
import type { Platform as PlatformNumber } from "@hourglass/proto/insight/v1/platform";
import { MediaSchema, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { AppError, giveOneOf, LoopPace } from "@hourglass/runtime";
import { MalformedJson, parseJson, type Violations } from "@hourglass/runtime/json";
import * as z from "zod";
import { mediaType } from "../http/headers.js";
import { jsonReply } from "../http/reply.js";
import type { RevisedResponses } from "../http/response-cache.js";
import { route, type Endpoint, type RouteContext } from "../http/route.js";
import type { Clients } from "../services.js";
import { json, PAGE, pageOf } from "./answers.js";
import { readBy, writerOf } from "./conversion.js";
import { messageOf, valuesOf } from "./input.js";
import { labelOf } from "./analyses.js";
import { filterParameters, filterTimes } from "./filters.js";
import { INSIGHTS, Platform, platformAmong } from "./platforms.js";
import { importMessages, inRows, inTurns, readRows } from "./posting-import.js";
import * as s from "./schema.js";

/** Keys whose values are labels that other schemas list. */
const LABELED: Readonly<Record<string, z.ZodType>> = {
  sentiments: labelOf("sentiment-real"),
  intentions: labelOf("intention"),
};

const MoreInfo = z.record(z.string(), z.unknown()).meta({
  id: "MoreInfo",
  additionalProperties: true,
  description:
    "Additional information. This server writes `key`, which names the posting within its insight, and what the words of an " +
    "analyzed posting are: `sentiment_simple`, by which summaries count polarities; `emotion`, the likeliest one also where " +
    "`sentiments` is null for lack of evidence; `intention_prob`; `spam`.",
  examples: [
    {
      key: "news-Ck3bVY0z0PqhG8mS0S5n2w",
      sentiment_simple: { value: "neutral", prob: 0.9601 },
      emotion: { value: "eagerness", prob: 0.2785 },
      intention_prob: 0.8868,
      spam: { value: "ham", prob: 0.9997 },
    },
  ],
});

const Count = z.string().meta({
  id: "Count64",
  description: "A whole number; below zero where a platform counts votes against.",
  pattern: "^-?[0-9]+$",
});

const NewCount = z
  .union([
    z.string().meta({ pattern: "^-?[0-9]{1,18}$" }),
    z.number().meta({ type: "integer", format: "int64" }),
    z.null(),
  ])
  .meta({ id: "NewCount" });

const PATTERNS = { date: "^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$", time: "^[0-9]{2}:[0-9]{2}:[0-9]{2}$" };

/** The value of a key of a posting, in an import if `isNew`. */
function valueOf({ key, value, description }: PostingField, isNew = false): s.Property {
  switch (value) {
    case "text":
      return LABELED[key] ?? s.text(description);
    case "texts":
      return s.list(s.text(), description === undefined ? {} : { description });
    case "platform":
      return Platform;
    case "date":
    case "time":
      return s.text(description, isNew ? { pattern: PATTERNS[value] } : {});
    case "count":
      return isNew ? NewCount : Count;
    case "object":
      return MoreInfo;
  }
}

/** A posting; its keys follow from the list in services/posting, which writes it, too. */
export const Posting = s.object(
  "Posting",
  Object.fromEntries(
    POSTING_FIELDS.map((field) => [field.key, field.required ? valueOf(field) : s.nullable(valueOf(field))]),
  ),
  "A posting and its analysis; null is what the platform did not say.",
);

const Page = pageOf("PostingPage", ListPostingsResponseSchema, {
  postings: s.from(({ postings }: ListPostingsResponse) => postings.map(toPostingJson), s.list(Posting)),
  total: s.optional(s.total("Postings of all pages; only with `total=true`.")),
  total_is_exact: s.from(
    ({ total, totalIsExact }: ListPostingsResponse) => (total === undefined ? undefined : totalIsExact),
    s.optional(s.boolean("False: there are at least `total` postings. Only with `total=true`.")),
  ),
  watermark: s.text("For `since` of a later request, which then gets what was analyzed after this answer."),
});
const writePage = writerOf(Page);

const mediaUrls = s.list(s.text(undefined, s.limitsOf(s.fieldOf(MediaSchema, "url")).own), {
  ...s.limitsOf(s.fieldOf(PostingSchema, "media")).own,
  description: "URLs of pictures, videos and sound, for the dimensions visual and audial.",
});

/** A line of an import, as services/posting reads it. */
const NewPosting = s.object(
  "NewPosting",
  {
    ...Object.fromEntries(
      POSTING_FIELDS.filter(({ imported }) => imported).map((field) => [field.key, newValueOf(field)]),
    ),
    [MEDIA_URLS]: s.nullish(mediaUrls),
  },
  "A line of a request that brings in postings. Fields that an analysis fills are ignored.",
);

/** With the limits of its field; a count may be null by itself. */
function newValueOf(posting: PostingField): s.Property {
  const value = valueOf(posting, true);
  const property = posting.value === "count" ? s.optional(value) : posting.required ? value : s.nullish(value);
  return typeof property === "function" ? property(s.limitsOf(posting.field)) : property;
}

const SORTED_BY = s.choicesOf(s.fieldOf(ListPostingsRequestSchema, "sort")).filter((name) => name !== "");
const SortName = s.enumeration("PostingSort", SORTED_BY);

/** The contract asks whether the order is ascending. */
const Order = readBy((value) => value === "asc", s.enumeration("SortOrder", ["asc", "desc"], "By default, `desc`."));

const Erasure = (platforms: readonly string[]) =>
  s.request(ErasePostingsRequestSchema, {
    platform: s.withKeywords(platformAmong(platforms), {
      description: "The platform of the postings.",
      example: "news",
    }),
    social_id: s.optional(s.text("Id of the posting on its platform.", { example: "1234567890" })),
    author_id: s.optional(s.text("Id of the author on the platform.")),
  });
const Erased = s.object("PostingsErased", { deleted: s.integer("Postings that were erased.", { format: "int64" }) });

const Accepted = s.object("PostingsAccepted", {
  accepted: s.integer("Postings stored for the first time."),
  duplicates: s.integer("Postings that were stored already, or that stand in the body repeatedly."),
  unmatched: s.optional(s.integer("With match=true: postings left out because they do not match the keywords.")),
  erased: s.optional(s.integer("Postings left out because they were erased; absent if there are none.")),
  skipped: s.optional(s.integer("Of a CSV file: rows left out because they are no postings.")),
  skipped_rows: s.optional(
    s.list(
      s.object("SkippedRow", {
        row: s.integer("Its number in the file; the header is row 1."),
        message: s.text("Why it was left out."),
      }),
      { description: "The first 1,000 of these rows." },
    ),
  ),
});

const CSV = "text/csv";
const IMPORTED_TYPES = ["application/x-ndjson", CSV];

/** Clients send such bodies unchanged, as they are in files. */
const BODY = {
  // Generators that know one content type per body take the last.
  [CSV]: {
    schema: z.string().meta({ description: "Rows of postings.", format: "binary" }),
    example:
      "platform,post_date,post_time,text_of_post,like_count\r\nnews,1/31/2026,12:00:00,The queue was far too long.,3\r\n",
  },
  "application/x-ndjson": {
    schema: z.string().meta({ description: "Lines of NewPosting.", format: "binary" }),
    example:
      '{"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."}\n',
  },
};

const NdjsonOptions = z.object({
  match: z.boolean().optional().meta({ description: "`true`: leave out postings that do not match the keywords." }),
});

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

/** Reading, importing and erasing postings on a server with these platforms. */
export function postingRoutes(
  service: Clients["insight"],
  platforms: readonly string[],
  cached: RevisedResponses,
): Endpoint[] {
  const base = { tag: "Insights", access: "insight", record: "insight" } as const;
  const Filter = s.request(ListPostingsRequestSchema, {
    ...PAGE,
    ...filterParameters(platforms),
    ...filterTimes("Posted on this day or later.", "Posted before this day."),
    sort: s.optional(
      s.withKeywords(SortName, {
        description:
          "What they are sorted by: `engagement` is reactions, comments and shares together. Postings that do not state it " +
          "come last. By default, `posted_at`.",
      }),
    ),
    order: s.from("ascending", s.optional(Order)),
    total: s.from("with_total", s.optional(s.boolean("`true`: count all postings that match, up to 10,000."))),
    since: s.optional(
      s.text(
        "`watermark` of an earlier page: only postings that were analyzed since then, and perhaps some of the 15 seconds before.",
      ),
    ),
  });
  return [
    route(`DELETE ${INSIGHTS}/postings`, "erasePostings", "Erase postings", {
      ...base,
      description:
        "Erases a posting, or all postings of an author, from all searches of your company, for good: later polls and " +
        "imports skip them. Give either social_id or author_id.",
      input: messageOf(ErasePostingsRequestSchema, { query: Erasure(platforms) }),
      answers: { 200: { description: "How many there were.", content: json(Erased) } },
      failures: [400],
      handle: async (context, request) => {
        const { deleted } = await service.erasePostings(request, context.options());
        return jsonReply(200, { deleted: Number(deleted) });
      },
    }),
    route(`GET ${INSIGHTS}/:id/postings`, "listPostings", "List analyzed postings", {
      ...base,
      description:
        "Newest first by time of posting, or as `sort` and `order` say. Filters of several kinds must all be met, values of one " +
        "kind are alternatives. A page may be short, above all with `q`: continue until next_cursor is null.",
      answers: { 200: { description: "A page.", content: json(Page) } },
      failures: [400, 404],
      input: messageOf(ListPostingsRequestSchema, {
        query: Filter,
        check: (request, context) => service.listPostings(request, context.options()),
      }),
      handle: (context, request) => {
        const read = (knownRevision: string) => service.listPostings({ ...request, knownRevision }, context.options());
        return cached.reply(context, read, writePage);
      },
    }),
    route(`POST ${INSIGHTS}/:id/postings`, "importPostings", "Import postings", {
      ...base,
      description:
        "Stores and analyzes postings of your own, at most 10,000 a request: one JSON object a line, or CSV with a header. " +
        "A wrong line refuses the request, and all wrong fields of all lines are named. A wrong row of a CSV file is left out " +
        "and explained, but a row of a platform that the search does not have refuses the file. What was stored before a 504 " +
        "stays: the same request with the same Idempotency-Key continues there.",
      body: "chunks",
      types: IMPORTED_TYPES,
      content: BODY,
      schemas: [NewPosting],
      input: {
        query: CsvOptions,
        isKeyed: true,
        read: (context, body, known) => (isCsv(context) ? CSV_INPUT : NDJSON_INPUT).read(context, body, known),
      },
      answers: { 200: { description: "Stored.", content: json(Accepted) } },
      failures: [404, 504],
      handle: (context, options, body) => importPostings(service, context, { options, body }),
    }),
  ];
}

function isCsv({ request }: RouteContext): boolean {
  return mediaType(request.req.headers["content-type"]) === CSV;
}

interface Import {
  readonly options: z.output<typeof CsvOptions> | z.output<typeof NdjsonOptions>;
  readonly body: readonly Uint8Array[];
}

async function importPostings(service: Clients["insight"], context: RouteContext, { options, body }: Import) {
  const { match = false } = options;
  const header = { id: context.pathId, match, idempotencyKey: context.idempotencyKey };
  const pace = new LoopPace();
  const step = () => pace.step();
  const chunks = inTurns(body, step);
  const isTable = isCsv(context);
  const rows = isTable ? readCsv(chunks, layoutOf(options)) : readNdjson(chunks, await platformsOf(service, context));
  const read = await readRows(rows, isTable, step);
  try {
    const messages = importMessages(header, read.postings, step);
    const timeoutMs = IMPORT_TIMEOUT_MS + POSTING_TIMEOUT_MS * read.postings.length;
    const { accepted, duplicates, unmatched, erased } = await service.importPostings(
      messages,
      context.options(timeoutMs),
    );
    return jsonReply(200, {
      accepted,
      duplicates,
      ...(match && { unmatched }),
      ...(erased > 0 && { erased }),
      ...(isTable && { skipped: read.skipped, skipped_rows: read.leftOut.map(fromWrongRow) }),
    });
  } catch (error) {
    throw isTable ? inRows(error, read.rowOf) : error;
  }
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
