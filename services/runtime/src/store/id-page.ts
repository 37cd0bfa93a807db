import { readIdCursor, writeIdCursor } from "./id-cursor.js";
import type { Collection, Document, Filter } from "./store.js";

/** Records of a page if the caller does not say how many. */
export const PAGE_LIMIT_DEFAULT = 50;

export interface IdPageRequest {
  limit: number | undefined;
  /** Empty for the first page. */
  cursor: string;
}

export interface IdPage<T> {
  records: T[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** One page of the matching documents, highest id first. Throws AppError `invalid` for a malformed cursor. */
export async function readIdPage<T extends Document & { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { limit = PAGE_LIMIT_DEFAULT, cursor }: IdPageRequest,
): Promise<IdPage<T>> {
  const before = cursor === "" ? {} : { id: { lt: readIdCursor(cursor) } };
  const found = await collection.find({ ...filter, ...before }, { sort: [["id", -1]], limit: limit + 1 });
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return { records, nextCursor: found.length > limit && last !== undefined ? writeIdCursor(last.id) : "" };
}
