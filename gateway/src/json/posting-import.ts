import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PostingSchema } from "@hourglass/proto/insight/v1/insight";
import { AddPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { AppError, giveAtMost } from "@hourglass/runtime";
import { accepted } from "./field-errors.js";
import { COUNTS } from "./posting.js";
import { MalformedJson, parseJson } from "./parse.js";
import { list, object, string, wrong, type ObjectReader, type Read, type Violations } from "./reader.js";
import { PLATFORM } from "./spelling.js";
import { momentOf, type Moment } from "./time.js";

const POSTINGS_MAX = 10_000;
const NAMES_MAX = 1000;
/** More violations would only repeat themselves in a response meant to be read. */
const VIOLATIONS_MAX = 1000;

type PostingInit = MessageInitShape<typeof PostingSchema>;

/**
 * Reads the client's own postings, one JSON object per line. Fields that an analysis fills are ignored: these postings
 * are analysed like collected ones.
 */
export function toAddPostingsRequest(
  id: bigint,
  lines: string,
  idempotencyKey: string,
): MessageInitShape<typeof AddPostingsRequestSchema> {
  const violations: Violations = [];
  const given = lines.split("\n").filter((line) => line.trim() !== "");
  const postings = given.length > POSTINGS_MAX ? tooMany(violations) : readLines(given, violations);
  return accepted(AddPostingsRequestSchema, { id, postings, idempotencyKey }, violations);
}

function readLines(lines: readonly string[], violations: Violations): PostingInit[] {
  const postings: PostingInit[] = [];
  for (const [index, line] of lines.entries()) {
    if (violations.length > VIOLATIONS_MAX) throw AppError.invalid(violations);
    postings.push(readLine(line, `postings[${index}]`, violations) ?? {});
  }
  return postings;
}

function readLine(line: string, path: string, violations: Violations): PostingInit | null {
  try {
    return posting(parseJson(line, "This line"), path, violations);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return wrong(violations, path, error.message);
  }
}

function tooMany(violations: Violations): PostingInit[] {
  violations.push({ field: "postings", message: giveAtMost(POSTINGS_MAX, "item") });
  return [];
}

const strings = list(string, { itemsMax: NAMES_MAX, placeholder: () => "" });

const moreInfo: Read<string> = (value, path, violations) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : wrong(violations, path, "Give an object.");

/** The interface uses strings for counts; numbers are accepted too. */
const count: Read<bigint> = (value, path, violations) => {
  const digits = typeof value === "number" ? String(value) : value;
  if (typeof digits === "string" && /^\d{1,15}$/.test(digits)) return BigInt(digits);
  return wrong(violations, path, "Give a whole number as a string.");
};

type Triple = readonly [number, number, number];

const postDate: Read<Triple> = (value, path, violations) => {
  const match = typeof value === "string" ? /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value) : null;
  const date: Triple | undefined = match === null ? undefined : [Number(match[3]), Number(match[1]), Number(match[2])];
  if (date !== undefined && momentOf(date, [0, 0, 0]) !== undefined) return date;
  return wrong(violations, path, "Give a date such as 1/31/2026.");
};

const postTime: Read<Triple> = (value, path, violations) => {
  const match = typeof value === "string" ? /^(\d\d):(\d\d):(\d\d)$/.exec(value) : null;
  const time: Triple | undefined = match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
  if (time !== undefined && momentOf([2000, 1, 1], time) !== undefined) return time;
  return wrong(violations, path, "Give a time such as 23:59:59.");
};

const posting: Read<PostingInit> = object((fields) => ({
  platform: fields.required("platform", PLATFORM.read) ?? 0,
  ...present({
    postedAt: readMoment(fields),
    socialId: fields.optional("social_id", string),
    socialUrl: fields.optional("social_url", string),
    textOfPost: fields.optional("text_of_post", string),
    terms: fields.optional("terms", string),
    textPostLang: fields.optional("text_post_lang", string),
    textPostType: fields.optional("text_post_type", string),
    textPostTaggedUsers: fields.optional("text_post_tagged_users", strings),
    textPostTags: fields.optional("text_post_tags", strings),
    moreInfoJson: fields.optional("more_info", moreInfo),
  }),
  place: present({
    geoCoordination: fields.optional("geo_coordination", string),
    placeType: fields.optional("place_type", string),
    placeFullName: fields.optional("place_full_name", string),
    placeCountryCode: fields.optional("place_country_code", string),
    placeCountryName: fields.optional("place_country_name", string),
    placeId: fields.optional("place_id", string),
  }),
  author: present({
    authorId: fields.optional("author_id", string),
    authorUsername: fields.optional("author_username", string),
    authorType: fields.optional("author_type", string),
    authorName: fields.optional("author_name", string),
  }),
  counts: readCounts(fields),
}));

function readMoment(fields: ObjectReader): Moment | undefined {
  const date = fields.required("post_date", postDate);
  const time = fields.required("post_time", postTime);
  return date === undefined || time === undefined ? undefined : momentOf(date, time);
}

function readCounts(fields: ObjectReader): Record<string, bigint> {
  const counts: Record<string, bigint> = {};
  for (const name of COUNTS) {
    const value = fields.optional(name, count);
    if (value !== undefined) counts[name] = value;
  }
  return counts;
}

/** The fields that are defined; messages do not allow undefined. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
