import { pauseAfter, type RetryPolicy } from "@hourglass/runtime";
import type { DueClaim, Logger } from "@hourglass/runtime";
import { GdeltFailure, type GdeltFiles, type ListedFile } from "./api.js";
import { BadArchive } from "./archive.js";
import type { GdeltStore, StreamChange, StreamRecord } from "./store.js";

const MINUTE_MS = 60_000;
/** GDELT publishes a file for each quarter of an hour. */
const FILE_MS = 15 * MINUTE_MS;
/** Shortest pause between two looks for new files. */
const FLOOR_MS = 5 * MINUTE_MS;
/** While GDELT cannot be read. */
const RETRY: RetryPolicy = { firstMs: 2 * MINUTE_MS, maxMs: 60 * MINUTE_MS, jitter: 0 };
/** No further file is fetched after this time; the others have their turn with the next poll. */
const FETCHING_MS = 30_000;
/** A file that cannot be read so often is left out. */
const ATTEMPTS_MAX = 3;

export interface RefreshDeps {
  readonly store: GdeltStore;
  readonly files: GdeltFiles;
  /** How long files are kept, and how far back they are fetched, in milliseconds. */
  readonly keepMs: number;
  readonly log: Logger;
  readonly now: () => number;
}

/** What was done for a stream. */
export interface Refresh {
  /** Requests sent. */
  readonly requests: number;
  /** Rows that could not be read. */
  readonly skipped: number;
}

/**
 * Fetches the files that are new, newest first, if the stream is due and no other process does. Each is stored with one commit. A
 * failure of GDELT becomes part of the state; throws the reason of the signal.
 */
export async function refreshStream(deps: RefreshDeps, record: StreamRecord, signal: AbortSignal): Promise<Refresh> {
  const claim = await deps.store.claim(record);
  if (claim === undefined) return { requests: 0, skipped: 0 };
  const round = new Round(deps, claim, signal);
  try {
    await round.run();
    return round;
  } catch (error) {
    // Another poll may read at once.
    await claim.reschedule(record.dueAt).catch(() => undefined);
    throw error;
  }
}

class Round implements Refresh {
  requests = 0;
  skipped = 0;
  private readonly begunAt: number;
  private readonly keptFrom: number;
  private seq: number;
  private newest: number | null;
  private retries: StreamRecord["retries"];
  private holes: StreamRecord["holes"];

  constructor(
    private readonly deps: RefreshDeps,
    private readonly claim: DueClaim<StreamRecord>,
    private readonly signal: AbortSignal,
  ) {
    const { seq, newest, retries, holes } = claim.record;
    this.begunAt = deps.now();
    this.keptFrom = this.begunAt - deps.keepMs;
    this.seq = seq;
    this.newest = newest;
    this.retries = retries.filter(({ at }) => at > this.keptFrom);
    this.holes = holes.filter(({ to }) => to > this.keptFrom);
  }

  async run(): Promise<void> {
    let change: StreamChange;
    try {
      change = await this.read();
    } catch (error) {
      if (!(error instanceof GdeltFailure)) throw error;
      change = this.failed(error);
    }
    const { newest, retries, holes } = this;
    await this.deps.store.settle(this.claim, { ...change, newest, retries, holes }, this.keptFrom);
  }

  private async read(): Promise<StreamChange> {
    const { files, store, now } = this.deps;
    const { id, coversFrom } = this.claim.record;
    this.requests += 1;
    const newest = await files.newest(id, this.signal);
    const stored = await store.fileTimes(id, this.keptFrom);
    const listed = await this.listed(newest, stored);
    const isWanted = ({ at }: ListedFile): boolean =>
      at > this.keptFrom && !stored.has(at) && !this.holes.some(({ to }) => to === at);
    const wanted = listed.filter(isWanted).sort((a, b) => b.at - a.at);
    const isInTime = await this.fetchAll(wanted, stored);
    const left = wanted.filter((file) => isWanted(file)).map(({ at }) => at);
    return {
      dueAt: isInTime ? this.begunAt + FLOOR_MS : now(),
      coversFrom: coversFrom ?? Math.min(this.keptFrom, newest.at),
      behindUntil: left.length === 0 ? null : Math.max(...left),
      readAt: this.begunAt,
      failures: 0,
      problem: null,
    };
  }

  /** What GDELT lists since the last file. Without the list of all files, only the newest one is known. */
  private async listed(newest: ListedFile, stored: ReadonlySet<number>): Promise<ListedFile[]> {
    const { id, behindUntil, newest: before } = this.claim.record;
    if (stored.has(newest.at) && behindUntil === null) return [];
    const since = behindUntil === null ? Math.max(this.keptFrom, before ?? 0) : this.keptFrom;
    this.requests += 1;
    const all = await this.deps.files.since(id, since, this.signal);
    if (all !== undefined) return [...all.filter(({ at }) => at !== newest.at), newest];
    const hole = { from: since, to: newest.at - FILE_MS };
    if (hole.from < hole.to && !stored.has(newest.at)) this.holes = [...this.holes, hole];
    return [newest];
  }

  /** Fetches files one after the other, and adds their times to `stored`; false if there was not enough time for all. */
  private async fetchAll(wanted: readonly ListedFile[], stored: Set<number>): Promise<boolean> {
    const until = performance.now() + FETCHING_MS;
    for (const file of wanted) {
      if (performance.now() > until) return false;
      // Another process reads on if the claim was lost.
      if (!(await this.claim.renew())) return true;
      if (await this.fetchOne(file)) stored.add(file.at);
    }
    return true;
  }

  private async fetchOne(file: ListedFile): Promise<boolean> {
    const { files, store } = this.deps;
    this.requests += 1;
    try {
      const { postings, skipped } = await files.read(file, this.signal);
      const isStored = await store.add(this.claim, { at: file.at, seq: this.seq + 1, postings });
      if (!isStored) return false;
      this.seq += 1;
      this.skipped += skipped;
      this.newest = Math.max(this.newest ?? 0, file.at);
      this.retries = this.retries.filter(({ at }) => at !== file.at);
      return true;
    } catch (error) {
      if (!(error instanceof BadArchive)) throw error;
      this.leaveOut(file, error);
      return false;
    }
  }

  /** Tries a bad file again with the next rounds, and then no more. */
  private leaveOut({ at, name }: ListedFile, { message }: BadArchive): void {
    const attempts = (this.retries.find((retry) => retry.at === at)?.attempts ?? 0) + 1;
    this.deps.log.info({ file: name, attempts, problem: message }, "a file of GDELT could not be read");
    const others = this.retries.filter((retry) => retry.at !== at);
    if (attempts < ATTEMPTS_MAX) this.retries = [...others, { at, attempts }];
    else [this.retries, this.holes] = [others, [...this.holes, { from: at - FILE_MS, to: at }]];
  }

  private failed({ problem, retryAt = 0 }: GdeltFailure): StreamChange {
    const failures = this.claim.record.failures + 1;
    const pause = pauseAfter(RETRY, failures);
    this.deps.log.info({ failures, problem: problem.message }, "GDELT could not be read");
    // What was not fetched in this round is looked for with the next one.
    const behindUntil = this.claim.record.behindUntil ?? this.begunAt;
    return { dueAt: Math.max(this.begunAt + pause, retryAt), failures, problem, behindUntil };
  }
}
