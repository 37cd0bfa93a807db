import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { AppError } from "../../errors/app-error.js";
import type { CollectionUsage, StoreUsage } from "../contents.js";
import { collectionOf } from "./sql.js";
import { codeOf, numberOf, SqliteConnection } from "./sqlite-connection.js";

/** A text in the database that the store cannot have written. */
export class UnreadableRecord extends Error {}

/** Whether a failure shows that the file is damaged, so that a retry cannot help. */
export function isDamage(error: unknown): boolean {
  if (error instanceof UnreadableRecord) return true;
  const code = codeOf(error);
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB")) return true;
  // JSON in our statements is always valid, so the malformed one is stored.
  return code === "SQLITE_ERROR" && error instanceof Error && error.message.includes("malformed JSON");
}

/** Message for the operator: the file, its damage, and what to do. */
export function damageLine(file: string, reason: string): string {
  const remedy = `Stop all servers, move the folder ${dirname(file)} away, and restore the newest backup to its place`;
  return `The database ${file} is damaged: ${reason}. ${remedy} (docs/backup.md says how).`;
}

/** The failure of a start or a command on a damaged database. */
export function damaged(file: string, error: unknown): AppError {
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError("unavailable", damageLine(file, reason), { cause: error });
}

/** The failure of a call to a server with a damaged database; the log tells the operator the reason. */
export function storeDamaged(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    "The data store cannot be read. It is there again once its operator has restored it.",
    {
      cause,
    },
  );
}

/** Rows read at a time. */
const PAGE = 500;

/**
 * Reads the database from end to end: the structure of the file and every record. Returns the damage, if any; throws
 * driver errors. A character that changed into another one is not detected.
 */
export function findDamage(connection: SqliteConnection): string | undefined {
  // Read as bytes, here and below: the driver aborts the process on text that is not UTF-8.
  const [found] = connection.get("SELECT CAST(quick_check AS BLOB) FROM pragma_quick_check(1)") ?? [];
  if (String(found) !== "ok") return String(found).replace(/\s+/g, " ");
  const tables = connection.all("SELECT CAST(name AS BLOB) FROM sqlite_master WHERE type = 'table'").map(String);
  for (const table of tables.filter((name) => collectionOf(name) !== undefined)) {
    const row = findUnreadable(connection, table);
    if (row !== undefined) return `record ${row} of ${table} cannot be read`;
  }
  return undefined;
}

function findUnreadable(connection: SqliteConnection, table: string): number | undefined {
  const sql = `SELECT row, CAST(doc AS BLOB), json_valid(doc) FROM ${table} WHERE row > ? ORDER BY row LIMIT ${PAGE}`;
  for (let last = 0; ;) {
    const rows = connection.all(sql, [last]);
    const bad = rows.find(([, doc, isJson]) => isJson !== 1 || !Buffer.isBuffer(doc) || !isUtf8(doc));
    if (bad !== undefined) return Number(bad[0]);
    if (rows.length < PAGE) return undefined;
    last = Number(rows.at(-1)?.[0]);
  }
}

/** How long a statement waits for other connections, in milliseconds. */
const BUSY_MS = 5000;

/** Reads a database from end to end, even while servers use it; returns its damage. Throws if the check fails. */
export function checkFile(file: string): string | undefined {
  const connection = new SqliteConnection(file, BUSY_MS);
  try {
    return findDamage(connection);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    connection.close();
  }
}

/** A check that runs in the background. */
export interface BackgroundCheck {
  /** Resolves with the damage of the database, if any. Rejects if the check fails. */
  readonly found: Promise<string | undefined>;
  stop(): Promise<void>;
}

/** Like checkFile, in a separate thread, which ends with the process. */
export function checkInBackground(file: string): BackgroundCheck {
  const { worker, result } = inspectInBackground<string | undefined>({ file, task: "check" });
  return { found: result, stop: async () => void (await worker.terminate()) };
}

/** Rows of a table are in its leaves. Read as bytes: the driver aborts the process on text that is not UTF-8. */
const BY_TABLE = `
  SELECT CAST(s.tbl_name AS BLOB), sum(d.pgsize), sum(CASE WHEN s.type = 'table' AND d.pagetype = 'leaf' THEN d.ncell END)
  FROM dbstat AS d JOIN sqlite_master AS s ON s.name = d.name GROUP BY s.tbl_name ORDER BY s.tbl_name`;

/** Measures a database, even while servers use it: reads all of it. */
export function measureFile(file: string): StoreUsage {
  const connection = new SqliteConnection(file, BUSY_MS);
  try {
    const collections = connection.all(BY_TABLE).flatMap(([table, bytes, rows]): CollectionUsage[] => {
      const name = collectionOf(String(table));
      return name === undefined ? [] : [{ name, documents: Number(rows ?? 0), bytes: Number(bytes) }];
    });
    const totalBytes = sizeWithLog(file);
    const freeBytes = numberOf(connection, "freelist_count") * numberOf(connection, "page_size");
    return { collections, totalBytes, freeBytes };
  } finally {
    connection.close();
  }
}

/** Bytes of a database and its log. */
export function sizeWithLog(file: string): number {
  const sizes = [file, `${file}-wal`].map((name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Like measureFile, in a separate thread, which ends with the process. */
export function measureInBackground(file: string): Promise<StoreUsage> {
  return inspectInBackground<StoreUsage>({ file, task: "measure" }).result;
}

/** What the worker thread is to do. */
export interface Inspection {
  file: string;
  task: "check" | "measure";
}

const WORKER = new URL("./inspection-worker.js", import.meta.url);

function inspectInBackground<R>(inspection: Inspection): { worker: Worker; result: Promise<R> } {
  const worker = new Worker(WORKER, { workerData: inspection });
  worker.unref();
  const result = new Promise<R>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The inspection of the database was ended.")));
  });
  return { worker, result };
}
