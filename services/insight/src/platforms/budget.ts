import { HttpFailure } from "@hourglass/runtime";
import { type BudgetPeriod, type DeclaredBudget, type PlatformDeps, PlatformError } from "./connector.js";

/** Part of a window's budget that continuous searches hold back for previews at first, and use toward its end. */
const HELD_BACK = 0.1;
/** Searches that wait for the same budget ask again at random times within this part of their wait. */
const JITTER = 0.1;
const JITTER_MS_MAX = 10 * 60_000;

interface PacedBudgetSpec extends DeclaredBudget {
  /** The variable that sets the limit. */
  readonly setting: string;
}

/** The counters of the store, and what declares and spends them. */
interface BudgetDeps extends Pick<PlatformDeps, "spend" | "declareBudget" | "now"> {
  readonly store: Pick<PlatformDeps["store"], "spend">;
  /** Default: Math.random. */
  readonly random?: () => number;
}

/** Units that a request may use. */
export interface Reservation {
  /** Says how many units were used; the others serve later requests of this process. */
  commit(used: number): void;
}

/**
 * A budget that lasts for its whole window, such as posts a month. Units are spent in the store before a request; what it
 * did not need stays with this process, and is lost if it ends: less may be used than was bought, never more. Continuous
 * searches spend no faster than the window passes; previews go first, and may spend all that is left.
 */
export class PacedBudget {
  private readonly left = new Map<boolean, { window: string; units: number }>();

  constructor(
    private readonly deps: BudgetDeps,
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
    return { commit: (used) => void (pool.units += units - used) };
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
    const message = `The budget of ${limit} ${units} a ${period} ${what}. It resumes at ${until}; ${setting} sets the budget.`;
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

/** Sends a request for which units are reserved. They are returned if it failed before it reached the platform. */
export async function sendReserved<T>(reservation: Reservation, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (wasUnsent(error)) reservation.commit(0);
    throw error;
  }
}

/** Failures before a request has reached the platform, which then counts and bills nothing. */
const UNSENT: ReadonlySet<string> = new Set(["refused", "unknown-host", "unreachable", "untrusted"]);

/** Whether a request failed before it reached the platform, so that what was reserved for it is unused. */
function wasUnsent(error: unknown): boolean {
  return error instanceof HttpFailure && UNSENT.has(error.kind);
}

/** A limit of requests that is not spread over its window, such as requests a minute. */
interface RequestLimit {
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

/** A span of time with its own budget. */
interface BudgetWindow {
  /** Names of later windows of a period sort higher. */
  readonly name: string;
  /** Inclusive, in milliseconds since the epoch. */
  readonly from: number;
  /** Exclusive: when the next window starts. */
  readonly to: number;
}

const MINUTE = 60_000;
const LENGTHS = { minute: MINUTE, "quarter-hour": 15 * MINUTE, hour: 60 * MINUTE, day: 24 * 60 * MINUTE } as const;

/** Swedish dates are written as in ISO 8601. */
const PACIFIC_DATE = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Los_Angeles" });

/** The window that was asked for last: every request spends from the present one. */
const last = new Map<BudgetPeriod, BudgetWindow>();

/** The window of a period that contains a time; days and months are those of UTC unless the period says otherwise. */
export function budgetWindow(period: BudgetPeriod, now: number): BudgetWindow {
  const known = last.get(period);
  if (known !== undefined && now >= known.from && now < known.to) return known;
  const window = windowAt(period, now);
  last.set(period, window);
  return window;
}

function windowAt(period: BudgetPeriod, now: number): BudgetWindow {
  if (period === "month") return monthOf(now);
  if (period === "Pacific day") return pacificDayOf(now);
  const length = LENGTHS[period];
  const from = Math.floor(now / length) * length;
  const characters = period === "day" ? "2026-11-22".length : "2026-11-22T09:15".length;
  return { name: new Date(from).toISOString().slice(0, characters), from, to: from + length };
}

function monthOf(now: number): BudgetWindow {
  const date = new Date(now);
  const start = (months: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
  return { name: date.toISOString().slice(0, "2026-11".length), from: start(0), to: start(1) };
}

/** Has 23 or 25 hours when clocks change. */
function pacificDayOf(now: number): BudgetWindow {
  const name = PACIFIC_DATE.format(now);
  const from = pacificMidnight(name);
  return { name, from, to: pacificMidnight(PACIFIC_DATE.format(from + 36 * 60 * MINUTE)) };
}

/** Seven hours after that of UTC in summer, otherwise eight. */
function pacificMidnight(date: string): number {
  const summer = Date.parse(`${date}T07:00:00Z`);
  return PACIFIC_DATE.format(summer) === date ? summer : summer + 60 * MINUTE;
}

/** A limit that holds until a time. */
export interface PacedLimit {
  /** Units that may have been spent by now. */
  readonly limit: number;
  /** When the limit is next higher, or the span ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** Spreads units evenly over a span of time: of each part of it, the same number may be spent. */
export function paced(limit: number, { from, to }: Omit<BudgetWindow, "name">, now: number): PacedLimit {
  const share = (now - from) / (to - from);
  const allowed = Math.min(limit, Math.floor(share * limit) + 1);
  const resetAt = allowed >= limit ? to : Math.ceil(from + (allowed / limit) * (to - from));
  return { limit: allowed, resetAt };
}
