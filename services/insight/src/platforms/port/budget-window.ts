/** How long a budget lasts. A Pacific day is one of California: Google's quotas begin anew at its midnight. */
export type BudgetPeriod = "minute" | "quarter-hour" | "hour" | "day" | "Pacific day" | "month";

/** A span of time with a budget of its own. */
export interface BudgetWindow {
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
