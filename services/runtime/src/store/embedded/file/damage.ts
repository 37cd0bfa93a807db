import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import { AppError } from "../../../errors/app-error.js";
import type { Connection } from "./connection.js";
import { codeOf } from "./failures.js";

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
  return `The database ${file} is damaged: ${reason}. ${remedy} ("Backup and restore" in docs/deploy.md says how).`;
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

const PAGE = 500;
const TABLE = /^c_[a-z0-9_]+$/;

/**
 * Reads the database from end to end: the structure of the file and every record. Returns the damage, if any; throws
 * driver errors. A character that changed into another one is not detected.
 */
export function findDamage(connection: Connection): string | undefined {
  // Read as bytes, here and below: the driver aborts the process on text that is not UTF-8.
  const [found] = connection.get("SELECT CAST(quick_check AS BLOB) FROM pragma_quick_check(1)") ?? [];
  if (String(found) !== "ok") return String(found).replace(/\s+/g, " ");
  const tables = connection.all("SELECT CAST(name AS BLOB) FROM sqlite_master WHERE type = 'table'").map(String);
  for (const table of tables.filter((name) => TABLE.test(name))) {
    const row = findUnreadable(connection, table);
    if (row !== undefined) return `record ${row} of ${table} cannot be read`;
  }
  return undefined;
}

function findUnreadable(connection: Connection, table: string): number | undefined {
  const sql = `SELECT row, CAST(doc AS BLOB), json_valid(doc) FROM ${table} WHERE row > ? ORDER BY row LIMIT ${PAGE}`;
  for (let last = 0; ;) {
    const rows = connection.all(sql, [last]);
    const bad = rows.find(([, doc, isJson]) => isJson !== 1 || !Buffer.isBuffer(doc) || !isUtf8(doc));
    if (bad !== undefined) return Number(bad[0]);
    if (rows.length < PAGE) return undefined;
    last = Number(rows.at(-1)?.[0]);
  }
}
