import {
  type Chore,
  type DueClaim,
  DueJobs,
  dueFailpoints,
  dueKind,
  failpoint,
  type Logger,
  type Measurements,
  type Queue,
  pauseAfter,
  type RetryPolicy,
} from "@hourglass/runtime";
import type { LookUp, Readiness, Rechecks } from "../platforms/connector.js";
import type { PostingDraft } from "../platforms/posting-draft.js";
import { readinessNow } from "../platforms/registry.js";
import type { EraseGone } from "../postings/erase.js";
import type { RefreshFound } from "../postings/store.js";
import type { Collections } from "../store/collections.js";
import {
  lastKnownAt,
  type PlatformName,
  platformsOf,
  type PostingRecord,
  recheckId,
  type RecheckRecord,
  type RecheckRound,
} from "../store/records.js";
import { spendAs } from "./budgets.js";
import { type Failure, failureOf } from "./failures.js";
import { PageLimit } from "./page.js";
import {
  AUTH_RECHECK_MS,
  RECHECK_AFTER,
  RECHECK_BATCHES_MAX,
  RECHECK_LEASE_MS,
  RECHECK_READ_MAX,
  RECHECK_ROUNDS,
  RECHECK_SEED_MS,
  REFUSALS_MAX,
  SEARCH_PAUSE_MS,
} from "./schedule-policy.js";

/** What rechecks work with. */
export interface RecheckDeps {
  collections: Collections;
  /** The platforms of the interface, opened with the configuration of this server. */
  platforms: ReadonlyMap<PlatformName, Readiness>;
  eraseGone: EraseGone;
  refreshFound: RefreshFound;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

const RECHECK_KIND = "recheck";

/** Every step of a recheck at which a crash must neither keep what is gone nor skip a posting. */
export const RECHECK_FAILPOINTS: readonly string[] = [...dueFailpoints(RECHECK_KIND), "recheck.after_batch"];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time until it is looked again whether a platform is configured. */
const UNCONFIGURED_MS = HOUR_MS;
/** Least time between two attempts to spend from a budget that is spent. */
const BUDGET_MS = 5 * MINUTE_MS;
/** Postings read at once. */
const READ_AT_ONCE = 200;
/** Records inserted with one write. */
const INSERTED_AT_ONCE = 200;

/** The comparison of stored postings with their platforms within the terms of each; companies take turns. */
export function recheckJobs(deps: RecheckDeps & { queue: Queue; metrics: Measurements }): DueJobs {
  const rounds = new RecheckRounds(deps);
  const { collections, queue, log, metrics, now } = deps;
  const recheck = dueKind<RecheckRecord>({
    name: RECHECK_KIND,
    records: collections.rechecks,
    leaseMs: RECHECK_LEASE_MS,
    failure: "stored postings could not be compared with their platform",
    ownerOf: ({ companyId }) => companyId,
    work: (claim, stopping) => rounds.run(claim, stopping),
  });
  return new DueJobs({ name: "insight.recheck", queue, kinds: [recheck], places: 2, log, metrics, now });
}

/** Finds companies whose stored postings are to be compared. */
export function recheckChore(deps: RecheckDeps): Chore {
  const rounds = new RecheckRounds(deps);
  return { name: "rechecks", everyMs: RECHECK_SEED_MS, work: () => rounds.seed().then(() => false) };
}

/** A turn of a round: the claim, and the signal that the worker stops. */
interface RecheckTurn {
  claim: DueClaim<RecheckRecord>;
  stopping: AbortSignal;
}

/** Compares the stored postings of companies with their platforms, in rounds by company and platform. */
export class RecheckRounds {
  constructor(private readonly deps: RecheckDeps) {}

  /** Has the stored postings of all companies rechecked on all platforms that can be asked for them. */
  async seed(): Promise<void> {
    const { collections, platforms, now } = this.deps;
    const terms = termsOf(platforms);
    if (terms.size === 0) return;
    const records = new Map<string, RecheckRecord>();
    for await (const insight of collections.insights.stream({ status: { ne: "deleted" } })) {
      const { companyId } = insight;
      for (const platform of platformsOf(insight)) {
        const termMs = terms.get(platform);
        const id = recheckId(companyId, platform);
        if (termMs === undefined || records.has(id)) continue;
        records.set(id, newRecheck({ companyId, platform, termMs }, now()));
      }
    }
    const all = [...records.values()];
    for (let start = 0; start < all.length; start += INSERTED_AT_ONCE) {
      await collections.rechecks.insertNew(all.slice(start, start + INSERTED_AT_ONCE));
    }
  }

