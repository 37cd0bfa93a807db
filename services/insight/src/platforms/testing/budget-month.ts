import { randomOf, settingsFor, startFakes, stopFakes } from "@hourglass/demo";
import { createLogger, NO_MEASUREMENTS } from "@hourglass/runtime";
import * as z from "zod";
import { openTestStore } from "../../testing/test-store.js";
import { MODULES } from "../index.js";
import type { DeclaredBudget } from "../port/platform.js";
import { clientOf } from "./all-platforms.js";
import { spendMonth } from "./spend-month.js";

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

const lines = [];
for (const budget of await declaredBudgets()) {
  lines.push(await spendMonth(budget, { random: randomOf(SEED), metrics: NO_MEASUREMENTS }));
}
process.stdout.write(JSON.stringify(lines));
