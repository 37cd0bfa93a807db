import type { Budget } from "./store.js";

/** Throws RangeError unless units and limit are non-negative integers. */
export function mustBeSpendable({ limit }: Budget, units: number): void {
  for (const amount of [limit, units]) {
    if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`Not a number of units: ${amount}`);
  }
}
