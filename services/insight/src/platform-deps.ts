import {
  createHttpClient,
  type HttpClient,
  type Logger,
  type Measurements,
  type OutboundConfig,
  type Store,
} from "@hourglass/runtime";
import { Budgets } from "./collector/budgets.js";
import type { InsightConfig } from "./config.js";
import type { DeclaredBudget, PlatformDeps } from "./platforms/connector.js";

/** Redirects that feeds and platforms may take. */
const REDIRECTS_MAX = 5;
/** Least time between two requests to one host. */
const GAP_MS = 200;
/** A claim of a feed is not renewed: it lasts longer than a request may take. */
const CLAIM_LEASES = 4;
const USER_AGENT = "Hourglass/0.1 (self-hosted content analysis)";

export interface Surroundings {
  store: Store;
  config: { readonly insight: InsightConfig; readonly outbound: OutboundConfig; readonly leaseMs: number };
  /** Addresses that the operator has set: requests to them may go to private addresses. */
  trustedOrigins: readonly string[];
  log: Logger;
  metrics: Pick<Measurements, "gauge">;
  now: () => number;
}

export interface ConnectorSetup {
  /** What connectors are opened with. */
  deps: PlatformDeps;
  /** Receives the budgets of the connectors that are opened with it, in their order. */
  budgets: readonly DeclaredBudget[];
  /** The client of all connectors, to be closed after use. */
  http: HttpClient;
}

/** Sets up what connectors use: a client and budgets that they share. */
export function setUpConnectors({ store, config, trustedOrigins, log, metrics, now }: Surroundings): ConnectorSetup {
  const { allowPrivateUrls, allowedHosts } = config.outbound;
  const limits = { redirectsMax: REDIRECTS_MAX, gapMs: GAP_MS, userAgent: USER_AGENT };
  const http = createHttpClient({ allowPrivateUrls, allowedHosts, trustedOrigins, ...limits });
  const budgets: DeclaredBudget[] = [];
  const deps = {
    http,
    store,
    spend: new Budgets({ store, metrics, now }).spend,
    declareBudget: (budget: DeclaredBudget) => void budgets.push(budget),
    log,
    collectInterval: config.insight.collectInterval,
    claimMs: config.leaseMs * CLAIM_LEASES,
    now,
  };
  return { deps, budgets, http };
}
