import { type Budget, type Measurements, type Store, WorkScope } from "@hourglass/runtime";
import { paced, type PacedLimit } from "../platforms/budget.js";
import { type PlatformBudget, type PlatformDeps, PlatformError } from "../platforms/connector.js";
import { RECHECK_SHARE } from "./schedule-policy.js";

/** Part of each budget that only previews may spend, unless the connector itself divides the budget. */
const PREVIEW_SHARE = 0.1;
/** Part of a window, at its end, in which what previews have left of that becomes free for all, a unit at a time. */
const LATE_SHARE = 0.1;

/** For whom a budget is spent. */
export type Spender = "preview" | "search" | "recheck";

const spender = new WorkScope<Spender>();

/** Does work whose requests are spent from the budgets as those of a preview, a continuous search or a recheck. */
export function spendAs<T>(who: Spender, work: () => Promise<T>): Promise<T> {
  return spender.run(who, work);
}

interface Level {
  window: string;
  left: number;
}

export interface BudgetOptions {
  store: Pick<Store, "spend">;
  metrics: Pick<Measurements, "gauge">;
  now: () => number;
  /** At least 0, less than 1. Default: Math.random. */
  random?: () => number;
}

/**
 * The budgets that connectors spend before they send requests. The store keeps what is spent, so that all processes
 * together never spend more than the limit. Rechecks spend at most a part of each budget, which only budgets that are
 * spread over their window keep free of searches.
 */
export class Budgets {
  private readonly levels = new Map<string, Level>();

  constructor(private readonly options: BudgetOptions) {
    options.metrics.gauge(
      "hourglass_platform_budget_left",
      "Units left of a platform's budget when it was last spent from",
      () => Promise.resolve([...this.levels].map(([budget, { left }]) => ({ labels: { budget }, value: left }))),
      ["budget"],
    );
  }

  /** Spends from a budget as `spendAs` says; a PlatformError `budget` if too little is left. */
  readonly spend: PlatformDeps["spend"] = async (budget, units, resetAt) => {
    const { store, now, random = Math.random } = this.options;
    const who = spender.value ?? "search";
    const { name, window, limit, allowed } = budget;
    const shared = who === "preview" ? { limit, resetAt } : sharedOf(budget, resetAt, now());
    const pace = allowed ?? shared.limit;
    if (who === "recheck") await this.spendOwn({ budget, pace, resetAt }, units);
    const spent = await store.spend({ name, window, limit: who === "recheck" ? shared.limit : pace }, units);
    if (spent === undefined) throw spentUp(budget, soonAfter(shared.resetAt, resetAt, random));
    this.levels.set(name, { window, left: limit - spent });
  };

  /** The part of rechecks. One request is always possible, however small the part is. */
  private async spendOwn(
    { budget, pace, resetAt }: { budget: Budget; pace: number; resetAt: number },
    units: number,
  ): Promise<void> {
    const part = Math.max(units, Math.floor(pace * RECHECK_SHARE));
    const own = { name: `${budget.name}.rechecks`, window: budget.window, limit: part };
    if ((await this.options.store.spend(own, units)) === undefined) throw spentUp(own, resetAt);
  }
}

/** What searches and rechecks may have spent by now, and when that is more. */
function sharedOf({ limit, from }: PlatformBudget, to: number, now: number): PacedLimit {
  const held = Math.floor(limit * PREVIEW_SHARE);
  if (from === undefined || held === 0) return { limit: limit - held, resetAt: to };
  const late = { from: to - LATE_SHARE * (to - from), to };
  if (now < late.from) return { limit: limit - held, resetAt: late.from };
  const freed = paced(held, late, now);
  return { limit: limit - held + freed.limit, resetAt: freed.resetAt };
}

/** A random time of the rest of the window: searches that wait for a few units would otherwise all come for each of them. */
function soonAfter(time: number, to: number, random: () => number): number {
  return Math.ceil(time + random() * Math.max(0, to - time));
}

function spentUp({ name, limit }: Budget, resetAt: number): PlatformError {
  const until = new Date(resetAt).toISOString();
  const message = `The budget ${name} of ${limit} is spent. Wait until ${until}, or raise the limit.`;
  return new PlatformError("budget", message, { retryAt: resetAt });
}
