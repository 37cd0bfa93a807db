import type { Budget } from "./store.js";

/** Throws RangeError for units or a limit that are not whole numbers from 0 on. */
export function mustBeSpendable({ limit }: Budget, units: number): void {
  for (const amount of [limit, units]) {
    if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`Not a number of units: ${amount}`);
  }
}
