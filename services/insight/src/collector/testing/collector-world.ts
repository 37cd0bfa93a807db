import {
  AppError,
  claimDue,
  type DueClaim,
  createLogger,
  NO_MEASUREMENTS,
  type Queue,
  type Step,
  type Store,
  streamDue,
  updateStep,
} from "@hourglass/runtime";
import type { Readiness } from "../../platforms/connector.js";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import { type EraseGone, PostingErasures } from "../../postings/erase.js";
import { PostingStore, type RefreshFound, type StorePostings } from "../../postings/store.js";
import { Tombstones } from "../../postings/tombstones.js";
import { type Collections, openCollections } from "../../store/collections.js";
import {
  type InsightRecord,
  newInsight,
  type PlatformName,
  recheckId,
  type RecheckRecord,
  searchId,
  type SearchRecord,
} from "../../store/records.js";
import { openTestStore } from "../../testing/test-store.js";
import { AuthGates, PlatformCircuits } from "../circuit-breakers.js";
import { runTurn } from "../poll.js";
import { type RecheckDeps, RecheckRounds } from "../recheck.js";
import { type Cadence, RECHECK_LEASE_MS } from "../schedule-policy.js";
import { newSearch, pauseSteps, resumeSteps } from "../searches.js";
import {
  type CollectorDeps,
  type CollectorFailpoint,
  collectorMetrics,
  MatcherCache,
  type TurnContext,
} from "../turn.js";

export const PLATFORM = "twitter";
export const INTERVAL_MS = 300_000;
export const LEASE_MS = 60_000;

/** Collection on its own store, with a clock that tests move. */
export class CollectorWorld {
  time = Date.UTC(2026, 10, 1);
  cadence: Cadence = { intervalMs: INTERVAL_MS, isExplicit: false };
  readonly platforms = new Map<PlatformName, Readiness>();
  readonly log = createLogger("silent");
  readonly metrics = NO_MEASUREMENTS;
  readonly now = (): number => this.time;
  readonly tombstones: Tombstones;
  readonly storePostings: StorePostings;
  readonly refreshFound: RefreshFound;
  readonly eraseGone: EraseGone;

  private constructor(
    readonly store: Store,
    readonly queue: Queue,
    readonly collections: Collections,
    readonly close: () => Promise<void>,
  ) {
    this.tombstones = new Tombstones(collections);
    const [postingStore, erasures] = [new PostingStore(this), new PostingErasures(this)];
    this.storePostings = (request) => postingStore.storePage(request);
    this.refreshFound = (found) => postingStore.refreshFound(found);
    this.eraseGone = (gone) => erasures.eraseGone(gone);
  }

  static async open(): Promise<CollectorWorld> {
    const { store, queue, close } = await openTestStore();
    return new CollectorWorld(store, queue, await openCollections(store), close);
  }

  /** What a collector needs. */
  deps(): CollectorDeps {
    const { storePostings, eraseGone, platforms, cadence } = this;
    return { ...this.common(), storePostings, eraseGone, platforms, cadence };
  }

  /** Inserts a running insight and its searches. */
  async insight(
    values: Partial<InsightRecord> = {},
    query: Partial<InsightRecord["query"]> = {},
  ): Promise<InsightRecord> {
    const id = await this.store.nextId("insights");
    const record = { ...anInsight(id, this.time, query), ...values };
    await this.collections.insights.insert(record);
    const searches = record.query.platforms.map((platform) => newSearch(record, platform, { now: this.time }));
    await this.collections.searches.insertMany(searches);
    return record;
  }

  async search({ id }: Pick<InsightRecord, "id">, platform: PlatformName = PLATFORM): Promise<SearchRecord> {
    const search = await this.collections.searches.get(searchId(id, platform));
    if (search === undefined) throw new Error("there is no such search");
    return search;
  }

  /** Ids on the platform of the stored postings, oldest first. */
  async stored({ id }: Pick<InsightRecord, "id">): Promise<(string | null)[]> {
    const found = await this.collections.postings.find({ insightId: id }, { sort: [["postedAt", 1]] });
    return found.map(({ socialId }) => socialId);
  }

  async pause(insight: InsightRecord): Promise<void> {
    const { searches } = this.collections;
    await this.enterEpoch(insight, "paused", (found, epoch) => pauseSteps(searches, found, epoch));
  }

  async resume(insight: InsightRecord): Promise<void> {
    const { searches } = this.collections;
    const { time: now, platforms } = this;
    await this.enterEpoch(insight, "running", (found, epoch) =>
      resumeSteps(searches, found, { epoch, now, platforms }),
    );
  }

  /** A process that polls on demand. */
  worker(options: WorkerOptions = {}): Worker {
    return new Worker(this, options);
  }

  private async enterEpoch(
    { id }: InsightRecord,
    status: InsightRecord["status"],
    stepsOf: (found: SearchRecord[], epoch: number) => Step[],
  ): Promise<void> {
    const { insights, searches } = this.collections;
    const epoch = (await insights.get(id))?.epoch ?? 0;
    const found = await searches.find({ insightId: id });
    const own = updateStep(insights, { id, epoch }, { set: { status, epoch: epoch + 1 } });
    const committed = await this.store.commit([own, ...stepsOf(found, epoch + 1)]);
    if (!committed.done) throw new Error("the epoch was not entered");
  }

