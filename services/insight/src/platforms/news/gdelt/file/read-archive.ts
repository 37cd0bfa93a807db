import type { PostingDraft } from "../../../posting-draft.js";
import { readRow } from "./gkg-row.js";
import { linesOf } from "./lines.js";
import { toPosting } from "./to-posting.js";
import { unzipped } from "./unzip.js";

/** A file has about 15 MB. */
const BYTES_MAX = 256 * 1024 * 1024;
/** A row has about 10 kB. */
const LINE_BYTES_MAX = 1024 * 1024;
/** A file has about 2,000 rows. */
const POSTINGS_MAX = 10_000;

/** The articles of a file. */
export interface ReadArchive {
  /** Newest last, as in the file; each address once. */
  readonly postings: readonly PostingDraft[];
  /** Rows that could not be read, and those beyond the limit. */
  readonly skipped: number;
}

/** Reads a file of GKG row by row, so that its postings and one row at a time are in memory. Throws BadArchive. */
export async function readArchive(archive: Buffer): Promise<ReadArchive> {
  const postings = new Map<string, PostingDraft>();
  let skipped = 0;
  for await (const line of linesOf(unzipped(archive, BYTES_MAX), LINE_BYTES_MAX)) {
    if (typeof line === "string" && line.trim() === "") continue;
    const row = typeof line === "string" ? readRow(line) : undefined;
    const posting = row === undefined ? undefined : toPosting(row);
    const { socialId = "" } = posting ?? {};
    if (posting === undefined || (postings.size >= POSTINGS_MAX && !postings.has(socialId))) skipped += 1;
    else postings.set(socialId, posting);
  }
  return { postings: [...postings.values()], skipped };
}
