import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { GIVE_WHOLE_ID, isBlank, isRoundedId, NOTHING_TO_READ, PLATFORM } from "@hourglass/posting";
import type { Author, Counts, CountsSchema, Place, Posting, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import type { FieldViolation, Json } from "@hourglass/runtime";
import { parseLongNumbers, tooMuchJson } from "@hourglass/runtime/json";
import {
  type AuthorDraft,
  type Count,
  type PlaceDraft,
  type PostingDraft,
  toCount,
} from "../platforms/posting-draft.js";
import { OWN_NOTES, type OwnNotes, type PostingRecord } from "../store/records.js";
import { postingKeyOf } from "./merge.js";

export type PostingInit = MessageInitShape<typeof PostingSchema>;

/** The message of a stored posting; its terms are those of its insight. */
export function toPosting(record: PostingRecord, { terms }: { readonly terms: string }): PostingInit {
  const { content, analysis } = record;
  const own: OwnNotes = { ...analysis?.moreInfo, key: postingKeyOf(record) };
  return {
    id: record.id,
    insightSearchId: BigInt(record.insightId),
    platform: PLATFORM.numberOf(record.platform),
    terms,
    postedAt: timestampFromMs(record.postedAt),
    topics: analysis?.topics ?? [],
    visualDetectionAnalyses: analysis?.labels ?? [],
    textPostTaggedUsers: [...(content.taggedUsers ?? [])],
    textPostTags: [...(content.tags ?? [])],
    moreInfoJson: JSON.stringify({ ...content.moreInfo, ...own }),
    media: (content.media ?? []).map((url) => ({ url })),
    ...present({
      socialId: content.socialId,
      socialUrl: content.url,
      sentiments: record.sentiment,
      intentions: record.intention,
      textOfPost: content.text,
      textPostLang: record.language,
      textPostType: content.type,
      place: content.place && toPlace(content.place),
      counts: content.counts && toCounts(content.counts),
      author: content.author && toAuthor(content.author),
    }),
  };
}

function toPlace({ geo, type, fullName, countryCode, countryName, id }: PlaceDraft): NonNullable<PostingInit["place"]> {
  return present({
    geoCoordination: geo,
    placeType: type,
    placeFullName: fullName,
    placeCountryCode: countryCode,
    placeCountryName: countryName,
    placeId: id,
  });
}

function toAuthor({ id, username, type, name }: AuthorDraft): NonNullable<PostingInit["author"]> {
  return present({ authorId: id, authorUsername: username, authorType: type, authorName: name });
}

function toCounts(counts: NonNullable<PostingDraft["counts"]>): MessageInitShape<typeof CountsSchema> {
  const whole = Object.entries(counts).filter(([, count]) => typeof count === "string" || Number.isSafeInteger(count));
  return Object.fromEntries(whole.map(([name, count]) => [countField(name), BigInt(count)]));
}

/**
 * A posting that a caller provides, as a draft. What only an analysis can state is left out. Adds to the violations
 * what the rules of the contract cannot express; `path` names the posting.
 */
export function fromPosting(posting: Posting, path: string, violations: FieldViolation[]): PostingDraft {
  const { postedAt, place, author, counts } = posting;
  const report: Report = (field, message) => {
    violations.push({ field: `${path}.${field}`, message });
  };
  if (isBlank(posting)) report("text_of_post", NOTHING_TO_READ);
  reportRounded("social_id", posting.socialId, report);
  reportRounded("author.author_id", author?.authorId, report);
  reportRounded("place.place_id", place?.placeId, report);
  return {
    postedAt: postedAt === undefined ? 0 : timestampMs(postedAt),
    ...present({
      socialId: filled(posting.socialId),
      url: filled(posting.socialUrl),
      text: posting.textOfPost,
      language: filled(posting.textPostLang),
      type: filled(posting.textPostType),
      taggedUsers: listed(posting.textPostTaggedUsers),
      tags: listed(posting.textPostTags),
      place: place && fromPlace(place),
      author: author && fromAuthor(author),
      counts: counts && fromCounts(counts),
      media: listed(posting.media.map(({ url }) => url)),
      moreInfo: fromMoreInfo(posting.moreInfoJson, report),
    }),
  };
}

type Report = (field: string, message: string) => void;

function reportRounded(field: string, id: string | undefined, report: Report): void {
  if (id !== undefined && isRoundedId(id)) report(field, GIVE_WHOLE_ID);
}

function fromPlace(place: Place): PlaceDraft | undefined {
  return unlessEmpty(
    present({
      geo: filled(place.geoCoordination),
      type: filled(place.placeType),
      fullName: filled(place.placeFullName),
      countryCode: filled(place.placeCountryCode),
      countryName: filled(place.placeCountryName),
      id: filled(place.placeId),
    }),
  );
}

function fromAuthor(author: Author): AuthorDraft | undefined {
  return unlessEmpty(
    present({
      id: filled(author.authorId),
      username: filled(author.authorUsername),
      type: filled(author.authorType),
      name: filled(author.authorName),
    }),
  );
}

function fromCounts(counts: Counts): PostingDraft["counts"] {
  const read: Record<string, Count> = {};
  for (const [field, value] of Object.entries(counts) as [string, unknown][]) {
    if (typeof value === "bigint") read[countName(field)] = toCount(value);
  }
  return unlessEmpty(read);
}

function fromMoreInfo(text: string, report: Report): Record<string, Json> | undefined {
  if (text === "") return undefined;
  const value = parseMoreInfo(text);
  if (value === undefined) report("more_info_json", "Give a JSON object of at most 64 levels.");
  return value && unlessEmpty(value);
}

/** An empty text states nothing; as an id it would make different postings one. */
function filled(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function listed<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

function unlessEmpty<T extends object>(fields: T): T | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields;
}

type JsonObject = Record<string, Json>;

/** Half a surrogate pair can stand in JSON only as an escape. */
const SURROGATE_ESCAPE = /\\ud[89a-f]/i;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const REPLACEMENT = "\uFFFD";
const OWN: ReadonlySet<string> = new Set(OWN_NOTES);

/** More levels than this, stores and writers of JSON cannot hold; the length bounds the values. */
const LIMITS = { parts: Infinity, depth: 64 };

/**
 * The `more_info` of an imported posting: without the product's own notes, of whole characters, and with all digits of its
 * whole numbers. Undefined if the text is no JSON object of a few levels.
 */
function parseMoreInfo(text: string): JsonObject | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const whole = SURROGATE_ESCAPE.test(text) ? wholeObject(value) : value;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !OWN.has(name)));
}

