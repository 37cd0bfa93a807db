import { PAGE_LIMIT_DEFAULT } from "@hourglass/runtime";
import * as z from "zod";
import type { Answer, Content, Endpoint, Media } from "../http/route.js";
import * as s from "./schema.js";

/** Headers of responses that the document describes once. */
const LOCATION = { Location: { $ref: "#/components/headers/Location" } };
export const RETRY_AFTER = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

/** Content that is JSON. */
export function json(schema: z.ZodType, example?: unknown): Content {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

/** Content that is JSON, with several examples, each by a name. */
export function jsonWith(schema: z.ZodType, examples: NonNullable<Media["examples"]>): Content {
  return { "application/json": { schema, examples } };
}

/** Content of a media type that is no JSON. */
export function textOf(type: string, description?: string, keywords: s.Keywords = {}): Content {
  return {
    [type]: { schema: z.string().meta({ ...(description === undefined ? {} : { description }), ...keywords }) },
  };
}

/** A response with the location of the new record. */
export function created(description: string, content: Content): Answer {
  return { description, content, headers: LOCATION };
}

type Described = Pick<Endpoint, "description" | "answers" | "failures">;

/** A page of records. */
export function aPage(content: Content): Described {
  return { description: "Newest first.", answers: { 200: { description: "A page.", content } }, failures: [400] };
}

/** A record by its id. */
export function aRecord(description: string, content: Content): Pick<Described, "answers" | "failures"> {
  return { answers: { 200: { description, content } }, failures: [404] };
}

/** A record that takes time to reach its end, which the caller can wait for. */
export function anAwaitedRecord(description: string, content: Content): Pick<Described, "answers" | "failures"> {
  return { answers: { 200: { description, content, headers: RETRY_AFTER } }, failures: [400, 404, 504] };
}

/** The end of a record. */
export const GONE = { answers: { 204: { description: "It is gone." } }, failures: [404] } as const;

/** A page of a list: its entries, and the cursor of the next page. */
export function pageOf(id: string, entries: string, entry: s.Property): z.ZodType {
  const cursor = s.text("`cursor` of the next page; null on the last one.");
  return s.object(id, { [entries]: s.list(entry), next_cursor: s.nullable(cursor) });
}

/** The cursor of the next page, null on the last one. */
export function fromCursor(cursor: string): string | null {
  return cursor === "" ? null : cursor;
}

/** The parameters of a page; the document describes them once. */
export const PAGE = {
  limit: shared("Limit", s.integer("How many entries at most.", { default: PAGE_LIMIT_DEFAULT })),
  cursor: shared(
    "Cursor",
    s.text("`next_cursor` of the page before; absent for the first page. No other text is one (400)."),
  ),
};

/** The parameter of a read that waits. */
export const WAIT = {
  wait: shared(
    "Wait",
    s.integer("Holds the answer until the record has reached its end, or so many seconds have passed.", { minimum: 0 }),
  ),
};

/** A parameter of several routes, which refer to it by its name. */
function shared(parameter: string, property: s.Property): s.Property {
  return s.withKeywords(s.optional(property), { parameter });
}
