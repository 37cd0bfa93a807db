import { hash } from "node:crypto";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import type { FieldViolation } from "@hourglass/runtime";
import { GIVE_OWN_ID } from "../ids.js";
import type { ImportRow } from "./row.js";

/** So many rows are remembered, since a file may have any number. */
const REMEMBERED_MAX = 200_000;

/**
 * Passes rows on, but for a posting whose id (without one: whose URL) an earlier row has with another text or time: that
 * row is wrong, since one of the two would overwrite the other.
 */
export async function* refusingClashes(rows: AsyncIterable<ImportRow>): AsyncGenerator<ImportRow, void, undefined> {
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
  if (socialUrl !== undefined && socialUrl !== "") return { field: "social_url", key: `${platform}  ${socialUrl}` };
  return undefined;
}

/** Of what the copies of one posting have in common. */
function digestOf({ postedAt, textOfPost = "" }: Posting): string {
  return hash("sha256", `${postedAt?.seconds} ${textOfPost}`, "base64url").slice(0, 22);
}
