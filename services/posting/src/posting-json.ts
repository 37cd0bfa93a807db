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
import { findViolations, nearest } from "@hourglass/runtime";
import { GIVE, toDate, type Moment, type Violations } from "@hourglass/runtime/json";
import { countryCodeOf, languageCodeOf } from "./codes.js";
import {
  POSTED_AT,
  POSTING_FIELDS,
  type PostingField,
  type PostingJson,
  type PostingJsonValue,
  type PostingValue,
} from "./columns.js";
import { readTime, type StatedMoment } from "./dates.js";
import { FileDates, type DateSource } from "./file-dates.js";
import { ImportNotes } from "./import-notes.js";
import { object, spelling, string, strings, wrong, type ObjectReader, type Read } from "./json-reader.js";
import { ITEMS_MAX } from "./limits.js";
import { toList } from "./lists.js";
import { isMissingNumber } from "./missing.js";
import { PLATFORM, platformOf } from "./platform.js";

/** Imports only: URLs of pictures, videos and sound, which are no key of the posting object. */
export const MEDIA_URLS = "media_urls";

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
  return write(posting);
}

/** The posting object of a posting, with its moment as the last key. */
export function toExportedJson(posting: Posting): PostingJson {
  const json = write(posting);
  if (posting.postedAt === undefined) throw new Error("A posting has no time.");
  json[POSTED_AT] = toPostedAt(toDate(posting.postedAt));
  return json;
}

function write(posting: Posting): Record<string, PostingJsonValue> {
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

/** RFC 3339 in UTC, to the second: always of the same length. */
function toPostedAt(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** How the postings of one import are read. */
export interface PostingReading {
  /** Default: all. */
  readonly platforms?: readonly Platform[] | undefined;
  readonly notes: ImportNotes;
  readonly dates: FileDates;
  /** Of a table: how the columns of times are to be read, which need not have the forms of the posting object. */
  readonly columns?: { readonly postedAt: DateSource; readonly postDate: DateSource };
}

/**
 * Returns a reader of posting objects that are imported, which checks them by the rules of the contract. Keys that the
 * search and the analysis fill are ignored, other unknown ones are wrong; an empty string, like null, counts as absent.
 */
export function postingReader(reading: PostingReading): Read<Posting> {
  const read = draftReader(reading);
  return (value, path, violations) => readWith(read, value, path, violations);
}

/** Reads one posting object that is imported. */
export const readPosting: Read<Posting> = (value, path, violations) => {
  const notes = new ImportNotes();
  return postingReader({ notes, dates: new FileDates(notes) })(value, path, violations);
};

function readWith(readDraft: Read<Draft>, ...[value, path, violations]: Parameters<Read<Posting>>): Posting | null {
  const found: Violations = [];
  const prefix = path === "" ? "" : `${path}.`;
  refuseUnknown(value, prefix, found);
  const draft = readDraft(value, path, found);
  if (draft === null) {
    violations.push(...found);
    return null;
  }
  const posting = create(PostingSchema, draft);
  for (const { field, message } of findViolations(PostingSchema, posting)) {
    const jsonPath = prefix + toJsonPath(field);
    // A value of the wrong shape is missing from the draft, which the rules would report a second time.
    const isReported = field === "posted_at" || found.some((other) => other.field === jsonPath);
    if (!isReported) found.push({ field: jsonPath, message });
  }
  violations.push(...found);
  return found.length === 0 ? posting : null;
}

const KNOWN: ReadonlySet<string> = new Set([...POSTING_FIELDS.map(({ key }) => key), POSTED_AT, MEDIA_URLS]);
const MEANT = [...POSTING_FIELDS.filter(({ imported }) => imported).map(({ key }) => key), POSTED_AT, MEDIA_URLS];
/** So many unknown fields of an object are named: it may have thousands. */
const UNKNOWN_MAX = 20;
const NAME_CHARACTERS_MAX = 60;

/** What is not read would be lost without a word. */
function refuseUnknown(value: unknown, prefix: string, violations: Violations): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  let unknown = 0;
  for (const name of Object.keys(value)) {
    if (KNOWN.has(name) || ++unknown > UNKNOWN_MAX) continue;
    const meant = nearest(name, MEANT);
    const message = `There is no such field. ${meant === undefined ? MORE_INFO : `Did you mean ${meant}?`}`;
    violations.push({ field: prefix + name.slice(0, NAME_CHARACTERS_MAX), message });
  }
}

const MORE_INFO = "Put what has no field of its own into more_info.";

/** What postings without text and media are left out for. */
export const NOTHING_TO_READ = "Give a text, or media_urls: there is nothing to analyze.";

/** Whether a posting has neither a text nor media. */
export function isBlank({ textOfPost = "", media }: Pick<Posting, "textOfPost" | "media">): boolean {
  return media.length === 0 && textOfPost.trim() === "";
}

interface Draft {
  platform: Platform;
  postedAt?: Moment;
  place?: Record<string, string>;
  author?: Record<string, string>;
  counts?: Record<string, bigint>;
  media: { url: string }[];
}

function draftReader(reading: PostingReading): Read<Draft> {
  const { platforms, notes } = reading;
  const readPlatform = platforms === undefined ? spelling(PLATFORM) : platformOf(platforms);
  const readers = fieldReaders(notes);
  return object((fields) => {
    const postedAt = readMoment(fields, reading);
    const draft: Draft = {
      platform: fields.required("platform", readPlatform) ?? Platform.UNSPECIFIED,
      ...(postedAt === undefined ? {} : { postedAt }),
      media: (fields.optional(MEDIA_URLS, readMedia) ?? []).map((url) => ({ url })),
    };
    for (const [field, read] of readers) {
      const value = fields.optional(field.key, read);
      if (value !== undefined) put(draft, field, value);
    }
    return draft;
  });
}

function put(draft: Draft, { field }: PostingField, value: unknown): void {
  const submessage = submessageOf(field);
  const message = (submessage === undefined ? draft : (draft[submessage] ??= {})) as Record<string, unknown>;
  message[field.localName] = value;
}

/** The moment of `posted_at`, or of `post_date` and `post_time`; both together must say the same. */
function readMoment(fields: ObjectReader, reading: PostingReading): Moment | undefined {
  const { dates, columns } = reading;
  const whole = fields.optional(POSTED_AT, (value, path, violations) => {
    const text = typeof value === "number" ? String(value) : string(value, path, violations);
    const stated = text === null ? undefined : dates.read(text, columns?.postedAt);
    if (stated === undefined) return null;
    return "remedy" in stated ? wrong(violations, path, stated.remedy) : momentAt(dates.toUtc(stated));
  });
  if (fields.has(POSTED_AT) && !fields.has("post_date") && !fields.has("post_time")) return whole;
  const day = fields.required("post_date", dayReader(reading));
  const time = fields.required("post_time", columns === undefined ? postTime : columnTime);
  if (day === undefined || time === undefined) return undefined;
  const moment = momentAt(dates.toUtc({ ...day, local: day.local + time }));
  const isOther = whole !== undefined && whole.seconds !== moment.seconds;
  if (isOther) fields.refuse(POSTED_AT, "Give the moment of post_date and post_time, or leave them out.");
  return moment;
}

function dayReader({ dates, columns }: PostingReading): Read<StatedMoment> {
  return (value, path, violations) => {
    const text = typeof value === "string" ? value : "";
    const isInForm = columns !== undefined || dates.format !== undefined || DATE.test(text);
    const stated = isInForm ? dates.read(text, columns?.postDate ?? MONTH_FIRST) : { remedy: GIVE_DATE };
    if (!("remedy" in stated)) return stated;
    return wrong(violations, path, columns === undefined ? GIVE_DATE : stated.remedy);
  };
}

/** To the second, as postings are shown. */
function momentAt(ms: number): Moment {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: 0 };
}

