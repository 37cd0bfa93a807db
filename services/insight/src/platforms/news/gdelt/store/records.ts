import type { GdeltProblem } from "../fetch/gdelt-files.js";
import type { GdeltStream } from "../file/gdelt-stream.js";

/** The files of one kind, fetched once for all searches. Times are milliseconds since the epoch. */
export interface StreamRecord {
  id: GdeltStream;
  /** When GDELT may be asked for new files; a claim moves it ahead by a lease. */
  dueAt: number;
  /** Number of the last file; files are numbered in the order in which they were stored. */
  seq: number;
  /** Time of the newest file that is stored. */
  newest: number | null;
  /** From which time on files are wanted. Null before the first list was read. */
  coversFrom: number | null;
  /** Files up to this time are listed, and some of them not stored yet. Null: none. */
  behindUntil: number | null;
  /** Files that could not be read, and are tried again. */
  retries: { at: number; attempts: number }[];
  /** Spans whose articles are missing for good. */
  holes: { from: number; to: number }[];
  /** The last file that was deleted: its number, and its time. A search whose position is below has missed files. */
  deleted: { seq: number; until: number } | null;
  /** When GDELT was last read without a problem. */
  readAt: number | null;
  /** Failed attempts in sequence. */
  failures: number;
  problem: GdeltProblem | null;
}

/** A file whose postings are stored. */
export interface FileRecord {
  /** The stream and the time of the file. */
  id: string;
  stream: GdeltStream;
  at: number;
  seq: number;
  /** How many postings it has. */
  count: number;
}

/** The postings of a file. */
export interface ContentRecord {
  /** As that of the file. */
  id: string;
  /** Their JSON, packed with gzip, in base64. */
  packed: string;
}
