import Database from "libsql";

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
export class Connection {
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