  /** One turn: some batches of a round. Each step may be repeated, so a turn may end anywhere. */
  async run(claim: DueClaim<RecheckRecord>, stopping: AbortSignal): Promise<void> {
    const { platforms, now } = this.deps;
    const readiness = readinessNow(platforms, claim.record.platform);
    if ("missing" in readiness) {
      await claim.update({ lastError: readiness.missing, dueAt: now() + UNCONFIGURED_MS });
      return;
    }
    const { rechecks } = readiness.connector;
    if (rechecks === undefined) {
      await claim.delete();
      return;
    }
    let record: RecheckRecord | undefined = { ...claim.record, termMs: rechecks.termMs(0) };
    for (let batch = 0; batch < RECHECK_BATCHES_MAX; batch += 1) {
      if (stopping.aborted) break;
      record = await this.recheckBatch({ claim, stopping }, record, rechecks);
      if (record === undefined) return;
    }
    await claim.reschedule(now());
  }

  /** Looks up one batch; the record as stored then, or undefined if the turn is over. */
  private async recheckBatch(
    { claim, stopping }: RecheckTurn,
    record: RecheckRecord,
    rechecks: Rechecks,
  ): Promise<RecheckRecord | undefined> {
    const { collections, log, now } = this.deps;
    const round = record.round ?? { startedAt: now(), after: null, isWhole: true, asked: 0, erased: 0 };
    const batch = await nextBatch(collections, { ...record, after: round.after }, { rechecks, now: now() });
    if (claim.signal.aborted) return undefined;
    const found = await this.lookUp(batch, rechecks, [claim.signal, stopping]).catch((error: unknown) =>
      failureOf(error),
    );
    if ("kind" in found) {
      if (stopping.aborted) {
        await claim.reschedule(now());
        return undefined;
      }
      if (found.unforeseen !== undefined) {
        log.warn({ err: found.unforeseen, recheck: record.id }, "a platform's answer could not be used");
      }
      const next = mustSkip(record, found) ? { ...passed(round, batch), isWhole: false } : round;
      if (next !== round) log.warn({ recheck: record.id }, "a platform refuses to be asked for stored postings");
      await claim.update({ round: next, ...fieldsAfterFailure(record, found, now()) });
      return undefined;
    }
    const erased = await this.apply(record, found);
    failpoint("recheck.after_batch");
    const after = { round: passed(round, batch, erased), isLast: batch.isLast, notBefore: found.notBefore ?? 0 };
    return this.advance(claim, record, after);
  }

  /** Throws what a connector throws. */
  private async lookUp({ stored }: Batch, rechecks: Rechecks, interruptions: readonly AbortSignal[]): Promise<LookUp> {
    if (stored.size === 0) return { found: [], gone: [] };
    const limit = new PageLimit(interruptions);
    const { signal } = limit;
    try {
      const answer = await limit.within(() =>
        spendAs("recheck", () => rechecks.lookUp({ ids: [...stored.keys()], stored, signal })),
      );
      return {
        ...answer,
        found: answer.found.filter(({ socialId = "" }) => stored.has(socialId)),
        gone: answer.gone.filter((id) => stored.has(id)),
      };
    } finally {
      limit.release();
    }
  }

  /** Returns the number of postings that were erased. */
  private async apply({ companyId, platform }: RecheckRecord, { found, gone }: LookUp): Promise<number> {
    const { eraseGone, refreshFound } = this.deps;
    if (found.length > 0) await refreshFound({ companyId, platform, drafts: found });
    return gone.length === 0 ? 0 : eraseGone({ companyId, platform, socialIds: gone });
  }

