import type { Db } from "mongodb";

/** Set if the database server was started for this run and is removed with it. */
export const TEMPORARY = "TEST_MONGODB_TEMPORARY";

/**
 * Removes a database that a test created. On a server that is removed after the run the database is kept: SecantusDB
 * 0.7 hangs permanently when a database is dropped in which a killed process has left a transaction open.
 */
export async function dropDatabase(database: Db): Promise<void> {
  if (process.env[TEMPORARY] === undefined) await database.dropDatabase();
}
