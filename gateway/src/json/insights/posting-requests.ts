import type { MessageInitShape } from "@bufbuild/protobuf";
import { PLATFORM } from "@hourglass/posting";
import {
  ErasePostingsRequestSchema,
  type ListPostingsRequestSchema,
  type PostingFilterSchema,
} from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { string, wrong, type ObjectReader, type Read, type Violations } from "@hourglass/runtime/json";
import { accepted } from "../field-errors.js";
import { readSpan, type PageQuery } from "../query.js";

/** The parts of a query string that a list of postings reads. */
export interface PostingsQuery {
  readonly id: bigint;
  readonly page: PageQuery;
  readonly fields: ObjectReader;
  /** All values of `platform`. */
  readonly platforms: readonly string[];
  /** The platforms of this server. */
  readonly known: readonly string[];
}

/** Reads which postings are asked for; adds what is wrong with the shape to the violations. */
export function toListPostingsRequest(
  { id, page, ...conditions }: PostingsQuery,
  violations: Violations,
): MessageInitShape<typeof ListPostingsRequestSchema> {
  const filter = readFilter(conditions, violations);
  return { id, ...page, filter };
}

/** Reads the conditions on postings. */
export function readFilter(
  { fields, platforms, known }: Pick<PostingsQuery, "fields" | "platforms" | "known">,
  violations: Violations,
): MessageInitShape<typeof PostingFilterSchema> {
  const read = PLATFORM.readAmong(known);
  const named = platforms.map((name) => read(name, "platform", violations) ?? Platform.UNSPECIFIED);
  return {
    platforms: [...new Set(named)],
    sentiment: fields.optional("sentiment", label) ?? "",
    intention: fields.optional("intention", label) ?? "",
    language: fields.optional("language", string) ?? "",
    q: fields.optional("q", string) ?? "",
    ...readSpan(fields),
  };
}

/** A filter without a label would be no filter, though one was asked for. */
const label: Read<string> = (value, field, violations) => {
  const text = string(value, field, violations);
  return text === "" ? wrong(violations, field, "Give a label, or leave this out.") : text;
};

/** Reads which postings to erase: one, or all of an author. */
export function toErasePostingsRequest(
  { fields, known }: Pick<PostingsQuery, "fields" | "known">,
  violations: Violations,
): MessageInitShape<typeof ErasePostingsRequestSchema> {
  const request = {
    platform: fields.required("platform", PLATFORM.readAmong(known)) ?? Platform.UNSPECIFIED,
    socialId: fields.optional("social_id", string) ?? "",
    authorId: fields.optional("author_id", string) ?? "",
  };
  return accepted(ErasePostingsRequestSchema, request, violations);
}