  private common() {
    const { store, collections, log, metrics, now } = this;
    return { store, collections, log, metrics, now };
  }
}

/** What a test replaces in a worker. */
export interface WorkerOptions extends Partial<TurnContext> {
  leaseMs?: number;
  /** Whether the worker stops. */
  isStopping?: () => boolean;
  /** Aborts when the time for stopping is over. */
  abandoned?: AbortSignal;
}

/** Polls what is due, without timers. */
export class Worker {
  private readonly context: TurnContext;

  constructor(
    private readonly world: CollectorWorld,
    private readonly options: WorkerOptions,
  ) {
    this.context = {
      matchers: new MatcherCache(),
      gates: new AuthGates(),
      circuits: new PlatformCircuits(),
      random: () => 1,
      failpoint: () => undefined,
      ...world.deps(),
      metrics: collectorMetrics(world.metrics),
      ...options,
    };
  }

  /** Does one turn of each search that is due; returns their number. */
  async poll(): Promise<number> {
    const { searches } = this.world.collections;
    const { leaseMs = LEASE_MS } = this.options;
    const claims = { records: searches, leaseMs, now: this.world.now };
    const due: SearchRecord[] = [];
    for await (const record of streamDue(claims, 1000)) due.push(record);
    for (const record of due) {
      const claim = await claimDue(claims, record);
      if (claim !== undefined) await this.run(claim);
    }
    return due.length;
  }

  private async run(claim: DueClaim<SearchRecord>): Promise<void> {
    const { isStopping = () => false, abandoned } = this.options;
    claim.hold();
    abandoned?.addEventListener("abort", () => claim.interrupt(new Error("the process is stopping")));
    await runTurn(this.context, claim, isStopping).finally(() => claim.release());
  }

  /** Moves the clock to the next due time, then polls. */
  async pollNext(): Promise<void> {
    const { searches } = this.world.collections;
    const [next] = await searches.find({ dueAt: { ne: null } }, { sort: [["dueAt", 1]], limit: 1 });
    if (typeof next?.dueAt !== "number") throw new Error("nothing will be due");
    this.world.time = Math.max(this.world.time, next.dueAt);
    await this.poll();
  }
}

/** What a process does at a point at which it is killed: nothing more. */
export function killedAt(name: CollectorFailpoint, pass = 1): Pick<TurnContext, "failpoint"> {
  let left = pass;
  return {
    failpoint: (passed) => {
      if (passed === name && --left === 0) throw new AppError("unavailable", "killed");
    },
  };
}

function anInsight(id: number, createdAt: number, query: Partial<InsightRecord["query"]>): InsightRecord {
  return newInsight({
    id,
    companyId: 7,
    query: {
      keywords: "kestrel",
      platforms: [PLATFORM],
      dimensions: ["textual"],
      location: "",
      sneakPeek: false,
      follow: { feeds: [], subreddits: [], pages: [], organisations: [] },
      ...query,
    },
    terms: "kestrel",
    createdAt,
  });
}

const MINUTE = 60_000;

/** A posting with this number; it matches the keywords of a test's insight. */
export function draft(number: number, values: Partial<PostingDraft> = {}): PostingDraft {
  const postedAt = Date.UTC(2026, 9, 31) + number * MINUTE;
  return { socialId: `s${number}`, postedAt, text: `A kestrel, number ${number}`, ...values };
}

export function drafts(...numbers: number[]): PostingDraft[] {
  return numbers.map((number) => draft(number));
}

/** Compares stored postings with their platforms on demand. */
export class Rechecker {
  private readonly rounds: RecheckRounds;

  constructor(
    private readonly world: CollectorWorld,
    replaced: Partial<RecheckDeps> = {},
  ) {
    const { collections, platforms, eraseGone, refreshFound, log, now } = world;
    const deps = { collections, platforms, eraseGone, refreshFound, log, now, ...replaced };
    this.rounds = new RecheckRounds(deps);
  }

  /** Moves the clock on, in steps as short as the pauses of rounds, and does every turn that is due meanwhile. */
  async run(ms: number): Promise<void> {
    const until = this.world.time + ms;
    await this.rounds.seed();
    for (;;) {
      const [next] = await this.world.collections.rechecks.find({}, { sort: [["dueAt", 1]], limit: 1 });
      if (next === undefined || next.dueAt > until) break;
      this.world.time = Math.max(this.world.time, next.dueAt);
      await this.turn(next);
    }
    this.world.time = until;
  }

  /** The state of the only company. */
  async record(platform: string = PLATFORM): Promise<RecheckRecord> {
    const record = await this.world.collections.rechecks.get(recheckId(7, platform));
    if (record === undefined) throw new Error("there is no such recheck");
    return record;
  }

  private async turn(record: RecheckRecord): Promise<void> {
    const records = this.world.collections.rechecks;
    const claim = await claimDue({ records, leaseMs: RECHECK_LEASE_MS, now: this.world.now }, record);
    if (claim === undefined) return;
    await this.rounds.run(claim, new AbortController().signal).finally(() => claim.release());
  }
}
