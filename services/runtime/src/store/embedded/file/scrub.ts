import type { Connection } from "./connection.js";

/** Kinds of b-tree pages, by their first byte, with the bytes of their headers. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
/** The header of the database, in front of the one of the first page. */
const FILE_HEADER_BYTES = 100;
/** Further pages have numbers whose first byte may be taken for the kind of a page. */
const PAGES_MAX = 2 ** 24;

/** What the pages of a database have in common. */
export interface PageLayout {
  /** Number of pages. */
  count: number;
  /** Bytes of a page that SQLite uses. */
  usable: number;
  /** Whether some pages map others, for automatic vacuums. */
  mapped: boolean;
}

/** Reads the layout; undefined for files of more than 2^24 pages, 64 GiB. */
export function readLayout(connection: Connection): PageLayout | undefined {
  const [count] = connection.get("PRAGMA page_count") ?? [];
  const header = readPage(connection, 1);
  if (header === undefined || Number(count) > PAGES_MAX) return undefined;
  const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return { count: Number(count), usable: size - header.readUInt8(20), mapped: header.readUInt32BE(52) !== 0 };
}

export function readPage(connection: Connection, number: number): Buffer | undefined {
  const data = connection.get("SELECT data FROM sqlite_dbpage WHERE pgno = ?", [number])?.[0];
  return Buffer.isBuffer(data) ? data : undefined;
}

/** Overwrites what is left in the unused parts of a page. Inside a transaction of the caller. */
export function scrubPage(connection: Connection, number: number, layout: PageLayout): void {
  const page = readPage(connection, number);
  if (page === undefined || !isDirty(page, number, layout)) return;
  for (const { from, to } of unusedParts(page, number, layout)) page.fill(0, from, to);
  writePage(connection, number, page);
}

/** Whether deleted content may be left in the unused parts of a page. */
export function isDirty(page: Buffer, number: number, layout: PageLayout): boolean {
  return unusedParts(page, number, layout).some(({ from, to }) => !isClear(page, from, to));
}

/**
 * Overwrites a trunk of the list of free pages, and the free pages that it names. Returns the number of the next trunk, 0
 * at the end of the list. Inside a transaction of the caller; with 0, it begins with the first trunk.
 */
export function scrubFreePages(connection: Connection, trunk: number, { usable, count }: PageLayout): number {
  const number = trunk === 0 ? (readPage(connection, 1)?.readUInt32BE(32) ?? 0) : trunk;
  const page = number === 0 || number > count ? undefined : readPage(connection, number);
  if (page === undefined) return 0;
  const leaves = Math.min(page.readUInt32BE(4), usable / 4 - 2);
  for (let leaf = 0; leaf < leaves; leaf++) {
    const free = page.readUInt32BE(8 + 4 * leaf);
    const content = readPage(connection, free);
    if (content !== undefined && !isClear(content, 0, content.length)) {
      writePage(connection, free, Buffer.alloc(content.length));
    }
  }
  if (!isClear(page, 8 + 4 * leaves, usable)) writePage(connection, number, page.fill(0, 8 + 4 * leaves, usable));
  return page.readUInt32BE(0);
}

function writePage(connection: Connection, number: number, page: Buffer): void {
  connection.run("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", [page, number]);
}

/** A part of a page; `to` is exclusive. */
interface Part {
  from: number;
  to: number;
}

/**
 * SQLite overwrites a record when it deletes it, but not the copies that stay where records moved to another page: between
 * the pointers to the records of a page and the records, and in the blocks that are free among these. Empty for pages of
 * other kinds.
 */
function unusedParts(page: Buffer, number: number, { usable, mapped }: PageLayout): Part[] {
  const start = number === 1 ? FILE_HEADER_BYTES : 0;
  const headerBytes = HEADER_BYTES[page.readUInt8(start)];
  if (headerBytes === undefined || (mapped && isMap(number, usable))) return [];
  const cells = page.readUInt16BE(start + 3);
  const content = page.readUInt16BE(start + 5) || 65_536;
  const pointers = start + headerBytes;
  const gap = { from: pointers + 2 * cells, to: content };
  if (gap.from > content || content > usable) return [];
  for (let at = pointers; at < gap.from; at += 2) {
    const cell = page.readUInt16BE(at);
    if (cell < content || cell >= usable) return [];
  }
  const blocks = freeBlocks(page, page.readUInt16BE(start + 1), { content, usable });
  return blocks === undefined ? [] : [gap, ...blocks];
}

/** The free blocks of a page, without their headers; undefined if this is no page with blocks. */
function freeBlocks(
  page: Buffer,
  first: number,
  { content, usable }: { content: number; usable: number },
): Part[] | undefined {
  const blocks: Part[] = [];
  for (let at = first, after = content; at !== 0;) {
    if (at < after || at + 4 > usable) return undefined;
    const [next, size] = [page.readUInt16BE(at), page.readUInt16BE(at + 2)];
    if (size < 4 || at + size > usable) return undefined;
    blocks.push({ from: at + 4, to: at + size });
    after = at + size;
    at = next;
  }
  return blocks;
}

/** Pages that map others come first in each group: one entry of five bytes per page. */
function isMap(number: number, usable: number): boolean {
  return number >= 2 && (number - 2) % (Math.floor(usable / 5) + 1) === 0;
}

const ZEROS = Buffer.alloc(65_536);

function isClear(page: Buffer, from: number, to: number): boolean {
  return page.subarray(from, to).equals(ZEROS.subarray(0, to - from));
}
