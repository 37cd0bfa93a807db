import type { Row } from "./connection.js";

/** The value of a pragma of a database that is a number, such as `page_count`. */
export function numberOf(database: { get(sql: string): Row | undefined }, pragma: string): number {
  return Number(database.get(`PRAGMA ${pragma}`)?.[0] ?? 0);
}
