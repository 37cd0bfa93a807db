import { AppError } from "../errors/app-error.js";

/** The cursor of the page that follows the record with this id, in a list by id. */
export function writeIdCursor(lastId: number): string {
  return Buffer.from(String(lastId)).toString("base64url");
}

/** The id that a cursor was written of. Throws AppError `invalid` for one that was not given out. */
export function readIdCursor(cursor: string): number {
  const id = Number(Buffer.from(cursor, "base64url").toString());
  if (Number.isSafeInteger(id) && id > 0 && writeIdCursor(id) === cursor) return id;
  throw AppError.invalid([
    { field: "cursor", message: "Give the next_cursor of an earlier answer, or none for the first page." },
  ]);
}
