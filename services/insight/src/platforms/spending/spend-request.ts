import { type BudgetPeriod, budgetWindow } from "../port/budget-window.js";
import type { PlatformDeps } from "../port/platform.js";

/** A limit of requests that is not spread over its window, such as requests a minute. */
export interface RequestLimit {
  /** Key of the budget. */
  readonly name: string;
  /** Requests per window. */
  readonly limit: number;
  readonly period: BudgetPeriod;
}

/** Spends one request before it is sent. Throws PlatformError `budget` with the time at which there may be another one. */
export async function spendRequest(
  { spend, now }: Pick<PlatformDeps, "spend" | "now">,
  { name, limit, period }: RequestLimit,
): Promise<void> {
  const { name: window, from, to } = budgetWindow(period, now());
  await spend({ name, window, limit, from }, 1, to);
}
