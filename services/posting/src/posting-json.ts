import { create, type DescField } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import {
  AuthorSchema,
  CountsSchema,
  PlaceSchema,
  PostingSchema,
  type Posting,
} from "@hourglass/proto/insight/v1/posting";
import { findViolations } from "@hourglass/runtime";
import { GIVE, momentOf, toDate, type Moment, type Violations } from "@hourglass/runtime/json";
import {
  POSTING_FIELDS,
  type PostingField,
  type PostingJson,
  type PostingJsonValue,
  type PostingValue,
} from "./columns.js";
import { object, spelling, string, strings, wrong, type ObjectReader, type Read } from "./json-reader.js";
import { PLATFORM, platformOf } from "./platform.js";

/** Imports only: URLs of pictures, videos and sound, which are no key of the posting object. */
export const MEDIA_URLS = "media_urls";

/** Longer lists are not examined. */
export const ITEMS_MAX = 1000;

/** Fields of a posting that hold messages, by the type of the message. */
const SUBMESSAGES = new Map<string, "place" | "counts" | "author">([
  [PlaceSchema.typeName, "place"],
  [CountsSchema.typeName, "counts"],
  [AuthorSchema.typeName, "author"],
]);

/** The field of a posting whose message has the given field; undefined if the posting itself has it. */
function submessageOf({ parent }: DescField): "place" | "counts" | "author" | undefined {
  return SUBMESSAGES.get(parent.typeName);
}

/** Writers by kind of value; the fields of the contract have the type that the kind implies. */
const WRITERS: Readonly<Record<PostingValue, (value: unknown) => PostingJsonValue>> = {
  text: String,
  texts: (value) => ((value as string[]).length === 0 ? null : (value as string[])),
  platform: (value) => PLATFORM.of(value as Platform),
  date: (value) => toPostDate(toDate(value as Timestamp)),
  time: (value) => toPostTime(toDate(value as Timestamp)),
  count: String,
  object: (value) => (value === "" ? null : (JSON.parse(value as string) as Readonly<Record<string, unknown>>)),
};

const GETTERS = POSTING_FIELDS.map((field) => [field.key, getterOf(field)] as const);

/** The posting object of a posting. */
export function toPostingJson(posting: Posting): PostingJson {
  const json: Record<string, PostingJsonValue> = {};
  for (const [key, get] of GETTERS) json[key] = get(posting);
  return json;
}

function getterOf({ field, value, index }: PostingField): (posting: Posting) => PostingJsonValue {
  const submessage = submessageOf(field);
  const name = field.localName;
  const write = WRITERS[value];
  return (posting) => {
    const message: object | undefined = submessage === undefined ? posting : posting[submessage];
    const whole = (message as Record<string, unknown> | undefined)?.[name];
    const found = index === undefined ? whole : (whole as readonly string[])[index];
    return found === undefined ? null : write(found);
  };
}

/** `M/D/YYYY`, in UTC. */
export function toPostDate(date: Date): string {
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
}

/** `HH:MM:SS`, in UTC. */
export function toPostTime(date: Date): string {
  return date.toISOString().slice(11, 19);
}

/**
 * Reads a posting object that is imported, and checks it by the rules of the contract. Keys that the search and the
 * analysis fill are ignored; an empty string, like null, counts as absent.
 */
export const readPosting: Read<Posting> = (value, path, violations) =>
  readWith(anyPlatformDraft, value, path, violations);

/** Reads a posting object like `readPosting`, of one of these platforms. */
export function postingReader(platforms: readonly Platform[]): Read<Posting> {
  const read = draftReader(platformOf(platforms));
  return (value, path, violations) => readWith(read, value, path, violations);
}

function readWith(readDraft: Read<Draft>, ...[value, path, violations]: Parameters<Read<Posting>>): Posting | null {
  const found: Violations = [];
  const draft = readDraft(value, path, found);
  if (draft === null) {
    violations.push(...found);
    return null;
  }
  const posting = create(PostingSchema, draft);
  const prefix = path === "" ? "" : `${path}.`;
  for (const { field, message } of findViolations(PostingSchema, posting)) {
    const jsonPath = prefix + toJsonPath(field);
    // A value of the wrong shape is missing from the draft, which the rules would report a second time.
    const isReported = field === "posted_at" || found.some((other) => other.field === jsonPath);
    if (!isReported) found.push({ field: jsonPath, message });
  }
  violations.push(...found);
  return found.length === 0 ? posting : null;
}

interface Draft {
  platform: Platform;
  postedAt?: Moment;
  place?: Record<string, string>;
  author?: Record<string, string>;
  counts?: Record<string, bigint>;
  media: { url: string }[];
}

