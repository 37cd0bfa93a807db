import { StepFailed } from "../step-failed.js";
import type { Committed, Step } from "../steps.js";
import { tableOf } from "./collection.js";
import type { Connection } from "./file/connection.js";
import type { EmbeddedDatabase } from "./database.js";

/** Does the steps as one write to the database. Throws TypeError for a collection of another store. */
export async function commitSteps<const S extends readonly Step[]>(
  database: EmbeddedDatabase,
  steps: S,
): Promise<Committed<S>> {
  const performs = steps.map((step) => prepare(database, step));
  try {
    const results = await database.write((connection) =>
      performs.map((perform, index) => {
        const { fits, result } = perform(connection);
        if (!fits) throw new StepFailed(index);
        return result;
      }),
    );
    return { done: true, results } as Committed<S>;
  } catch (error) {
    if (error instanceof StepFailed) return { done: false, failedStep: error.step };
    throw error;
  }
}

type Perform = (connection: Connection) => { fits: boolean; result?: unknown };

/** Serializes the documents now, so that later changes by the caller do not affect the transaction. */
function prepare(database: EmbeddedDatabase, { collection, action }: Step): Perform {
  const table = tableOf(database, collection);
  const always = (work: (connection: Connection) => unknown): Perform => {
    return (connection) => ({ fits: true, result: work(connection) });
  };
  switch (action.kind) {
    case "insert": {
      const rows = action.documents.map((document) => table.rowOf(document));
      return always((connection) => table.insert(connection, rows));
    }
    case "insertNew": {
      const rows = action.documents.map((document) => table.rowOf(document));
      return always((connection) => table.insertNew(connection, rows));
    }
    case "put": {
      const row = table.rowOf(action.document);
      return always((connection) => table.put(connection, row));
    }
    case "update":
      return (connection) => {
        const result = table.update(connection, action, action.options);
        return { fits: result !== undefined, result };
      };
    case "updateEach":
      return always((connection) => action.updates.filter((update) => table.change(connection, update)).length);
    case "check":
      return (connection) => ({ fits: table.fits(connection, action.filter) });
    case "delete":
      return always((connection) => table.delete(connection, action.filter));
  }
}
