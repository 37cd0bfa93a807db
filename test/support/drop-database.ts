import type { Db } from "mongodb";

/** Set where the database server of the run was started for it and goes with it. */
export const TEMPORARY = "TEST_MONGODB_TEMPORARY";

/**
 * Removes a database that a test has made. On a server that goes with the run it is left there: SecantusDB 0.7 stands
 * still for good when a database is dropped in which a process that was killed has left a transaction open.
 */
export async function dropDatabase(database: Db): Promise<void> {
  if (process.env[TEMPORARY] === undefined) await database.dropDatabase();
}
