import Database from "libsql";
import { AppError } from "../../errors/app-error.js";
import { storeFull, storeUnavailable } from "../store.js";

/** Values that the driver can bind. It aborts the process on any other value, including booleans. */
export type SqlValue = string | number | bigint | null | Buffer;

/**
 * A result row, columns in the order of the query. The driver reads texts as C strings: they end at the first NUL, and
 * invalid UTF-8 aborts the process. JSON texts contain neither, but values from json_extract may.
 */
export type Row = readonly unknown[];

type Statement = Database.Statement<[readonly SqlValue[]]>;

/** Numbers of writes to a table. */
interface Writes {
  all: number;
  /** Those of which it is not known whose documents they changed. */
  ofAny: number;
  readonly ofCompany: Map<number, number>;
}

/** Bound of the statement cache; far more than the number of different statements of the services. */
const STATEMENTS_MAX = 1000;

/** A connection to a database file, with its prepared statements. Methods are synchronous and throw driver errors. */
export class SqliteConnection {
  readonly #driver: Database.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #writes = new Map<string, Writes>();

  /** Opens or creates the file; waits up to `busyMs` for other connections before a statement fails as busy. */
  constructor(file: string, busyMs: number) {
    this.#driver = new Database(file, { timeout: busyMs });
  }

  get inTransaction(): boolean {
    return this.#driver.inTransaction;
  }

  /** Counts a write to a table, which may be rolled back: to documents of one company, or to any if it is not known. */
  countWrite(table: string, companyId: number | undefined): void {
    const writes = this.#writes.get(table) ?? { all: 0, ofAny: 0, ofCompany: new Map<number, number>() };
    this.#writes.set(table, writes);
    writes.all += 1;
    if (companyId === undefined) writes.ofAny += 1;
    else writes.ofCompany.set(companyId, (writes.ofCompany.get(companyId) ?? 0) + 1);
  }

  /** How often this connection has written to a table, or to what may be documents of that company in it. */
  writesTo(table: string, companyId: number | undefined): number {
    const writes = this.#writes.get(table);
    if (writes === undefined) return 0;
    return companyId === undefined ? writes.all : writes.ofAny + (writes.ofCompany.get(companyId) ?? 0);
  }

  /** First row, or undefined. */
  get(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    try {
      return this.#prepare(sql).get(values) as Row | undefined;
    } catch (error) {
      // The driver does not reset a statement whose get failed; the next get would run with the same values.
      this.#statements.delete(sql);
      throw error;
    }
  }

  all(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.#prepare(sql).all(values) as Row[];
  }

  /** Runs a statement without result rows; returns how many rows it changed. */
  run(sql: string, values: readonly SqlValue[] = []): number {
    return this.#prepare(sql).run(values).changes;
  }

  /** Runs statements without values, rows ignored. */
  exec(sql: string): void {
    this.#driver.exec(sql);
  }

  /** Statements that are not garbage-collected yet keep the file open for a while, without locks. */
  close(): void {
    this.#statements.clear();
    this.#driver.close();
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#driver.prepare<[readonly SqlValue[]]>(sql);
    if (statement.reader) statement.raw();
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The value of a pragma of a database that is a number, such as `page_count`. */
export function numberOf(database: { get(sql: string): Row | undefined }, pragma: string): number {
  return Number(database.get(`PRAGMA ${pragma}`)?.[0] ?? 0);
}

const TAKEN = new Set(["SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_ROWID"]);

/** Result codes of the driver for failures of the file, the disk or a lock, as opposed to errors in our SQL. */
const OUTAGE =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|AUTH|ABORT|INTERRUPT)/;

/** The result code of a driver failure, such as `SQLITE_BUSY`; empty for other failures. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** True if another connection holds the lock, so that a retry can help. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** Maps driver errors to the failures of the ports; other errors, including our own bugs, are returned unchanged. */
export function toStoreFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (TAKEN.has(code)) return new AppError("conflict", "This exists already.", { cause: error });
  if (OUTAGE.test(code)) return unavailable(error);
  return error;
}

/** The store is unavailable; nothing of the affected write is kept, unless only the sync of the log has failed. */
export function unavailable(cause: unknown): AppError {
  if (codeOf(cause).startsWith("SQLITE_FULL")) return storeFull(cause);
  return storeUnavailable(cause);
}
