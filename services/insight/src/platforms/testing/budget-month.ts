import { randomOf, settingsFor, startFakes, stopFakes } from "@hourglass/demo";
import { type Budget, createLogger, type Measurements, NO_MEASUREMENTS } from "@hourglass/runtime";
import * as z from "zod";
import { Budgets, spendAs, type Spender } from "../../collector/budgets.js";
import { spread, TURN_PAGES_MAX } from "../../collector/schedule-policy.js";
import { openTestStore } from "../../testing/test-store.js";
import { budgetWindow, PacedBudget, spendRequest } from "../budget.js";
import { type BudgetPeriod, type DeclaredBudget, PlatformError } from "../connector.js";
import { MODULES } from "../registry.js";
import { clientOf } from "./all-platforms.js";

/**
 * `node budget-month.js`: how much of each budget that connectors declare is used by searches that always have more to read,
 * over a month, and the most that was used of one of its windows. Prints the lines as JSON.
 */
const SEED = 7;
/** They set limits that are no operator's; without them the defaults hold. */
const LIMITS = /_PER_(?:MINUTE|HOUR|DAY|WEEK|MONTH)$/;
/** What the fakes do not set. */
const MORE = { MASTODON_SERVERS: "https://mastodon.example", NEWSAPI_KEY: "none" };

/** The budgets of all platforms, as connectors declare them. */
async function declaredBudgets(): Promise<DeclaredBudget[]> {
  const fakes = await startFakes();
  const { store, close } = await openTestStore();
  const settings = Object.fromEntries(Object.entries(settingsFor(fakes)).filter(([name]) => !LIMITS.test(name)));
  const http = clientOf(MODULES, { ...settings, ...MORE });
  const budgets = new Map<string, DeclaredBudget>();
  const deps = { http, store, spend: () => Promise.resolve(), log: createLogger("silent"), now: Date.now };
  for (const module of MODULES) {
    const declareBudget = (budget: DeclaredBudget): void => void budgets.set(budget.name, budget);
    const collectInterval = { intervalMs: 1000, isExplicit: true };
    const values = z.object(module.variables).parse({ ...settings, ...MORE });
    await module.open({ ...deps, declareBudget, collectInterval }, values);
  }
  http.close();
  await close();
  await stopFakes(fakes);
  return [...budgets.values()];
}

const SEARCHES = 5;
const PREVIEWS = 300;
const RECHECKS = 3000;
/** A search comes no sooner after a turn: due ones are looked for once a second, and where a window is a day it may come later. */
const CHECK_MS = 1000;
const TURN_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Days that are simulated; a day of windows of a minute is like any other. */
const DAYS = 30;
const DAYS_OF_MINUTES = 1;
const START = Date.UTC(2026, 10, 1, 12);
const SPREAD_OVER_WINDOW: readonly BudgetPeriod[] = ["day", "Pacific day", "month"];
/** A page of these has up to so many units, and as a rule fewer. */
const PAGE_UNITS: Readonly<Record<string, number>> = { "twitter.posts": 100 };

/** What became of a budget. */
interface SpentMonth {
  readonly name: string;
  readonly limit: number;
  readonly period: BudgetPeriod;
  readonly windows: number;
  /** Of all units of all windows. */
  readonly used: number;
  /** Of the units of the window that used most. */
  readonly most: number;
}

interface Asker {
  readonly id: string;
  readonly who: Spender;
  dueAt: number;
}

interface Pace {
  readonly now: () => number;
  readonly restMs: number;
}

/** Spends one page of a budget, and returns the units that the page had. Throws PlatformError `budget`. */
type ReadPage = (who: Spender) => Promise<number>;

/** Counts what is spent, as a store does. */
class Counters {
  private readonly counts = new Map<string, { window: string; spent: number }>();

  spend({ name, window, limit }: Budget, units: number): Promise<number | undefined> {
    const known = this.counts.get(name);
    const count = known?.window === window ? known : { window, spent: 0 };
    this.counts.set(name, count);
    if (count.spent + units > limit) return Promise.resolve(undefined);
    count.spent += units;
    return Promise.resolve(count.spent);
  }
}

/**
 * Lets searches, previews and rechecks spend a budget for a month of its own clock. What is used is counted here again,
 * by the windows of the platform.
 */
