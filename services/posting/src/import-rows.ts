import { hash } from "node:crypto";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import type { FieldViolation } from "@hourglass/runtime";
import { canonicalUrl } from "./addresses.js";
import { isBlank, NOTHING_TO_READ } from "./posting-json.js";

/** A row of an import: a posting, or what is wrong with it, by the keys of the posting object. */
export type ImportRow = PostingRow | WrongRow;

export interface PostingRow {
  /** Number of the row, from 1: of the line, or of the row in a spreadsheet. */
  readonly row: number;
  readonly posting: Posting;
}

export interface WrongRow {
  readonly row: number;
  readonly violations: readonly FieldViolation[];
  /** Whether nothing is wrong but that it has neither a text nor media: such rows are left out. */
  readonly isBlank?: boolean;
}

/** The row of a posting, which must have something to read. */
export function toRow(row: number, posting: Posting): ImportRow {
  if (!isBlank(posting)) return { row, posting };
  return { row, violations: [{ field: "text_of_post", message: NOTHING_TO_READ }], isBlank: true };
}

/** What to do about postings that share an id and would overwrite each other. */
export const GIVE_OWN_ID =
  "It has another text or time. Give each posting its own id; spreadsheets round long numbers, so import ids there as text.";

/** So many rows are remembered, since a file may have any number. */
const REMEMBERED_MAX = 200_000;

/**
 * Passes rows through, except a posting whose id (without one: whose URL) an earlier row has with another text or time:
 * that row is wrong, since one of the two would overwrite the other.
 */
export async function* refuseConflicts(rows: AsyncIterable<ImportRow>): AsyncGenerator<ImportRow, void, undefined> {
  const known = new Map<string, { readonly row: number; readonly digest: string }>();
  for await (const row of rows) {
    const identity = "posting" in row ? identityOf(row.posting) : undefined;
    if (identity === undefined || !("posting" in row)) {
      yield row;
      continue;
    }
    const { field, key } = identity;
    const digest = digestOf(row.posting);
    const earlier = known.get(key);
    if (earlier !== undefined && earlier.digest !== digest) {
      const violation: FieldViolation = { field, message: `Row ${earlier.row} has the same. ${GIVE_OWN_ID}` };
      yield { row: row.row, violations: [violation] };
      continue;
    }
    known.set(key, earlier ?? { row: row.row, digest });
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED_MAX) break;
      known.delete(oldest);
    }
    yield row;
  }
}

function identityOf({ platform, socialId, socialUrl }: Posting): { field: string; key: string } | undefined {
  if (socialId !== undefined && socialId !== "") return { field: "social_id", key: `${platform} ${socialId}` };
  if (socialUrl !== undefined && socialUrl !== "") {
    return { field: "social_url", key: `${platform}  ${canonicalUrl(socialUrl)}` };
  }
  return undefined;
}

/** Digest of what all copies of one posting have in common. */
function digestOf({ postedAt, textOfPost = "" }: Posting): string {
  return hash("sha256", `${postedAt?.seconds} ${textOfPost}`, "base64url").slice(0, 22);
}
