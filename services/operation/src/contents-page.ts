import { AppError, type IdPageRequest, PAGE_LIMIT_DEFAULT } from "@hourglass/runtime";
import {
  type ContentOutcome,
  type ContentValue,
  isFileOutcome,
  operationNotFound,
  type OperationRecord,
  type OperationRepository,
  partsOf,
  type TextOutcome,
} from "./store.js";

/** Consecutive contents of an operation that is done, and their outcomes. */
export interface ContentsPage {
  /** Index of the first content in the operation. */
  first: number;
  contents: ContentValue[];
  outcomes: ContentOutcome[];
  /** Outcomes of all groups of the operation. */
  groups: TextOutcome[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** Where a page begins: parts hold different numbers of contents, so the place in the parts is named, too. */
interface Place {
  part: number;
  /** Within the part. */
  offset: number;
  /** Within the operation. */
  index: number;
}

const START: Place = { part: 0, offset: 0, index: 0 };

/** When it is worth asking again, in milliseconds. */
const RETRY_AFTER_MS = 1000;

/**
 * One page of the contents of an operation, of which only the parts that it touches are read. Throws AppError
 * `precondition` unless the operation is done, `invalid` for a cursor that was not issued here for this operation, and
 * `not-found` if it has been deleted since its record was read.
 */
export async function readContentsPage(
  repository: OperationRepository,
  record: OperationRecord,
  { limit = PAGE_LIMIT_DEFAULT, cursor }: IdPageRequest,
): Promise<ContentsPage> {
  if (record.status !== "done") throw notDone(record);
  const place = cursor === "" ? START : readCursor(cursor, record);
  const page: ContentsPage = { first: place.index, contents: [], outcomes: [], groups: [], nextCursor: "" };
  let { part, offset } = place;
  for (; part < partsOf(record) && page.contents.length < limit; part += 1, offset = 0) {
    const { contents, outcomes } = await readPart(repository, record, part);
    if (offset >= contents.length) throw badCursor();
    const end = Math.min(contents.length, offset + limit - page.contents.length);
    page.contents.push(...contents.slice(offset, end));
    page.outcomes.push(...outcomes.slice(offset, end));
    offset = end;
    if (end < contents.length) break;
  }
  const index = place.index + page.contents.length;
  if (index < record.contentsCount) page.nextCursor = writeCursor({ part, offset, index }, record);
  page.groups = await readGroups(repository, record);
  return page;
}

async function readPart(
  repository: OperationRepository,
  record: OperationRecord,
  part: number,
): Promise<Pick<ContentsPage, "contents" | "outcomes">> {
  const contents = await repository.readPart(record, part);
  const id = record.resultParts?.[part];
  const outcomes = id === undefined ? record.results?.contents : await repository.readOutcomes(id);
  if (contents === undefined || outcomes === undefined) throw operationNotFound();
  return { contents, outcomes };
}

/** Outcomes of groups follow those of the contents. */
async function readGroups(repository: OperationRepository, record: OperationRecord): Promise<TextOutcome[]> {
  const id = record.resultParts?.[partsOf(record)];
  if (id === undefined) return record.results?.groups ?? [];
  const outcomes = await repository.readOutcomes(id);
  if (outcomes === undefined) throw operationNotFound();
  return outcomes.filter((outcome): outcome is TextOutcome => !isFileOutcome(outcome));
}

function writeCursor({ part, offset, index }: Place, { id }: OperationRecord): string {
  return Buffer.from([id, part, offset, index].join(".")).toString("base64url");
}

function readCursor(cursor: string, record: OperationRecord): Place {
  const [id, part = -1, offset = -1, index = -1] = Buffer.from(cursor, "base64url").toString().split(".").map(Number);
  const place = { part, offset, index };
  const isWhole = [part, offset, index].every((number) => Number.isSafeInteger(number) && number >= 0);
  const isInside = part < partsOf(record) && index < record.contentsCount && offset <= index;
  if (id === record.id && isWhole && isInside && writeCursor(place, record) === cursor) return place;
  throw badCursor();
}

function badCursor(): AppError {
  return AppError.invalid([
    { field: "cursor", message: "Give the next_cursor of an earlier answer, or none for the first page." },
  ]);
}

function notDone({ status, error }: OperationRecord): AppError {
  if (status === "failed" || status === "invalid") {
    const message = error ?? "The operation has no results. Create it again.";
    return new AppError("precondition", message, { code: `operation_${status}` });
  }
  const message = "The operation is not done yet. Try again once its status is done.";
  return new AppError("precondition", message, { code: "operation_not_done", retryAfterMs: RETRY_AFTER_MS });
}
