import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { AuthorSchema, CountsSchema, PlaceSchema, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { isPlainItem } from "./lists.js";

/** How JSON carries a value: `texts` is an array of strings, `count` a whole number as a string. */
export type PostingValue = "text" | "texts" | "platform" | "date" | "time" | "count" | "object";

/** A key of the posting object of the interface. */
export interface PostingField {
  readonly key: string;
  readonly value: PostingValue;
  /** The field of the contract that holds the value. */
  readonly field: DescField;
  /** Place in a repeated field, if the key is one of its items. */
  readonly index?: number;
  /** Whether imports provide it; the others come from the search and from the analysis. */
  readonly imported: boolean;
  /** Whether it is never null. */
  readonly required: boolean;
  readonly description?: string;
}

type Options = Partial<Omit<PostingField, "key">>;

const TOPICS = [0, 1, 2, 3, 4, 5, 6, 7];

/** Every key of a posting, in the order of the interface. JSON, CSV, imports and their documentation follow from it. */
export const POSTING_FIELDS: readonly PostingField[] = [
  posting("insight_search_id", { imported: false, required: true, description: "Id of the insight it belongs to." }),
  posting("social_id", { description: "Id on its platform." }),
  posting("social_url", { description: "URL on its platform." }),
  posting("platform", { value: "platform", required: true }),
  posting("sentiments", { imported: false }),
  posting("intentions", { imported: false }),
  ...TOPICS.map((index) =>
    posting(`topic_${index + 1}`, { field: of(PostingSchema, "topics"), index, imported: false }),
  ),
  posting("visual_detection_analyses", {
    value: "texts",
    imported: false,
    description: "Labels of detected faces, objects, activities and logos.",
  }),
  posting("text_of_post"),
  posting("terms", {
    imported: false,
    required: true,
    description: "Subject terms of the insight, comma-separated.",
  }),
  posting("post_date", {
    value: "date",
    field: of(PostingSchema, "posted_at"),
    required: true,
    description: "M/D/YYYY, in UTC.",
  }),
  posting("post_time", {
    value: "time",
    field: of(PostingSchema, "posted_at"),
    required: true,
    description: "HH:MM:SS, in UTC.",
  }),
  posting("text_post_lang", { description: "Language of the text." }),
  posting("text_post_type", { description: "Type of the posting." }),
  posting("text_post_tagged_users", { value: "texts", description: "Tagged users." }),
  posting("text_post_tags", { value: "texts", description: "Hashtags." }),
  place("geo_coordination", "Longitude and latitude, such as `-1.5491,53.8008`."),
  place("place_type"),
  place("place_full_name"),
  place("place_country_code"),
  place("place_country_name"),
  place("place_id"),
  count("share_count"),
  count("like_count"),
  count("angry_count"),
  count("laugh_count"),
  count("love_count"),
  count("sad_count"),
  count("support_count"),
  count("wow_count"),
  count("appreciation_count"),
  count("empathy_count"),
  count("interest_count"),
  count("maybe_count"),
  count("praise_count"),
  count("digg_count"),
  count("reaction_total_count"),
  count("video_play_count"),
  count("video_view_count"),
  count("view_count"),
  count("share_with_comment_count"),
  count("comment_count"),
  author("author_id"),
  author("author_username"),
  author("author_type"),
  author("author_name"),
  posting("more_info", { value: "object", field: of(PostingSchema, "more_info_json") }),
];

/** The keys of a posting, in the order of the interface. */
export const POSTING_KEYS: readonly string[] = POSTING_FIELDS.map(({ key }) => key);

/** Imports and exports only: date and time as one value, in exports `2026-01-31T12:00:00Z`. */
export const POSTED_AT = "posted_at";

/** The keys of an exported posting. The JSON of the interface has all but the last. */
export const EXPORTED_KEYS: readonly string[] = [...POSTING_KEYS, POSTED_AT];

function posting(key: string, options: Options = {}): PostingField {
  const field = options.field ?? of(PostingSchema, key);
  return { key, value: "text", imported: true, required: false, ...options, field };
}

function place(key: string, description?: string): PostingField {
  return posting(key, { field: of(PlaceSchema, key), ...(description === undefined ? {} : { description }) });
}

function count(key: string): PostingField {
  return posting(key, { value: "count", field: of(CountsSchema, key) });
}

function author(key: string): PostingField {
  return posting(key, { field: of(AuthorSchema, key) });
}

function of(message: DescMessage, name: string): DescField {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return field;
}

/** A value of the posting object. */
export type PostingJsonValue = string | readonly string[] | Readonly<Record<string, unknown>> | null;

/** The posting object of the interface: every key, null if the value is unavailable. */
export type PostingJson = Readonly<Record<string, PostingJsonValue>>;

/** Keys of the lists that imports read. */
const IMPORTED_LISTS = new Set(
  POSTING_FIELDS.filter(({ imported, value }) => imported && value === "texts").map(({ key }) => key),
);

const COUNTS = new Set(POSTING_FIELDS.filter(({ value }) => value === "count").map(({ key }) => key));

/**
 * The cell of a value in our own CSV: empty for null, lists joined by `, `, safe to open in a spreadsheet. A count stays a
 * number below zero as well, so that spreadsheets add it up.
 */
export function toCsvCell(key: string, value: PostingJsonValue): string {
  if (value === null) return "";
  if (typeof value === "string" && COUNTS.has(key) && /^-?\d+$/.test(value)) return value;
  if (typeof value === "string") return toFormulaSafe(value);
  return toFormulaSafe(isList(value) ? toListCell(key, value) : JSON.stringify(value));
}

function isList(value: Exclude<PostingJsonValue, string | null>): value is readonly string[] {
  return Array.isArray(value);
}

/** An item that an import would split or trim makes the cell a JSON array, which imports read as well. */
function toListCell(key: string, items: readonly string[]): string {
  const isPlain = !IMPORTED_LISTS.has(key) || items.every(isPlainItem);
  return isPlain ? items.join(", ") : JSON.stringify(items);
}

/** White space and invisible characters, before which a formula still begins. */
const UNSEEN = "[\\s\\p{Cc}\\p{Cf}]*";
/** What formulas begin with, in all widths. */
const BEGIN = "[=+\\-@＝＋－＠﹦﹢﹣﹫−]";
/** Also without a formula: spreadsheets drop these. */
const LINE_ENDS = "[\\t\\r\\n]";

/** A cell that a spreadsheet could take for a formula, and what such a cell looks like once it has been made safe. */
const FORMULA = new RegExp(`^'*(?:${LINE_ENDS}|${UNSEEN}${BEGIN})`, "u");
const SAFE = new RegExp(`^'+(?:${LINE_ENDS}|${UNSEEN}${BEGIN})`, "u");

/** The same within a cell: a spreadsheet that divides rows at semicolons takes what follows one for a cell of its own. */
const FORMULA_WITHIN = new RegExp(`;(?='*${UNSEEN}${BEGIN})`, "gu");
const SAFE_WITHIN = new RegExp(`;'(?='*${UNSEEN}${BEGIN})`, "gu");

/**
 * Puts an apostrophe before a cell, and what could become one, that a spreadsheet could take for a formula. What looks as
 * if it had been made safe gets another one, so that `fromFormulaSafe` returns every cell as it was.
 */
function toFormulaSafe(cell: string): string {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return safe.includes(";") ? safe.replace(FORMULA_WITHIN, ";'") : safe;
}

/** Undoes `toFormulaSafe`. */
export function fromFormulaSafe(cell: string): string {
  const whole = SAFE.test(cell) ? cell.slice(1) : cell;
  return whole.includes(";") ? whole.replace(SAFE_WITHIN, ";") : whole;
}
