import { AppError } from "@hourglass/runtime";
import { REVISION_END } from "./reply.js";

/** One element of a list of entity tags (RFC 9110, 8.8.3 and 5.6.1), which may be empty, and what ends it. */
const ELEMENT = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(,|$)/y;

/**
 * The revisions that a header If-Match names; none without one, and for `*`: any record will do, and for one that does not
 * exist the answer is 404 anyhow. A tag is compared by what stands before its dot. A weak one names no revision, since
 * If-Match compares strongly. Fails with AppError `invalid` for what is no list of tags.
 */
export function revisionsNamed(header: string | undefined): string[] {
  if (header === undefined || header.trim() === "*") return [];
  const named: string[] = [];
  ELEMENT.lastIndex = 0;
  for (;;) {
    const [, weak = "", tag, end] = ELEMENT.exec(header) ?? [];
    if (tag !== undefined) named.push(weak + (tag.split(REVISION_END, 1)[0] ?? ""));
    if (end === ",") continue;
    if (end === undefined || named.length === 0) throw malformed();
    return named;
  }
}

function malformed(): AppError {
  const message = 'Give the ETag of the record with its double quotes, such as "a1b2c3", or *.';
  return AppError.invalid([{ field: "If-Match", message }]);
}
