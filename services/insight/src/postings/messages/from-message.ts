import { timestampMs } from "@bufbuild/protobuf/wkt";
import { GIVE_WHOLE_ID, isRoundedId } from "@hourglass/posting";
import { type Author, type Counts, type Place, type Posting } from "@hourglass/proto/insight/v1/posting";
import type { FieldViolation, Json } from "@hourglass/runtime";
import {
  toCount,
  type AuthorDraft,
  type Count,
  type PlaceDraft,
  type PostingDraft,
} from "../../platforms/posting-draft.js";
import { countName } from "./count-field.js";
import { parseMoreInfo } from "./more-info.js";
import { present } from "./present.js";

/**
 * A posting that a caller provides, as a draft. What only an analysis can state is left out. Adds to the violations
 * what the rules of the contract cannot express; `path` names the posting.
 */
export function fromPosting(posting: Posting, path: string, violations: FieldViolation[]): PostingDraft {
  const { postedAt, place, author, counts } = posting;
  const report: Report = (field, message) => {
    violations.push({ field: `${path}.${field}`, message });
  };
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
