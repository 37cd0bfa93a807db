import { createLogger, NO_MEASUREMENTS, type OutboundConfig, type Store } from "@hourglass/runtime";
import { spendAs } from "./collector/budgets.js";
import type { InsightConfig } from "./config.js";
import { setUpConnectors } from "./platform-deps.js";
import { connectorOf, openPlatforms, originsOfPlatforms, readinessOf } from "./platforms/registry.js";
import { budgetWindow } from "./platforms/budget.js";
import { EVERYWHERE } from "./platforms/places.js";
import type { Connector, PageRequest } from "./platforms/connector.js";
import { parseQuery } from "./query/parser.js";
import { openCollections } from "./store/collections.js";
import type { SearchStatus } from "./store/records.js";

/** What this server knows of a platform. */
export interface PlatformState {
  name: string;
  /** What is missing for it to collect; undefined: nothing. */
  missing: string | undefined;
  /** Number of searches in each state; those without any are absent. */
  searches: Partial<Record<SearchStatus, number>>;
}

export interface BudgetState {
  name: string;
  limit: number;
  spent: number;
  /** Such as `posts of X`. */
  units: string;
  /** When it begins again, in milliseconds since the epoch. */
  resetAt: number;
}

/** What a platform said when it was asked. */
export interface PlatformCheck {
  name: string;
  outcome: "accepted" | "not configured" | "needs no credentials" | "refused";
  /** What to do; empty if there is nothing. */
  message: string;
}

/** Looks at platforms for the operator. */
export interface PlatformAdministration {
  list(): Promise<{ platforms: PlatformState[]; budgets: BudgetState[] }>;
  /** Asks each configured platform one question, out of its budget. */
  check(): Promise<PlatformCheck[]>;
  close(): void;
}

export interface PlatformAdministrationDeps {
  store: Store;
  config: { readonly insight: InsightConfig; readonly outbound: OutboundConfig; readonly leaseMs: number };
  /** Milliseconds since the epoch; tests set it. */
  now?: () => number;
}

const STATUSES: readonly SearchStatus[] = [
  ...(["collecting", "waiting", "not_configured", "auth_failed", "budget_spent", "failing", "importing"] as const),
];
/** A word that every platform can be asked for, and hardly any posting has. */
const ASKED_FOR = "hourglass";
const DEADLINE_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;

/** Opens the platforms on a store that servers may be using. */
export async function administerPlatforms(deps: PlatformAdministrationDeps): Promise<PlatformAdministration> {
  const { store, config, now = Date.now } = deps;
  const log = createLogger("silent");
  const trustedOrigins = originsOfPlatforms(config.insight.platforms);
  const setup = setUpConnectors({ store, config, trustedOrigins, log, metrics: NO_MEASUREMENTS, now });
  const { deps: asking, budgets, http } = setup;
  const platforms = await openPlatforms(asking, config.insight.platforms, config.insight.extraPlatforms);
  const { searches } = await openCollections(store);
  return {
    async list() {
      const names = [...platforms.keys()];
      return {
        platforms: await Promise.all(
          names.map(async (name) => {
            const readiness = readinessOf(platforms, name);
            const counted = await Promise.all(
              STATUSES.map(async (status) => [status, await searches.count({ platform: name, status })] as const),
            );
            return {
              name,
              missing: "missing" in readiness ? readiness.missing : undefined,
              searches: Object.fromEntries(counted.filter(([, count]) => count > 0)),
            };
          }),
        ),
        budgets: await Promise.all(
          budgets.map(async ({ name, limit, period, units }) => {
            const window = budgetWindow(period, now());
            // Nothing is spent: the store tells what has been.
            const all = { name, window: window.name, limit: Number.MAX_SAFE_INTEGER };
            return { name, limit, spent: (await store.spend(all, 0)) ?? limit, units, resetAt: window.to };
          }),
        ),
      };
    },
    check: () =>
      Promise.all(
        [...platforms.keys()].map(async (name) => {
          const connector = connectorOf(platforms, name);
          if (connector !== undefined) return { name, ...(await ask(connector, now())) };
          const readiness = readinessOf(platforms, name);
          const message = "missing" in readiness ? readiness.missing : "";
          return { name, outcome: "not configured" as const, message };
        }),
      ),
    close: () => http.close(),
  };
}

async function ask(connector: Connector, now: number): Promise<Omit<PlatformCheck, "name">> {
  if (connector.check === undefined) return { outcome: "needs no credentials", message: "" };
  try {
    await spendAs("preview", async () => connector.check?.(questionAt(now)));
    return { outcome: "accepted", message: "" };
  } catch (error) {
    return { outcome: "refused", message: error instanceof Error ? error.message : String(error) };
  }
}

function questionAt(now: number): PageRequest {
  const follow = { feeds: [], subreddits: [], pages: [], organisations: [] };
  return {
    search: { query: parseQuery(ASKED_FOR), places: EVERYWHERE, follow, preview: true },
    cursor: null,
    pageToken: null,
    since: now - DAY_MS,
    startedAt: now,
    limit: 1,
    signal: AbortSignal.timeout(DEADLINE_MS),
  };
}
