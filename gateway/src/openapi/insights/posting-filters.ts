import { PostingFilterSchema } from "@hourglass/proto/insight/v1/insight_service";
import { limitsOf } from "../limits.js";
import { array, ref, string, type Schema } from "../schema.js";

/** A parameter of a query string. */
export function query(name: string, description: string, schema: Schema, more: Schema = {}): Schema {
  return { name, in: "query", description, schema, ...more };
}

/** A day in a query string. */
export function day(name: string, description: string): Schema {
  return query(name, description, string(undefined, { format: "date" }));
}

/** Conditions on postings, without those on days. */
export const POSTING_FILTERS: readonly Schema[] = [
  query("platform", "From these platforms; repeat it, or separate them by commas.", array(ref("Platform"))),
  query("sentiment", "With this label.", ref("RealSentiment")),
  query("intention", "With this label.", ref("Intention")),
  query("language", "In this language, an ISO 639 code.", string(undefined, limitsOf(PostingFilterSchema, "language"))),
  query(
    "q",
    "That match this query, in the language of keywords.",
    string(undefined, limitsOf(PostingFilterSchema, "q")),
  ),
];