async function spendMonth(
  budget: DeclaredBudget,
  { random, metrics }: { readonly random: () => number; readonly metrics: Pick<Measurements, "gauge"> },
): Promise<SpentMonth> {
  const { name, limit, period } = budget;
  const windows = windowsOf(period);
  const [from, to] = [windows[0]?.from ?? START, windows.at(-1)?.to ?? START];
  const clock = { time: from };
  const store = new Counters();
  const now = (): number => clock.time;
  const deps = { store, now, random, spend: new Budgets({ store, metrics, now, random }).spend };
  const readPage = SPREAD_OVER_WINDOW.includes(period)
    ? pagesOfPaced(new PacedBudget(deps, { ...budget, setting: name }), { random, units: PAGE_UNITS[name] ?? 1 })
    : () => spendRequest(deps, budget).then(() => 1);
  const restMs = SPREAD_OVER_WINDOW.includes(period) ? TURN_MS : CHECK_MS;
  const used = windows.map(() => 0);
  const at = (time: number): number => windows.findIndex((window) => window.to > time);
  let current = 0;
  const askers = new Askers({ from, to }, random);
  for (let asker = askers.next(); asker.dueAt < to; asker = askers.next()) {
    clock.time = asker.dueAt;
    if (clock.time >= (windows[current]?.to ?? to)) current = at(clock.time);
    used[current] = (used[current] ?? 0) + (await turnOf(asker, readPage, { now, restMs }));
  }
  const total = used.reduce((sum, units) => sum + units, 0);
  return {
    ...{ name, limit, period, windows: windows.length },
    used: total / (limit * windows.length),
    most: Math.max(...used) / limit,
  };
}

function windowsOf(period: BudgetPeriod): { from: number; to: number }[] {
  const first = budgetWindow(period, START);
  if (period === "month") return [first];
  const end = first.from + (period === "minute" ? DAYS_OF_MINUTES : DAYS) * DAY_MS;
  const windows = [];
  for (let window = first; window.from < end; window = budgetWindow(period, window.to)) windows.push(window);
  return windows;
}

/** Searches come again and again; a month's previews and rechecks at any time, and once each. */
class Askers {
  private readonly searches: Asker[];
  private readonly others: Asker[];

  constructor({ from, to }: { from: number; to: number }, random: () => number) {
    const many = (who: Spender, count: number, dueAt: () => number): Asker[] =>
      Array.from({ length: count }, (_, number) => ({ id: `${who}-${number}`, who, dueAt: dueAt() }));
    const share = Math.min(1, (to - from) / (DAYS * DAY_MS));
    const anyTime = (): number => from + random() * (to - from);
    this.searches = many("search", SEARCHES, () => from + random() * CHECK_MS);
    this.others = [
      ...many("preview", Math.ceil(PREVIEWS * share), anyTime),
      ...many("recheck", Math.ceil(RECHECKS * share), anyTime),
    ].sort((a, b) => b.dueAt - a.dueAt);
  }

  next(): Asker {
    const search = this.searches.reduce((first, asker) => (asker.dueAt < first.dueAt ? asker : first));
    const other = this.others.at(-1);
    return other === undefined || search.dueAt <= other.dueAt ? search : (this.others.pop() ?? search);
  }
}

/** Reads as many pages as a turn may, and says when the asker comes again; returns the units of the pages. */
async function turnOf(asker: Asker, readPage: ReadPage, { now, restMs }: Pace): Promise<number> {
  const { id, who } = asker;
  let units = 0;
  try {
    for (let page = 0; page < (who === "search" ? TURN_PAGES_MAX : 1); page += 1) {
      units += await spendAs(who, () => readPage(who));
    }
    asker.dueAt = now() + restMs;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.retryAt === undefined) throw error;
    asker.dueAt = Math.max(now() + restMs, spread(id, error.retryAt));
  }
  return units;
}

function pagesOfPaced(budget: PacedBudget, page: { readonly random: () => number; readonly units: number }): ReadPage {
  return async (who) => {
    const reservation = await budget.reserve(page.units, { preview: who === "preview" });
    const units = Math.ceil(page.units * (1 - page.random() / 2));
    reservation.commit(units);
    return units;
  };
}

const lines = [];
for (const budget of await declaredBudgets()) {
  lines.push(await spendMonth(budget, { random: randomOf(SEED), metrics: NO_MEASUREMENTS }));
}
process.stdout.write(JSON.stringify(lines));
