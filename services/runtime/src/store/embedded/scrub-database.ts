import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "./file/failures.js";
import type { EmbeddedDatabase } from "./database.js";
import { isDirty, type PageLayout, readLayout, readPage, scrubFreePages, scrubPage } from "./file/scrub.js";

/** Pages overwritten in one transaction. */
const PAGES_AT_ONCE = 64;
/** Pages read before others have their turn. */
const READ_AT_ONCE = 256;

/**
 * Overwrites in the file what deleted records have left, and empties the log. Servers may be running. AppError
 * `unavailable` if the file cannot be written. Of a file of more than 64 GiB only the log is emptied.
 */
export async function scrubDatabase(database: EmbeddedDatabase): Promise<void> {
  const layout = await database.write((connection) => readLayout(connection));
  if (layout !== undefined) await scrubPages(database, layout);
  await emptyLog(database);
}

async function scrubPages(database: EmbeddedDatabase, layout: PageLayout): Promise<void> {
  await scrubFree(database, layout);
  for (let first = 1; first <= layout.count; first += READ_AT_ONCE) {
    await scrubDirty(database, dirtyPages(database, first, layout), layout);
    await nextTurn();
  }
}

async function scrubFree(database: EmbeddedDatabase, layout: PageLayout): Promise<void> {
  for (let trunk = 0; ;) {
    trunk = await database.write((connection) => scrubFreePages(connection, trunk, layout));
    if (trunk === 0) return;
  }
}

/** Read without a lock: nearly all pages are clean. */
function dirtyPages(database: EmbeddedDatabase, first: number, layout: PageLayout): number[] {
  const last = Math.min(first + READ_AT_ONCE - 1, layout.count);
  const dirty: number[] = [];
  for (let number = first; number <= last; number++) {
    const page = database.read((connection) => readPage(connection, number));
    if (page !== undefined && isDirty(page, number, layout)) dirty.push(number);
  }
  return dirty;
}

async function scrubDirty(database: EmbeddedDatabase, dirty: readonly number[], layout: PageLayout): Promise<void> {
  for (let from = 0; from < dirty.length; from += PAGES_AT_ONCE) {
    const numbers = dirty.slice(from, from + PAGES_AT_ONCE);
    await database.write((connection) => {
      for (const number of numbers) scrubPage(connection, number, layout);
    });
  }
}

const TRIES_MAX = 100;
const TRY_AGAIN_MS = 50;

/** Moves the log into the file and truncates it; waits for readers of other processes, for some seconds. */
export async function emptyLog(database: EmbeddedDatabase): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const [busy] = database.get("PRAGMA wal_checkpoint(TRUNCATE)") ?? [];
    if (busy === 0) return;
    await sleep(TRY_AGAIN_MS);
  }
  throw unavailable(new Error("The log of the database cannot be emptied: another process reads it for long."));
}
