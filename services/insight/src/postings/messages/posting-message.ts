import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { CountsSchema, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { PLATFORM } from "@hourglass/posting";
import type { PlaceDraft, PostingDraft, AuthorDraft } from "../../platforms/posting-draft.js";
import type { InsightRecord, PostingRecord } from "../../store/records.js";
import { countField } from "./count-field.js";
import { present } from "./present.js";

export type PostingInit = MessageInitShape<typeof PostingSchema>;

/** The message of a stored posting; its terms are those of its insight. */
export function toPosting(record: PostingRecord, { terms }: Pick<InsightRecord, "terms">): PostingInit {
  const { content, analysis } = record;
  const moreInfo = { ...content.moreInfo, ...analysis?.moreInfo };
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
    moreInfoJson: Object.keys(moreInfo).length === 0 ? "" : JSON.stringify(moreInfo),
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