const MONTH_FIRST: DateSource = { isMonthFirst: true };
const DATE = /^\d{1,2}\/\d{1,2}\/\d{4}$/;
const GIVE_DATE = "Give a date such as 1/31/2026.";
const GIVE_TIME = "Give a time such as 23:59:59.";

/** In milliseconds since midnight. */
const postTime: Read<number> = (value, path, violations) => {
  const isInForm = typeof value === "string" && /^\d\d:\d\d:\d\d$/.test(value) && !value.endsWith(":60");
  const time = isInForm ? readTime(value) : undefined;
  return time ?? wrong(violations, path, GIVE_TIME);
};

const columnTime: Read<number> = (value, path, violations) =>
  (typeof value === "string" ? readTime(value) : undefined) ?? wrong(violations, path, GIVE_TIME);

const texts = strings(ITEMS_MAX);

/** A list, also as one text that holds it; signs before its items, which are no part of them, are dropped. */
function list(sign: RegExp): Read<string[]> {
  return (value, path, violations) => {
    const read = texts(typeof value === "string" ? toList(value) : value, path, violations);
    return read?.flatMap((item) => (sign.test(item) ? item.replace(sign, "") || [] : item)) ?? null;
  };
}

const readTags = list(/^\s*[#＃]+\s*/);
const readNames = list(/^\s*[@＠]+\s*/);

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
const READERS: Readonly<Partial<Record<PostingValue, Read<unknown>>>> = { text: string, object: jsonObject };

/** The imported fields that are read one by one, with their readers. */
function fieldReaders(notes: ImportNotes): (readonly [PostingField, Read<unknown>])[] {
  const special: Readonly<Record<string, Read<unknown>>> = {
    ...Object.fromEntries(ID_KEYS.map((key) => [key, idText])),
    text_post_tags: readTags,
    text_post_tagged_users: readNames,
    text_post_lang: codeReader("text_post_lang", languageCodeOf, notes),
    place_country_code: codeReader("place_country_code", countryCodeOf, notes),
  };
  return POSTING_FIELDS.flatMap((field) => {
    const usual = field.value === "count" ? countReader(field.key, notes) : READERS[field.value];
    const read = field.imported ? (special[field.key] ?? usual) : undefined;
    return read === undefined ? [] : [[field, unlessEmpty(read)] as const];
  });
}

/** A code in the spelling of its standard; what is none counts as missing. */
function codeReader(key: string, codeOf: (text: string) => string | undefined, notes: ImportNotes): Read<string> {
  return (value, path, violations) => {
    const text = string(value, path, violations);
    const code = text === null ? undefined : codeOf(text);
    if (text !== null && code !== text) notes.readAs(key, text, code);
    return code ?? null;
  };
}

function countReader(key: string, notes: ImportNotes): Read<bigint> {
  return (value, path, violations) => {
    if (typeof value !== "string" || !isMissingNumber(value)) return count(value, path, violations);
    notes.readAs(key, value.trim(), undefined);
    return null;
  };
}

const readMedia = unlessEmpty<string[]>((value, path, violations) =>
  texts(typeof value === "string" ? toList(value) : value, path, violations),
);

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
