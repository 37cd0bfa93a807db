import { MEDIA_URLS, POSTING_FIELDS, type PostingField } from "@hourglass/posting";
import { MediaSchema, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { itemLimitsOf, limitsOf } from "../limits.js";
import { array, enumeration, integer, nullable, object, page, ref, string, type Schema } from "../schema.js";

/** Keys whose values are labels that other schemas list. */
const LABELLED: Readonly<Record<string, Schema>> = { sentiments: ref("RealSentiment"), intentions: ref("Intention") };

const DATE = "^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$";
const TIME = "^[0-9]{2}:[0-9]{2}:[0-9]{2}$";

/** A key of a posting in a response. */
function schemaOf(posting: PostingField): Schema {
  const schema = valueOf(posting);
  return posting.required ? schema : nullable(schema);
}

function valueOf({ key, value, description }: PostingField): Schema {
  switch (value) {
    case "text":
      return LABELLED[key] ?? string(description);
    case "texts":
      return array(string(), description === undefined ? {} : { description });
    case "platform":
      return ref("Platform");
    case "date":
    case "time":
      return string(description);
    case "count":
      return ref("Count64");
    case "object":
      return ref("MoreInfo");
  }
}

/** A key of a posting in an import, with its limits. */
function newSchemaOf({ value, field, description, required }: PostingField): Schema {
  switch (value) {
    case "text":
      return nullable(string(description, limitsOf(field.parent, field.name)));
    case "texts": {
      const items = string(undefined, itemLimitsOf(field.parent, field.name));
      return nullable(array(items, { ...limitsOf(field.parent, field.name), ...(description ? { description } : {}) }));
    }
    case "platform":
      return ref("Platform");
    case "date":
      return string(description, { pattern: DATE });
    case "time":
      return string(description, { pattern: TIME });
    case "count":
      return ref("NewCount");
    case "object":
      return required ? ref("MoreInfo") : nullable(ref("MoreInfo"));
  }
}

const imported = POSTING_FIELDS.filter((field) => field.imported);

/** Schemas of postings of these platforms; their keys follow from the list in services/posting. */
export function postingSchemas(platforms: readonly string[]): Readonly<Record<string, Schema>> {
  return { ...SCHEMAS, Platform: enumeration(platforms, "A social platform.") };
}

const SCHEMAS: Readonly<Record<string, Schema>> = {
  MoreInfo: { type: "object", additionalProperties: true, description: "Additional information." },
  Count64: string("A whole number; below zero where a platform counts votes against.", { pattern: "^-?[0-9]+$" }),
  NewCount: {
    anyOf: [
      string(undefined, { pattern: "^-?[0-9]{1,18}$" }),
      integer(undefined, { format: "int64" }),
      { type: "null" },
    ],
  },
  Posting: object(Object.fromEntries(POSTING_FIELDS.map((field) => [field.key, schemaOf(field)])), {
    description: "A posting and its analysis; null is what the platform did not say.",
  }),
  PostingPage: page("postings", "Posting"),
  PostingsAccepted: object(
    {
      accepted: integer("Postings stored for the first time."),
      duplicates: integer("Postings that were stored already, or that stand in the body repeatedly."),
      unmatched: integer("With match=true: postings left out because they do not match the keywords."),
      erased: integer("Postings left out because they were erased; absent if there are none."),
      skipped: integer("Of a CSV file: rows left out because they are no postings."),
      skipped_rows: array(ref("SkippedRow"), { description: "The first 1,000 of these rows." }),
    },
    { optional: ["unmatched", "erased", "skipped", "skipped_rows"] },
  ),
  SkippedRow: object({
    row: integer("Its number in the file; the header is row 1."),
    message: string("Why it was left out."),
  }),
  PostingsErased: object({ deleted: integer("Postings that were erased.", { format: "int64" }) }),
  NewPosting: object(
    {
      ...Object.fromEntries(imported.map((field) => [field.key, newSchemaOf(field)])),
      [MEDIA_URLS]: nullable(
        array(string(undefined, limitsOf(MediaSchema, "url")), {
          ...limitsOf(PostingSchema, "media"),
          description: "URLs of pictures, videos and sound, for the dimensions visual and audial.",
        }),
      ),
    },
    {
      optional: [...imported.filter(({ required }) => !required).map(({ key }) => key), MEDIA_URLS],
      description: "A line of a request that brings in postings. Fields that an analysis fills are ignored.",
    },
  ),
};
