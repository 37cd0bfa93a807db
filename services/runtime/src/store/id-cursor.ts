import { AppError } from "../errors/app-error.js";

/** The cursor of the page after the record with this id, in a list ordered by id. */
export function writeIdCursor(lastId: number): string {
  return Buffer.from(String(lastId)).toString("base64url");
}

/** The id in a cursor. Throws AppError `invalid` for a malformed cursor. */
export function readIdCursor(cursor: string): number {
  const id = Number(Buffer.from(cursor, "base64url").toString());
  if (Number.isSafeInteger(id) && id > 0 && writeIdCursor(id) === cursor) return id;
  throw AppError.invalid([
    { field: "cursor", message: "Give the next_cursor of an earlier answer, or none for the first page." },
  ]);
}