function draftReader(readPlatform: Read<Platform>): Read<Draft> {
  return object((fields) => {
    const postedAt = readMoment(fields);
    const draft: Draft = {
      platform: fields.required("platform", readPlatform) ?? Platform.UNSPECIFIED,
      ...(postedAt === undefined ? {} : { postedAt }),
      media: (fields.optional(MEDIA_URLS, readMedia) ?? []).map((url) => ({ url })),
    };
    for (const [field, read] of FIELD_READERS) {
      const value = fields.optional(field.key, read);
      if (value !== undefined) put(draft, field, value);
    }
    return draft;
  });
}

const anyPlatformDraft = draftReader(spelling(PLATFORM));

function put(draft: Draft, { field }: PostingField, value: unknown): void {
  const submessage = submessageOf(field);
  const message = (submessage === undefined ? draft : (draft[submessage] ??= {})) as Record<string, unknown>;
  message[field.localName] = value;
}

function readMoment(fields: ObjectReader): Moment | undefined {
  const date = fields.required("post_date", postDate);
  const time = fields.required("post_time", postTime);
  return date === undefined || time === undefined ? undefined : momentOf(date, time);
}

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

const texts = strings(ITEMS_MAX);

/** The interface uses strings for counts; numbers are accepted too. Some platforms count votes against. */
const count: Read<bigint> = (value, path, violations) => {
  const digits = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof digits !== "string" || !/^-?\d{1,19}$/.test(digits)) {
    return wrong(violations, path, "Give a whole number, as a string or a number.");
  }
  const number = BigInt(digits);
  if (BigInt.asIntN(64, number) === number) return number;
  return wrong(violations, path, "Give a whole number of 64 bits: from -9223372036854775808 to 9223372036854775807.");
};

const jsonObject: Read<string> = (value, path, violations) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : wrong(violations, path, GIVE.object);

/** The keys that hold an id which a platform gave. */
const ID_KEYS: readonly string[] = ["social_id", "author_id", "place_id"];

/** Whole numbers are unambiguous as well: beyond 2^53 they arrive as strings with all their digits. */
const idText: Read<string> = (value, path, violations) => {
  const text = string(Number.isSafeInteger(value) ? String(value) : value, path, violations);
  return text !== null && isRoundedId(text) ? wrong(violations, path, GIVE_WHOLE_ID) : text;
};

/** How spreadsheets and data frames write a long number whose last digits they have lost. */
const ROUNDED = /^\s*[+-]?\d(?:[.,]\d+)?E\+\d{2,3}\s*$/i;

/** Whether an id is a long number that a program has rounded, such as `1.23457E+18`: many ids look alike then. */
export function isRoundedId(id: string): boolean {
  return ROUNDED.test(id);
}

/** What to do about a rounded id. */
export const GIVE_WHOLE_ID =
  "Give all digits of the id: a spreadsheet has rounded it, as it does with long numbers. Import the column there as text.";

/** Readers by kind of value. Times are read together, since either half alone is no moment. */
const READERS: Readonly<Partial<Record<PostingValue, Read<unknown>>>> = {
  text: string,
  texts,
  count,
  object: jsonObject,
};

/** The imported fields that are read one by one, with their readers. */
const FIELD_READERS = POSTING_FIELDS.flatMap((field) => {
  const read = field.imported ? (ID_KEYS.includes(field.key) ? idText : READERS[field.value]) : undefined;
  return read === undefined ? [] : [[field, unlessEmpty(read)] as const];
});

const readMedia = unlessEmpty(texts);

/** An empty string counts as absent for fields of every type: some tools write it for what they do not know. */
function unlessEmpty<T>(read: Read<T>): Read<T> {
  return (value, path, violations) => (value === "" ? null : read(value, path, violations));
}

const SUBMESSAGE = /^(?:place|counts|author)\./;
const MEDIUM = /^media\[(\d+)\]\.url$/;

/** Keys of fields that the contract and JSON name differently, by the name of the contract. */
const RENAMED = new Map(
  POSTING_FIELDS.filter(({ key, field, index }) => index === undefined && key !== field.name)
    .reverse() // of several keys of one field, the first
    .map(({ key, field }) => [field.name, key]),
);

/** Rewrites the path of a field of a posting from the contract to JSON: `counts.like_count` is `like_count`. */
function toJsonPath(path: string): string {
  const name = path.replace(SUBMESSAGE, "").replace(MEDIUM, "media_urls[$1]");
  return RENAMED.get(name) ?? name.replace(/^media\b/, "media_urls");
}
