import type { Db } from "mongodb";
import type { Budget } from "../store.js";
import { isIdTaken, unavailable } from "./failures.js";

/** One document per budget. */
export const BUDGETS = "_budgets";
const TRIES = 5;

interface Spent {
  _id: string;
  window: string;
  spent: number;
}

/** Spends units. Each command checks and changes one document atomically, so concurrent callers cannot overspend. */
export async function spendUnits(
  database: Db,
  { name, window, limit }: Budget,
  units: number,
): Promise<number | undefined> {
  const budgets = database.collection<Spent>(BUDGETS);
  const id = { _id: { $eq: name } };
  for (let tries = 0; tries < TRIES; tries += 1) {
    await budgets.updateOne({ ...id, window: { $lt: window } }, { $set: { window, spent: 0 } });
    const affordable = { ...id, spent: { $lte: limit - units } };
    const after = await budgets.findOneAndUpdate(affordable, { $inc: { spent: units } }, { returnDocument: "after" });
    if (after !== null) return after.spent;
    if ((await budgets.findOne(id)) !== null) return undefined;
    await budgets.insertOne({ _id: name, window, spent: 0 }).catch((error: unknown) => {
      if (!isIdTaken(error)) throw error;
    });
  }
  throw unavailable(new Error(`The budget ${name} was made and is not there.`));
}
