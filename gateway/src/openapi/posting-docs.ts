import { DEFAULT_PRESET, MEDIA_URLS, POSTING_FIELDS, PRESETS, type PostingField } from "@hourglass/posting";
import { ErasePostingsRequestSchema, PostingFilterSchema } from "@hourglass/proto/insight/v1/insight_service";
import { MediaSchema, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { POSTING_PLACES } from "../routes/insights.js";
import { answer, describePlaces, json, parameter, query, type RouteDoc } from "./describe.js";
import { POSTINGS_CSV_EXAMPLE, POSTINGS_NDJSON_EXAMPLE } from "./examples.js";
import {
  array,
  boolean,
  enumeration,
  integer,
  itemLimitsOf,
  limitsOf,
  nullable,
  object,
  page,
  ref,
  string,
  type Schema,
} from "./schema.js";

/** A day in a query string. */
export function day(name: string, description: string): Schema {
  return query(name, description, string(undefined, { format: "date" }));
}

/** Conditions on postings, without those on days. */
export const POSTING_FILTERS: readonly Schema[] = [
  query("platform", "From these platforms; repeat it, or separate them by commas.", array(ref("Platform"))),
  query("sentiment", "With this label.", ref("RealSentiment")),
  query("intention", "With this label.", ref("Intention")),
  query("language", "In this language, an ISO 639 code.", string(undefined, limitsOf(PostingFilterSchema, "language"))),
  query(
    "q",
    "That match this query, in the language of keywords.",
    string(undefined, limitsOf(PostingFilterSchema, "q")),
  ),
];

const TAG = "Insights";

const filters = [
  ...POSTING_FILTERS,
  day("start_date", "Posted on this day or later."),
  day("end_date", "Posted before this day."),
];

const csvOptions = [
  query(
    "preset",
    `CSV only: the tool that wrote the file, one of ${[...PRESETS.keys()].join(", ")}. Without it and without a map: ${DEFAULT_PRESET}.`,
    string(),
  ),
  query(
    "map",
    'CSV only: a JSON object of keys with their columns, such as {"text_of_post":"body","platform":{"value":"reddit"}}. It comes before the preset.',
    string(),
  ),
];

/** Clients send such bodies unchanged, as they are in files. */
const BYTES = { format: "binary" };

/** The routes of postings. */
export const POSTING_ROUTES: Readonly<Record<string, RouteDoc>> = describePlaces(POSTING_PLACES, {
  erasePostings: {
    tag: TAG,
    summary: "Erase postings",
    description:
      "Erases a posting, or all postings of an author, from all searches of your company, for good: later polls and " +
      "imports skip them. Give either social_id or author_id.",
    parameters: [
      query("platform", "The platform of the postings.", ref("Platform"), { required: true, example: "news" }),
      query(
        "social_id",
        "Id of the posting on its platform.",
        string(undefined, limitsOf(ErasePostingsRequestSchema, "social_id")),
        { example: "1234567890" },
      ),
      query(
        "author_id",
        "Id of the author on the platform.",
        string(undefined, limitsOf(ErasePostingsRequestSchema, "author_id")),
      ),
    ],
    answers: { 200: answer("How many there were.", json(ref("PostingsErased"))) },
    failures: [400],
  },
  listPostings: {
    tag: TAG,
    summary: "List analyzed postings",
    description: "Newest first by time of posting. A page may be short: continue until next_cursor is null.",
    parameters: [parameter("Id"), parameter("Limit"), parameter("Cursor"), ...filters],
    answers: { 200: answer("A page.", json(ref("PostingPage"))) },
    failures: [400, 404],
  },
  importPostings: {
    tag: TAG,
    summary: "Import postings",
    description:
      "Stores and analyzes postings of your own, at most 10,000 a request: one JSON object a line, or CSV with a header. " +
      "A wrong line refuses the request, and all wrong fields of all lines are named. A wrong row of a CSV file is left out " +
      "and explained, but a row of a platform that the search does not have refuses the file. What was stored before a 504 " +
      "stays: the same request with the same Idempotency-Key continues there.",
    parameters: [
      parameter("Id"),
      query("match", "`true`: leave out postings that do not match the keywords.", boolean()),
      ...csvOptions,
      parameter("IdempotencyKey"),
    ],
    body: {
      // Generators that know one content type per body take the last.
      "text/csv": { schema: string("Rows of postings.", BYTES), example: POSTINGS_CSV_EXAMPLE },
      "application/x-ndjson": { schema: string("Lines of NewPosting.", BYTES), example: POSTINGS_NDJSON_EXAMPLE },
    },
    answers: { 200: answer("Stored.", json(ref("PostingsAccepted"))) },
    failures: [404, 504],
  },
});

/** Keys whose values are labels that other schemas list. */
const LABELED: Readonly<Record<string, Schema>> = { sentiments: ref("RealSentiment"), intentions: ref("Intention") };

const DATE = "^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$";
const TIME = "^[0-9]{2}:[0-9]{2}:[0-9]{2}$";

/** A key of a posting in a response. */
function schemaOf(posting: PostingField): Schema {
  const schema = valueOf(posting);
  return posting.required ? schema : nullable(schema);
}

function valueOf({ key, value, description }: PostingField): Schema {
  switch (value) {
    case "text":
      return LABELED[key] ?? string(description);
    case "texts":
      return array(string(), description === undefined ? {} : { description });
    case "platform":
      return ref("Platform");
    case "date":
    case "time":
      return string(description);
    case "count":
      return ref("Count64");
    case "object":
      return ref("MoreInfo");
  }
}

/** A key of a posting in an import, with its limits. */
function newSchemaOf({ value, field, description, required }: PostingField): Schema {
  switch (value) {
    case "text":
      return nullable(string(description, limitsOf(field.parent, field.name)));
    case "texts": {
      const items = string(undefined, itemLimitsOf(field.parent, field.name));
      return nullable(array(items, { ...limitsOf(field.parent, field.name), ...(description ? { description } : {}) }));
    }
    case "platform":
      return ref("Platform");
    case "date":
      return string(description, { pattern: DATE });
    case "time":
      return string(description, { pattern: TIME });
    case "count":
      return ref("NewCount");
    case "object":
      return required ? ref("MoreInfo") : nullable(ref("MoreInfo"));
  }
}

const imported = POSTING_FIELDS.filter((field) => field.imported);

/** Schemas of postings of these platforms; their keys follow from the list in services/posting. */
export function postingSchemas(platforms: readonly string[]): Readonly<Record<string, Schema>> {
  return { ...SCHEMAS, Platform: enumeration(platforms, "A social platform.") };
}

const SCHEMAS: Readonly<Record<string, Schema>> = {
  MoreInfo: { type: "object", additionalProperties: true, description: "Additional information." },
  Count64: string("A whole number; below zero where a platform counts votes against.", { pattern: "^-?[0-9]+$" }),
  NewCount: {
    anyOf: [
      string(undefined, { pattern: "^-?[0-9]{1,18}$" }),
      integer(undefined, { format: "int64" }),
      { type: "null" },
    ],
  },
  Posting: object(Object.fromEntries(POSTING_FIELDS.map((field) => [field.key, schemaOf(field)])), {
    description: "A posting and its analysis; null is what the platform did not say.",
  }),
  PostingPage: page("postings", "Posting"),
  PostingsAccepted: object(
    {
      accepted: integer("Postings stored for the first time."),
      duplicates: integer("Postings that were stored already, or that stand in the body repeatedly."),
      unmatched: integer("With match=true: postings left out because they do not match the keywords."),
      erased: integer("Postings left out because they were erased; absent if there are none."),
      skipped: integer("Of a CSV file: rows left out because they are no postings."),
      skipped_rows: array(ref("SkippedRow"), { description: "The first 1,000 of these rows." }),
    },
    { optional: ["unmatched", "erased", "skipped", "skipped_rows"] },
  ),
  SkippedRow: object({
    row: integer("Its number in the file; the header is row 1."),
    message: string("Why it was left out."),
  }),
  PostingsErased: object({ deleted: integer("Postings that were erased.", { format: "int64" }) }),
  NewPosting: object(
    {
      ...Object.fromEntries(imported.map((field) => [field.key, newSchemaOf(field)])),
      [MEDIA_URLS]: nullable(
        array(string(undefined, limitsOf(MediaSchema, "url")), {
          ...limitsOf(PostingSchema, "media"),
          description: "URLs of pictures, videos and sound, for the dimensions visual and audial.",
        }),
      ),
    },
    {
      optional: [...imported.filter(({ required }) => !required).map(({ key }) => key), MEDIA_URLS],
      description: "A line of a request that brings in postings. Fields that an analysis fills are ignored.",
    },
  ),
};