  /** Moves the round past a batch; the record as stored then, or undefined if the turn is over. */
  private async advance(
    claim: DueClaim<RecheckRecord>,
    record: RecheckRecord,
    { round, isLast, notBefore }: { round: RecheckRound; isLast: boolean; notBefore: number },
  ): Promise<RecheckRecord | undefined> {
    const now = this.deps.now();
    const { termMs } = record;
    const well = { failures: 0, lastError: null, termMs };
    if (isLast) {
      const { startedAt, isWhole, asked, erased } = round;
      const dueAt = Math.max(startedAt + termMs / RECHECK_ROUNDS, notBefore, now + 1);
      const doneAt = isWhole ? startedAt : record.doneAt;
      await claim.update({ ...well, round: null, doneAt, dueAt });
      const { companyId, platform } = record;
      if (asked > 0) this.deps.log.info({ companyId, platform, asked, erased }, "stored postings were looked up");
      return undefined;
    }
    if (notBefore > now) {
      await claim.update({ ...well, round, dueAt: notBefore });
      return undefined;
    }
    return claim.update({ ...well, round });
  }
}

function passed(round: RecheckRound, { stored, after }: Batch, erased = 0): RecheckRound {
  return { ...round, after, asked: round.asked + stored.size, erased: round.erased + erased };
}

function termsOf(platforms: RecheckDeps["platforms"]): Map<PlatformName, number> {
  const terms = new Map<PlatformName, number>();
  for (const [platform, readiness] of platforms) {
    if ("connector" in readiness && readiness.connector.rechecks !== undefined) {
      terms.set(platform, readiness.connector.rechecks.termMs(0));
    }
  }
  return terms;
}

interface RecheckSubject {
  companyId: number;
  platform: PlatformName;
  termMs: number;
}

function newRecheck({ companyId, platform, termMs }: RecheckSubject, now: number): RecheckRecord {
  return {
    id: recheckId(companyId, platform),
    companyId,
    platform,
    termMs,
    dueAt: now,
    round: null,
    doneAt: now,
    failures: 0,
    lastError: null,
  };
}

/** Postings that are looked up together. */
interface Batch {
  /** What is stored, by id on the platform; nothing: nothing of what was read is due. */
  readonly stored: ReadonlyMap<string, PostingDraft>;
  /** Where the next batch starts. */
  readonly after: RecheckRound["after"];
  /** Whether no posting is left. */
  readonly isLast: boolean;
}

/**
 * Reads on in the order of the ids on the platform, in which the copies of a posting in several searches stand together,
 * until enough postings are due for one batch. An index on the time of the last look would cost every refresh; a round
 * reads each posting once.
 */
async function nextBatch(
  { postings }: Collections,
  { companyId, platform, after }: { companyId: number; platform: PlatformName; after: RecheckRound["after"] },
  { rechecks, now }: { rechecks: Rechecks; now: number },
): Promise<Batch> {
  const stored = new Map<string, PostingDraft>();
  const filter = { companyId, platform, socialId: { gt: "" } } as const;
  let last = after;
  for (let read = 0; read < RECHECK_READ_MAX; read += READ_AT_ONCE) {
    const options = { sort: [["socialId", 1]] as const, limit: READ_AT_ONCE, ...(last !== null && { after: last }) };
    const found = await postings.find(filter, options);
    for (const posting of found) {
      const socialId = posting.socialId ?? "";
      if (isDue(posting, rechecks, now) && !stored.has(socialId)) {
        if (!hasRoom([...stored.keys()], socialId, rechecks)) return { stored, after: last, isLast: false };
        stored.set(socialId, posting.content);
      }
      last = { socialId, id: posting.id };
    }
    if (found.length < READ_AT_ONCE) return { stored, after: last, isLast: true };
  }
  return { stored, after: last, isLast: false };
}

function hasRoom(ids: readonly string[], id: string, rechecks: Rechecks): boolean {
  return ids.length === 0 || (ids.length < rechecks.idsMax && (rechecks.canJoin?.(id, ids) ?? true));
}

/** What was imported is under the terms of where it came from. */
function isDue(posting: PostingRecord, rechecks: Rechecks, now: number): boolean {
  if (posting.imported === true) return false;
  return now - lastKnownAt(posting) >= RECHECK_AFTER * rechecks.termMs(now - posting.postedAt);
}

/** Whether the postings of a batch are passed over, so that the others are not kept waiting by them. */
function mustSkip({ failures }: RecheckRecord, { kind }: Failure): boolean {
  return kind === "permanent" && failures + 1 >= REFUSALS_MAX;
}

/** Fields of a recheck whose look-up failed: why, and when it continues. */
function fieldsAfterFailure(
  record: RecheckRecord,
  failure: Failure,
  now: number,
): Pick<RecheckRecord, "dueAt" | "failures" | "lastError"> {
  const { message: lastError, retryAt = 0 } = failure;
  const isSpent = failure.kind === "budget";
  const failures = isSpent ? record.failures : mustSkip(record, failure) ? 0 : record.failures + 1;
  return { dueAt: Math.max(retryAt, now + pauseMs(failure, failures)), failures, lastError };
}

/** After outages of the platform. */
const RETRY: RetryPolicy = { firstMs: 2 * MINUTE_MS, maxMs: HOUR_MS, jitter: 0 };

function pauseMs({ kind }: Failure, failures: number): number {
  switch (kind) {
    case "auth":
      return AUTH_RECHECK_MS;
    case "budget":
      return BUDGET_MS;
    case "permanent":
    case "circuit":
      return SEARCH_PAUSE_MS;
    case "rate":
    case "temporary":
      return pauseAfter(RETRY, failures);
  }
}

/**
 * What the owner of a search should know about the comparison of stored postings with their platform; undefined while it
 * keeps to the platform's term.
 */
export function recheckWarning(
  { platform, doneAt, termMs, lastError }: RecheckRecord,
  now: number,
): string | undefined {
  if (now - doneAt <= termMs) return undefined;
  const since = new Date(doneAt).toISOString();
  const why = lastError ?? "It continues by itself.";
  return `The stored postings of ${platform} have not all been compared with it since ${since}: some that are gone there may still be here. ${why}`;
}
