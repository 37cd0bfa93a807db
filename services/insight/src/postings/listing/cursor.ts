import { createHash } from "node:crypto";
import { AppError } from "@hourglass/runtime";
import type { PostingRecord } from "../../store/records.js";

/** The place of a posting in the list of its insight. */
export interface ListPosition {
  listedAt: number;
  id: string;
}

const CHECK_CHARACTERS = 11;

/** The cursor of the page after that posting: at most 200 characters, of use for the same insight only. */
export function writeCursor({ insightId, listedAt, id }: Pick<PostingRecord, "insightId" | "listedAt" | "id">): string {
  const place = Buffer.from(JSON.stringify([listedAt, id])).toString("base64url");
  return `${place}.${checkOf(insightId, place)}`;
}

/** Throws AppError `invalid` for a text that `writeCursor` did not write for the insight. */
export function readCursor(insightId: number, cursor: string): ListPosition {
  const [place = "", check, ...rest] = cursor.split(".");
  if (check !== checkOf(insightId, place) || rest.length > 0) throw malformed();
  const [listedAt, id] = JSON.parse(Buffer.from(place, "base64url").toString()) as [number, string];
  return { listedAt, id };
}

/** Finds mistakes only: a forged cursor leads to nothing but postings of the insight that is asked for. */
function checkOf(insightId: number, place: string): string {
  return createHash("sha256").update(`${insightId}:${place}`).digest("base64url").slice(0, CHECK_CHARACTERS);
}

function malformed(): AppError {
  const message = "Give the next_cursor of an earlier answer, or none for the first page.";
  return AppError.invalid([{ field: "cursor", message }]);
}
