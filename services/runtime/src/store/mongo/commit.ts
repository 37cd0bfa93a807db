import type { ClientSession, Db } from "mongodb";
import { failpoint } from "../../process/failpoint.js";
import { StepFailed } from "../step-failed.js";
import type { Committed, Step } from "../steps.js";
import type { Document } from "../store.js";
import { MongoDocuments } from "./collection.js";
import { isTaken } from "./failures.js";
import type { MongoGate } from "./gate.js";
import { performStep } from "./step.js";

/** Number of attempts if another transaction takes a value after this one found it free. */
const TAKEN_TRIES = 5;

/** Passed after each step, and so between two steps or, at the last one, before the transaction is committed. */
const STEP_FAILPOINT = "store.commit_step";
const COMMITTED_FAILPOINT = "store.after_commit";

/** Runs the steps in one transaction. Throws TypeError for a collection of another store. */
export async function commitSteps<const S extends readonly Step[]>(gate: MongoGate, steps: S): Promise<Committed<S>> {
  const targets = steps.map(({ collection }) => targetOf(gate, collection));
  if (steps.length === 0) return { done: true, results: [] } as unknown as Committed<S>;
  const work = async (database: Db, session: ClientSession): Promise<unknown[]> => {
    const results: unknown[] = [];
    for (const [index, { action }] of steps.entries()) {
      const target = targets[index];
      if (target === undefined) continue;
      const { fits, result } = await performStep({ target, database, session }, action);
      if (!fits) throw new StepFailed(index);
      results.push(result);
      failpoint(STEP_FAILPOINT);
    }
    return results;
  };
  for (let left = TAKEN_TRIES; ; left -= 1) {
    try {
      const results = await gate.transaction(work);
      failpoint(COMMITTED_FAILPOINT);
      return { done: true, results } as unknown as Committed<S>;
    } catch (error) {
      if (error instanceof StepFailed) return { done: false, failedStep: error.step };
      const mayPass = steps.some(({ action }) => action.kind === "insertNew" || action.kind === "put");
      if (left <= 1 || !mayPass || !(error instanceof Error) || !isTaken(error.cause)) throw error;
    }
  }
}

function targetOf(gate: MongoGate, collection: object): MongoDocuments<Document> {
  if (collection instanceof MongoDocuments && collection.isIn(gate)) return collection as MongoDocuments<Document>;
  throw new TypeError("A step names a collection of another store.");
}
