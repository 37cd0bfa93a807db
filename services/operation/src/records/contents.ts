import type { Collection } from "@hourglass/runtime";
import type { ContentKind, ContentPart, ContentValue, OperationRecord } from "./operation.js";

/** An operation within these limits is one document. They are low because lists read whole documents. */
const INLINE_CONTENTS_MAX = 20;
const INLINE_CHARACTERS_MAX = 4096;
/** Explained results take about this many times the space of others. */
const EXPLAINED_SIZE = 4;
/**
 * Limits of a part, which is also the unit of progress and of what the successor of a crashed worker need not repeat.
 */
const PART_CONTENTS_MAX = 100;
const PART_CHARACTERS_MAX = 128 * 1024;

/** Layout of the contents: in the record, or in parts. */
export interface Layout {
  inline: ContentValue[] | null;
  parts: ContentValue[][];
}

/** The properties of an operation that determine its layout. */
interface Extent {
  readonly kind: ContentKind;
  readonly contents: readonly ContentValue[];
  readonly explain: boolean;
}

/** Files per part: few, since each may take minutes and its results much space. */
const PART_FILES_MAX = 4;

/**
 * Determines the layout of the contents. Order is kept; a part holds at least one content. Files are never in the
 * record.
 */
export function layOut({ kind, contents, explain }: Extent): Layout {
  if (kind !== "text") return { inline: null, parts: cut(contents, PART_FILES_MAX) };
  const size = explain ? EXPLAINED_SIZE : 1;
  const characters = contents.reduce<number>((sum, content) => sum + lengthOf(content), 0);
  const small = contents.length * size <= INLINE_CONTENTS_MAX && characters * size <= INLINE_CHARACTERS_MAX;
  return small ? { inline: [...contents], parts: [] } : { inline: null, parts: cut(contents, PART_CONTENTS_MAX) };
}

/** The fields of the record that describe the layout. */
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

/** In UTF-16 code units, which is precise enough for a bound. */
function lengthOf(content: ContentValue): number {
  return typeof content === "string" ? content.length : 8;
}

export function contentPartId(operationId: number, part: number): string {
  return `${operationId}:${part}`;
}

/** Number of parts to process in order; an operation without parts counts as one. */
export function partsOf(record: OperationRecord): number {
  return Math.max(1, record.partCount);
}

/** The contents of one part; undefined if the operation has been deleted in the meantime. */
export async function readPart(
  contentParts: Collection<ContentPart>,
  record: OperationRecord,
  part: number,
): Promise<ContentValue[] | undefined> {
  if (record.contents !== null) return record.contents;
  return (await contentParts.get(contentPartId(record.id, part)))?.contents;
}

/** All contents in order; undefined if the operation has been deleted in the meantime. */
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
