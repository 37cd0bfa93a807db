import { type BudgetWindow, budgetWindow } from "../port/budget-window.js";
import { PlatformError } from "../port/platform-error.js";
import type { DeclaredBudget, PlatformDeps } from "../port/platform.js";

/** Part of a window's budget that continuous searches hold back for previews at first, and use towards its end. */
const HELD_BACK = 0.1;
/** Searches that wait for the same budget ask again at random times within this part of their wait. */
const JITTER = 0.1;
const JITTER_MS_MAX = 10 * 60_000;

export interface PacedBudgetSpec extends DeclaredBudget {
  /** The variable that sets the limit. */
  readonly setting: string;
}

/** What budgets need of a platform's surroundings. */
export interface BudgetDeps extends Pick<PlatformDeps, "spend" | "declareBudget" | "now"> {
  readonly store: Pick<PlatformDeps["store"], "spend">;
}

/** Units that a request may use. */
export interface Reservation {
  /** Says how many were used; the others serve later requests of this process. */
  settle(used: number): void;
}

/**
 * A budget that lasts for its whole window, such as posts a month. Units are spent in the store before a request; what it
 * did not need stays with this process, and is lost if it ends: less may be used than was bought, never more. Continuous
 * searches spend no faster than the window passes; previews go first, and may spend all that is left.
 */
export class PacedBudget {
  private readonly left = new Map<boolean, { window: string; units: number }>();

  constructor(
    private readonly deps: BudgetDeps & { readonly random?: () => number },
    private readonly spec: PacedBudgetSpec,
  ) {
    deps.declareBudget?.(spec);
  }

  /** Reserves units. Throws PlatformError `budget` with the time at which enough of the budget is free again. */
  async reserve(units: number, { preview }: { readonly preview: boolean }): Promise<Reservation> {
    const { name, limit, period } = this.spec;
    const window = budgetWindow(period, this.deps.now());
    const pool = this.poolOf(preview, window);
    const own = Math.min(pool.units, units);
    pool.units -= own;
    try {
      const paced = Math.floor(paceOf(limit, shareOf(window, this.deps.now()))) + units;
      const allowed = preview ? limit : Math.min(limit, paced);
      const needed = units - own;
      if (needed > 0) await this.deps.spend({ name, window: window.name, limit, allowed }, needed, window.to);
    } catch (error) {
      pool.units += own;
      throw error instanceof PlatformError && error.kind === "budget" ? await this.spent(window) : error;
    }
    return { settle: (used) => void (pool.units += units - used) };
  }

  private poolOf(preview: boolean, window: BudgetWindow): { window: string; units: number } {
    const pool = this.left.get(preview);
    if (pool?.window === window.name) return pool;
    const fresh = { window: window.name, units: 0 };
    this.left.set(preview, fresh);
    return fresh;
  }

  private async spent(window: BudgetWindow): Promise<PlatformError> {
    const { store, now, random = Math.random } = this.deps;
    const { name, limit, period, units, setting } = this.spec;
    const spent = (await store.spend({ name, window: window.name, limit: Number.MAX_SAFE_INTEGER }, 0)) ?? limit;
    const due = Math.min(window.to, window.from + timeShareOf(limit, spent) * (window.to - window.from));
    const free = Math.max(due, now());
    const retryAt = Math.ceil(free + random() * Math.min(JITTER_MS_MAX, JITTER * (free - now())));
    const isWhole = free >= window.to;
    const what = isWhole ? "is spent" : `is spread over it, and ${spent} are spent`;
    const until = new Date(retryAt).toISOString();
    const message = `The budget of ${limit} ${units} a ${period} ${what}. It goes on at ${until}; ${setting} sets the budget.`;
    return new PlatformError("budget", message, { retryAt });
  }
}

/** From 0 at the beginning of a window to 1 at its end. */
function shareOf({ from, to }: BudgetWindow, now: number): number {
  return (now - from) / (to - from);
}

/** Units that continuous searches may have spent at that share of the window: a little slower at first. */
function paceOf(limit: number, share: number): number {
  return limit * share * (1 - HELD_BACK * (1 - share));
}

/** The share of the window at which the pace reaches what is spent. */
function timeShareOf(limit: number, spent: number): number {
  if (spent >= limit) return 1;
  const slow = 1 - HELD_BACK;
  return (Math.sqrt(slow ** 2 + 4 * HELD_BACK * (spent / limit)) - slow) / (2 * HELD_BACK);
}
