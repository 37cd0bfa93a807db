import { DEFAULT_PRESET, PRESETS } from "@hourglass/posting";
import { ErasePostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { POSTING_PLACES } from "../../paths/insight-paths.js";
import { POSTINGS_CSV_EXAMPLE, POSTINGS_NDJSON_EXAMPLE } from "./insight-examples.js";
import { limitsOf } from "../limits.js";
import { day, POSTING_FILTERS, query } from "./posting-filters.js";
import { answer, describePlaces, json, parameter, type RouteDoc } from "../route.js";
import { boolean, ref, string } from "../schema.js";

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
    summary: "List analysed postings",
    description: "Newest first by time of posting. A page may be short: continue until next_cursor is null.",
    parameters: [parameter("Id"), parameter("Limit"), parameter("Cursor"), ...filters],
    answers: { 200: answer("A page.", json(ref("PostingPage"))) },
    failures: [400, 404],
  },
  importPostings: {
    tag: TAG,
    summary: "Import postings",
    description:
      "Stores and analyses postings of your own, at most 10,000 a request: one JSON object a line, or CSV with a header. " +
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