function parse(text: string): Json | undefined {
  if (tooMuchJson(text, LIMITS) !== undefined) return undefined;
  try {
    return parseLongNumbers(text) as Json;
  } catch {
    // The caller names the field; the engine's message would quote its content.
    return undefined;
  }
}

function wholeObject(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([name, entry]) => [wholeText(name), whole(entry)] as const);
  return Object.fromEntries(entries);
}

function whole(value: Json): Json {
  if (typeof value === "string") return wholeText(value);
  if (Array.isArray(value)) return value.map(whole);
  return typeof value === "object" && value !== null ? wholeObject(value) : value;
}

/** Half a surrogate pair becomes the replacement character. */
function wholeText(text: string): string {
  return text.replace(LONE_SURROGATE, REPLACEMENT);
}

const COUNT_NAMES = new Map<string, string>();

/** The field of the `Counts` message for a count: `like_count` is `likeCount`. */
function countField(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The count of a field of the `Counts` message. There are few, so each name is derived once. */
function countName(field: string): string {
  let name = COUNT_NAMES.get(field);
  if (name === undefined) {
    name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    COUNT_NAMES.set(field, name);
  }
  return name;
}

/** The fields that have a value: neither undefined nor null. */
export function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const set: { [K in keyof T]?: NonNullable<T[K]> } = {};
  // Not by entries: an import calls it for each posting and its parts.
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== null) set[key] = value;
  }
  return set;
}
