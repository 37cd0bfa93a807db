import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { PostingFilterSchema } from "@hourglass/proto/insight/v1/insight_service";
import * as z from "zod";
import { labelOf } from "./analyses.js";
import { readBy } from "./conversion.js";
import { Platform, platformAmong } from "./platforms.js";
import * as s from "./schema.js";

const NONE = "none";
const PolarityFilter = s.enumeration("PolarityFilter", ["positive", "neutral", "negative", NONE]);
const SpamFilter = s.enumeration("SpamFilter", ["true", "false", NONE]);

/** Kinds of a filter of which a posting has one of some values: names, which hold no commas, and texts, which may. */
const NAMES = {
  polarity: ["polarities", PolarityFilter, "With one of these polarities, which are those of sentiment-simple."],
  sentiment: ["sentiments", label("sentiment-real"), "With one of these emotions; `none`: without any."],
  intention: ["intentions", label("intention"), "With one of these intentions."],
  language: [
    "languages",
    s.text(),
    "In one of these languages by their ISO 639-1 codes, in any case; `none`: unknown. Others are refused.",
  ],
  country: [
    "countries",
    s.text(),
    "From one of these countries by their ISO 3166-1 codes, in any case; `none`: unknown. Others are refused.",
  ],
  type: ["types", s.text(), "Of one of these types, such as `post`, `reply` or `repost`."],
  spam: ["spam", SpamFilter, "Whether spam-detection calls them spam; `none`: it did not judge them."],
} as const satisfies Readonly<Record<string, readonly [string, s.Property, string]>>;
const TEXTS = {
  author: ["authors", "By an author with this id, user name or name."],
  topic: ["topics", "With this topic."],
  hashtag: ["hashtags", "With this hashtag, with or without its sign."],
  domain: ["domains", "With an address on this host."],
  label: ["labels", "With this face, object, activity or logo in their media."],
} as const;
const Q = s.optional(s.text("That match this query, in the language of keywords."));

/** The service says which labels there are. */
function label(type: string): s.Property {
  const { id: $ref } = z.globalRegistry.get(labelOf(type)) ?? {};
  return z.string().meta({ anyOf: [{ $ref }, { const: NONE }] });
}

/** Which postings of a search are asked for on a server with these platforms, as parameters without those for time. */
export function filterParameters(platforms: readonly string[]): s.Shape {
  const names = (field: string, item: s.Property, description: string) => {
    const keywords = { description: `${description} Repeat it, or separate them by commas.` };
    // A repetition counts once.
    return s.from(`filter.${field}`, s.optional(s.list(item, { ...keywords, uniqueItems: undefined })));
  };
  const texts = (field: string, description: string) =>
    s.from(
      `filter.${field}`,
      s.optional(s.texts(`${description} Without case; repeat it for further ones. \`none\`: postings without any.`)),
    );
  return {
    platform: names("platforms", platformAmong(platforms), "From these platforms."),
    ...mapped(NAMES, ([field, item, description]) => names(field, item, description)),
    ...mapped(TEXTS, ([field, description]) => texts(field, description)),
    q: s.from("filter.q", Q),
  };
}

function mapped<V, R>(values: Readonly<Record<string, V>>, map: (value: V) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

const MOMENT_NEEDED = "Give a moment such as 2026-01-31T12:00:00Z.";

function moment(description: string): z.ZodType {
  const schema = z.iso.datetime({ offset: true, error: MOMENT_NEEDED }).meta({ description, format: "date-time" });
  return readBy((value) => timestampFromDate(new Date(value as string)), schema);
}

/** The time of posting of a filter, by days or moments. */
export function filterTimes(start: string, end: string): s.Shape {
  return {
    start_date: s.from("filter.start", s.optional(s.day(start))),
    end_date: s.from("filter.end", s.optional(s.day(end))),
    ...filterMoments(),
  };
}

/** The time of posting of a filter, by moments. */
export function filterMoments(): s.Shape {
  return {
    start: s.from("filter.start", s.optional(moment("The same as a moment, which comes before `start_date`."))),
    end: s.from("filter.end", s.optional(moment("The same as a moment, which comes before `end_date`."))),
  };
}

/** The filter of an export in its request, on a server with these platforms. */
export function newExportFilter(platforms: readonly string[]): s.MessageObject<typeof PostingFilterSchema> {
  const list = (item: s.Property, description: string) =>
    s.nullish(s.list(item, { description, uniqueItems: undefined }));
  return s.request(
    PostingFilterSchema,
    {
      platform: s.from("platforms", list(platformAmong(platforms), "From these platforms.")),
      ...mapped(NAMES, ([field, item, description]) => s.from(field, list(item, description))),
      ...mapped(TEXTS, ([field, description]) => s.from(field, list(s.text(), description))),
      q: s.nullish(s.text("That match this query, in the language of keywords.")),
      start: s.nullish(moment("Posted at this moment or later, within the range of days.")),
      end: s.nullish(moment("Posted before this moment, within the range of days.")),
    },
    { id: "NewExportFilter", description: "Which postings of the range are exported: all kinds must be met." },
  );
}

/** The filter of an export as it is shown. */
export const ExportFilter = s.response("ExportFilter", PostingFilterSchema, {
  platform: s.from("platforms", s.optional(s.list(Platform))),
  ...mapped(NAMES, ([field, item]) => s.from(field, s.optional(s.list(item)))),
  ...mapped(TEXTS, ([field]) => s.from(field, s.optional(s.list(s.text())))),
  q: s.optional(s.text()),
  start: s.optional(s.moment("Inclusive.")),
  end: s.optional(s.moment("Exclusive.")),
});
