import type { Fault } from "@hourglass/demo";
import { createHttpClient, type HttpClient, NO_MEASUREMENTS } from "@hourglass/runtime";
import * as z from "zod";
import { Budgets } from "../../collector/budgets.js";
import { CollectorWorld, INTERVAL_MS } from "../../collector/testing/collector-world.js";
import { parseQuery } from "../../query/parser.js";
import type { InsightRecord, SearchRecord } from "../../store/records.js";
import { EVERYWHERE } from "../places.js";
import type { Connector, PageRequest, PlatformModule, PlatformValues } from "../connector.js";

/** What the suite asks of a fake. */
export interface Upstream {
  /** Every request. */
  readonly seen: readonly unknown[];
  /** How its pages differ from what a client hopes for; absent where there are no pages. */
  readonly timeline?: { readonly irregular: { repeats: boolean; reorders: boolean; loops: boolean } };
  /** Adds a posting of that time that the keyword `kestrel` finds; returns its id. */
  post(values: { readonly at: number }): string;
  failNext(...faults: readonly Fault[]): void;
  failAlways(fault: Fault | undefined): void;
  close(): Promise<void>;
}

/** A connector and its fake. */
export interface ConnectorUnderTest<U extends Upstream> {
  readonly module: PlatformModule;
  readonly start: (now: () => number) => Promise<U>;
  /** Variables of the environment. */
  readonly env: (upstream: U) => Readonly<Record<string, string>>;
}

interface Parts<U extends Upstream> {
  readonly world: CollectorWorld;
  readonly upstream: U;
  readonly module: PlatformModule;
  readonly values: PlatformValues;
  readonly http: HttpClient;
}

/** No deadline of a test that waits for one is longer. */
const TIMEOUT_MS = 1500;
const MINUTE = 60_000;
const POLLS_MAX = 40;

/** A connector on its own store, with its fake and a clock that tests move. */
export class ConnectorWorld<U extends Upstream> {
  readonly world: CollectorWorld;
  readonly upstream: U;

  private constructor(private readonly parts: Parts<U>) {
    this.world = parts.world;
    this.upstream = parts.upstream;
  }

  static async open<U extends Upstream>({ module, start, env }: ConnectorUnderTest<U>): Promise<ConnectorWorld<U>> {
    const world = await CollectorWorld.open();
    // In the middle of a month there is room in every budget that is spread over it.
    world.time = Date.UTC(2026, 10, 22, 12);
    const upstream = await start(world.now);
    const values = z.object(module.variables).parse(env(upstream));
    const trustedOrigins = module.origins(values);
    const http = createHttpClient({ trustedOrigins, timeoutMs: TIMEOUT_MS, redirectsMax: 5 });
    const opened = new ConnectorWorld({ world, upstream, module, values, http });
    world.platforms.set(module.name, { connector: await opened.connector() });
    return opened;
  }

  async close(): Promise<void> {
    this.parts.http.close();
    await this.upstream.close();
    await this.world.close();
  }

  get http(): HttpClient {
    return this.parts.http;
  }

  /** The connector, or one that asks by another client. */
  async connector(http: Pick<HttpClient, "request"> = this.http): Promise<Connector> {
    const { store, log, now } = this.world;
    const spend = new Budgets({ store, metrics: NO_MEASUREMENTS, now }).spend;
    const client = { request: http.request.bind(http), close: () => undefined };
    const collectInterval = { intervalMs: INTERVAL_MS, isExplicit: false };
    const readiness = await this.parts.module.open(
      { http: client, store, spend, log, collectInterval, now },
      this.parts.values,
    );
    if ("missing" in readiness) throw new Error(readiness.missing);
    return readiness.connector;
  }

  insight(query: Partial<InsightRecord["query"]> = {}): Promise<InsightRecord> {
    return this.world.insight({}, { platforms: [this.parts.module.name], ...query });
  }

  search(insight: InsightRecord): Promise<SearchRecord> {
    return this.world.search(insight, this.parts.module.name);
  }

  /** Adds postings of the last minutes, oldest first; returns their ids. */
  post(count: number): string[] {
    const start = this.world.time - MINUTE - count * 100;
    return Array.from({ length: count }, (_, number) => this.upstream.post({ at: start + number * 100 }));
  }

  /** A request for the first page of a first poll. */
  request(values: Partial<PageRequest> = {}): PageRequest {
    const follow = { feeds: [], subreddits: [], pages: [], organisations: [] };
    return {
      search: { query: parseQuery("kestrel"), places: EVERYWHERE, follow, preview: false },
      cursor: null,
      pageToken: null,
      since: this.world.time - 24 * 60 * MINUTE,
      startedAt: this.world.time,
      limit: 100,
      signal: new AbortController().signal,
      ...values,
    };
  }

  /** Polls until one more poll of the insight has ended well. */
  async pollToEnd(insight: InsightRecord): Promise<SearchRecord> {
    const before = (await this.search(insight)).lastSuccessAt;
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      await this.world.worker().pollNext();
      const search = await this.search(insight);
      if (search.lastSuccessAt !== before && search.poll === null) return search;
    }
    throw new Error(`no poll ended: ${(await this.search(insight)).lastError}`);
  }

  /** Ids of what is stored, in the order of ids. */
  async stored(insight: InsightRecord): Promise<(string | null)[]> {
    return (await this.world.stored(insight)).sort();
  }
}
