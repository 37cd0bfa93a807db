import type { Collection } from "@hourglass/runtime";
import type { CheckedOperation } from "../create/check-request.js";
import type { ContentPart, ContentValue, OperationRecord } from "./operation.js";

/** An operation of at most so much is one document. Kept low because lists read whole documents. */
const INLINE_CONTENTS_MAX = 20;
const INLINE_CHARACTERS_MAX = 4096;
/** Results that are explained take about so many times the room of others. */
const EXPLAINED_SIZE = 4;
/** A part is also the unit of progress, and of what a crashed worker's successor need not do again. */
const PART_CONTENTS_MAX = 100;
const PART_CHARACTERS_MAX = 128 * 1024;

/** How contents are laid down: in the record, or in parts. */
export interface Layout {
  inline: ContentValue[] | null;
  parts: ContentValue[][];
}

/** Files of a part: few, since each may take minutes and its results much room. */
const PART_FILES_MAX = 4;

/** Decides how contents are laid down. Order is kept; a part holds at least one. Files never stand in the record. */
export function layOut({ kind, contents, explain }: Pick<CheckedOperation, "kind" | "contents" | "explain">): Layout {
  if (kind !== "text") return { inline: null, parts: cut(contents, PART_FILES_MAX) };
  const size = explain ? EXPLAINED_SIZE : 1;
  const characters = contents.reduce<number>((sum, content) => sum + lengthOf(content), 0);
  const small = contents.length * size <= INLINE_CONTENTS_MAX && characters * size <= INLINE_CHARACTERS_MAX;
  return small ? { inline: [...contents], parts: [] } : { inline: null, parts: cut(contents, PART_CONTENTS_MAX) };
}

/** What the record says about it. */
export function placeOf({ inline, parts }: Layout): Pick<OperationRecord, "contents" | "partCount"> {
  return { contents: inline, partCount: parts.length };
}

function cut(contents: readonly ContentValue[], contentsMax: number): ContentValue[][] {
  const parts: ContentValue[][] = [];
  let part: ContentValue[] = [];
  let characters = 0;
  for (const content of contents) {
    const length = lengthOf(content);
    const full = part.length >= contentsMax || characters + length > PART_CHARACTERS_MAX;
    if (part.length > 0 && full) {
      parts.push(part);
      part = [];
      characters = 0;
    }
    part.push(content);
    characters += length;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** UTF-16 code units, which is near enough for a bound. */
function lengthOf(content: ContentValue): number {
  return typeof content === "string" ? content.length : 8;
}

export function contentPartId(operationId: number, part: number): string {
  return `${operationId}:${part}`;
}

/** Parts to go through in order; an operation without parts counts as one. */
export function partsOf(record: OperationRecord): number {
  return Math.max(1, record.partCount);
}

/** The contents of one part; nothing when the operation has been deleted meanwhile. */
export async function readPart(
  contentParts: Collection<ContentPart>,
  record: OperationRecord,
  part: number,
): Promise<ContentValue[] | undefined> {
  if (record.contents !== null) return record.contents;
  return (await contentParts.get(contentPartId(record.id, part)))?.contents;
}

/** All contents in order; nothing when the operation has been deleted meanwhile. */
export async function readContents(
  contentParts: Collection<ContentPart>,
  record: OperationRecord,
): Promise<ContentValue[] | undefined> {
  if (record.contents !== null) return record.contents;
  const all: ContentValue[] = [];
  for (let part = 0; part < record.partCount; part++) {
    const contents = await readPart(contentParts, record, part);
    if (contents === undefined) return undefined;
    for (const content of contents) all.push(content);
  }
  return all;
}
