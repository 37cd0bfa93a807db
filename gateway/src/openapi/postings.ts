import { COUNTS } from "../json/posting.js";
import { PLATFORM } from "../json/spelling.js";
import { array, enumeration, integer, nullable, object, page, ref, string, type Schema } from "./schema.js";

const text = nullable(string());
const texts = (description?: string) => nullable(array(string(), description === undefined ? {} : { description }));

function named(names: readonly string[], schema: Schema): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

const topics = Array.from({ length: 8 }, (_, index) => `topic_${index + 1}`);
const place = [
  "geo_coordination",
  "place_type",
  "place_full_name",
  "place_country_code",
  "place_country_name",
  "place_id",
];
const author = ["author_id", "author_username", "author_type", "author_name"];
const aboutText = {
  text_post_lang: text,
  text_post_type: text,
  text_post_tagged_users: texts(),
  text_post_tags: texts(),
  ...named(place, text),
};
const moreInfo = nullable(ref("MoreInfo"));
const count = string(undefined, { pattern: "^[0-9]+$" });

/** Schemas of postings. */
export const POSTING_SCHEMAS: Readonly<Record<string, Schema>> = {
  MoreInfo: { type: "object", additionalProperties: true, description: "Additional information." },
  NewCount: { anyOf: [count, integer(undefined, { format: "int64", minimum: 0 }), { type: "null" }] },
  Platform: enumeration(PLATFORM.names, "A social platform."),
  Posting: object(
    {
      insight_search_id: string("Id of the insight it belongs to."),
      social_id: text,
      social_url: text,
      platform: ref("Platform"),
      sentiments: nullable(ref("RealSentiment")),
      intentions: nullable(ref("Intention")),
      ...named(topics, text),
      visual_detection_analyses: texts("Labels of detected faces, objects, activities and logos."),
      text_of_post: text,
      terms: string("Subject terms of the insight, comma-separated."),
      post_date: string("M/D/YYYY, in UTC."),
      post_time: string("HH:MM:SS, in UTC."),
      ...aboutText,
      ...named(COUNTS, nullable(count)),
      ...named(author, text),
      more_info: moreInfo,
    },
    { description: "A posting and its analysis; null is what the platform did not say." },
  ),
  PostingPage: page("postings", "Posting"),
  PostingsAccepted: object({
    accepted: integer("Postings that are new."),
    duplicates: integer("Postings that were there already."),
  }),
  NewPosting: object(
    {
      platform: ref("Platform"),
      post_date: string("M/D/YYYY, in UTC.", { pattern: "^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$" }),
      post_time: string("HH:MM:SS, in UTC.", { pattern: "^[0-9]{2}:[0-9]{2}:[0-9]{2}$" }),
      social_id: text,
      social_url: text,
      text_of_post: text,
      terms: text,
      ...aboutText,
      ...named(COUNTS, ref("NewCount")),
      ...named(author, text),
      more_info: moreInfo,
    },
    {
      optional: [
        "social_id",
        "social_url",
        "text_of_post",
        "terms",
        ...Object.keys(aboutText),
        ...COUNTS,
        ...author,
        "more_info",
      ],
      description: "A line of a request that brings in postings. Fields that an analysis fills are ignored.",
    },
  ),
};
