import { MEDIA_URLS, POSTED_AT, POSTING_FIELDS, type PostingField } from "@hourglass/posting";
import { MediaSchema, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import * as z from "zod";
import { labelOf } from "./analyses.js";
import { Platform } from "./platforms.js";
import * as s from "./schema.js";

/** Keys whose values are labels that other schemas list. */
const LABELED: Readonly<Record<string, z.ZodType>> = {
  sentiments: labelOf("sentiment-real"),
  intentions: labelOf("intention"),
};

const MoreInfo = z.record(z.string(), z.unknown()).meta({
  id: "MoreInfo",
  additionalProperties: true,
  description:
    "Additional information. This server writes `key`, which names the posting within its insight, and what the words of an " +
    "analyzed posting are: `sentiment_simple`, by which summaries count polarities; `emotion`, the likeliest one also where " +
    "`sentiments` is null for lack of evidence; `intention_prob`; `spam`.",
  examples: [
    {
      key: "news-Ck3bVY0z0PqhG8mS0S5n2w",
      sentiment_simple: { value: "neutral", prob: 0.9601 },
      emotion: { value: "eagerness", prob: 0.2785 },
      intention_prob: 0.8868,
      spam: { value: "ham", prob: 0.9997 },
    },
  ],
});

const Count = z.string().meta({
  id: "Count64",
  description: "A whole number; below zero where a platform counts votes against.",
  pattern: "^-?[0-9]+$",
});

const NewCount = z
  .union([
    z.string().meta({ pattern: "^-?[0-9]{1,18}$" }),
    z.number().meta({ type: "integer", format: "int64" }),
    z.null(),
  ])
  .meta({ id: "NewCount" });

const PATTERNS = { date: "^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$", time: "^[0-9]{2}:[0-9]{2}:[0-9]{2}$" };

/** The value of a key of a posting, in an import if `isNew`. */
function valueOf({ key, value, description }: PostingField, isNew = false): s.Property {
  switch (value) {
    case "text":
      return LABELED[key] ?? s.text(description);
    case "texts":
      return s.list(s.text(), description === undefined ? {} : { description });
    case "platform":
      return Platform;
    case "date":
    case "time":
      return s.text(description, isNew ? { pattern: PATTERNS[value] } : {});
    case "count":
      return isNew ? NewCount : Count;
    case "object":
      return MoreInfo;
  }
}

/** A posting; its keys follow from the list in services/posting, which writes it, too. */
export const Posting = s.object(
  "Posting",
  Object.fromEntries(
    POSTING_FIELDS.map((field) => [field.key, field.required ? valueOf(field) : s.nullable(valueOf(field))]),
  ),
  "A posting and its analysis; null is what the platform did not say.",
);

const mediaUrls = s.list(s.text(undefined, s.limitsOf(s.fieldOf(MediaSchema, "url")).own), {
  ...s.limitsOf(s.fieldOf(PostingSchema, "media")).own,
  description: "URLs of pictures, videos and sound, for the dimensions visual and audial.",
});

/** A line of an import, as services/posting reads it. */
export const NewPosting = s.object(
  "NewPosting",
  {
    ...Object.fromEntries(
      POSTING_FIELDS.filter(({ imported }) => imported).map((field) => [field.key, newValueOf(field)]),
    ),
    [POSTED_AT]: s.nullish(s.text("Date and time as one, which also replaces post_date and post_time.")),
    [MEDIA_URLS]: s.nullish(mediaUrls),
  },
  "A line of a request that brings in postings. Fields that an analysis fills are ignored, and unknown ones are refused.",
);

/** With the limits of its field; a count may be null by itself. */
function newValueOf(posting: PostingField): s.Property {
  const value = valueOf(posting, true);
  const property = posting.value === "count" ? s.optional(value) : posting.required ? value : s.nullish(value);
  return typeof property === "function" ? property(s.limitsOf(posting.field)) : property;
}
