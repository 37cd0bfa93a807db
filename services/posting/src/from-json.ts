import { create } from "@bufbuild/protobuf";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema, type Posting } from "@hourglass/proto/insight/v1/posting";
import { findViolations } from "@hourglass/runtime";
import {
  list,
  momentOf,
  object,
  string,
  wrong,
  type Moment,
  type ObjectReader,
  type Read,
  type Violations,
} from "@hourglass/runtime/json";
import { POSTING_FIELDS, type PostingField, type PostingValue } from "./fields.js";
import { holderOf } from "./holders.js";
import { GIVE_WHOLE_ID, ID_KEYS, isRoundedId } from "./ids.js";
import { toJsonPath } from "./json-path.js";
import { PLATFORM, platformOf } from "./platform.js";

/** Imports only: URLs of pictures, videos and sound, which are no key of the posting object. */
export const MEDIA_URLS = "media_urls";

/** Longer lists are not examined. */
export const ITEMS_MAX = 1000;

/**
 * Reads a posting object that is imported, and checks it by the rules of the contract. Keys that the search and the
 * analysis fill are ignored; an empty string, like null, counts as absent.
 */
export const readPosting: Read<Posting> = (value, path, violations) => readOf(anyDraft, value, path, violations);

/** Reads a posting object like `readPosting`, of one of these platforms. */
export function postingReader(platforms: readonly Platform[]): Read<Posting> {
  const read = draftReader(platformOf(platforms));
  return (value, path, violations) => readOf(read, value, path, violations);
}

function readOf(readDraft: Read<Draft>, ...[value, path, violations]: Parameters<Read<Posting>>): Posting | null {
  const wrongHere: Violations = [];
  const draft = readDraft(value, path, wrongHere);
  if (draft === null) {
    violations.push(...wrongHere);
    return null;
  }
  const posting = create(PostingSchema, draft);
  const prefix = path === "" ? "" : `${path}.`;
  for (const { field, message } of findViolations(PostingSchema, posting)) {
    const known = prefix + toJsonPath(field);
    // A value of the wrong shape is missing from the draft, which the rules would report a second time.
    const isKnown = field === "posted_at" || wrongHere.some((other) => other.field === known);
    if (!isKnown) wrongHere.push({ field: known, message });
  }
  violations.push(...wrongHere);
  return wrongHere.length === 0 ? posting : null;
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
    for (const [field, read] of READ_ALONE) {
      const value = fields.optional(field.key, read);
      if (value !== undefined) put(draft, field, value);
    }
    return draft;
  });
}

/** An empty string counts as absent for fields of every type: some tools write it for what they do not know. */
function unlessEmpty<T>(read: Read<T>): Read<T> {
  return (value, path, violations) => (value === "" ? null : read(value, path, violations));
}

function put(draft: Draft, { field }: PostingField, value: unknown): void {
  const holder = holderOf(field);
  const message = (holder === undefined ? draft : (draft[holder] ??= {})) as Record<string, unknown>;
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

const texts: Read<string[]> = list(string, { itemsMax: ITEMS_MAX, placeholder: () => "" });

/** Whole numbers are unambiguous as well: beyond 2^53 they arrive as strings with all their digits. */
const idText: Read<string> = (value, path, violations) => {
  const text = string(Number.isSafeInteger(value) ? String(value) : value, path, violations);
  return text !== null && isRoundedId(text) ? wrong(violations, path, GIVE_WHOLE_ID) : text;
};

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
    : wrong(violations, path, "Give an object.");

const readMedia = unlessEmpty(texts);

/** Times are read together, since either half alone is no moment. */
const READERS: Readonly<Partial<Record<PostingValue, Read<unknown>>>> = {
  text: string,
  texts,
  count,
  object: jsonObject,
};

/** The fields that stand alone, with their readers. */
const READ_ALONE = POSTING_FIELDS.flatMap((field) => {
  const read = field.imported ? (ID_KEYS.includes(field.key) ? idText : READERS[field.value]) : undefined;
  return read === undefined ? [] : [[field, unlessEmpty(read)] as const];
});

const anyDraft = draftReader(PLATFORM.read);
