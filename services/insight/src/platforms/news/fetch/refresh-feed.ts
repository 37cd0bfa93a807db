import { createHash } from "node:crypto";
import { type DueClaim, failpoint, type HttpClient, type Logger } from "@hourglass/runtime";
import { NoFeedError } from "../feed/parse-feed.js";
import type { FeedReading } from "../reading/read-feed.js";
import type { ReadFeed } from "../reading/reading-thread.js";
import { readerNameOf } from "./feed-urls.js";
import type { FeedProblem, FeedRecord } from "../store/feed-record.js";
import type { FeedChange, FeedStore } from "../store/feed-store.js";
import { type FeedAnswer, type FeedAt, fetchFeed } from "./fetch-feed.js";
import { nextTime, nextTimeAfterFailure, type Pauses } from "./next-time.js";
import { problemOfDocument } from "./problems.js";

export interface RefreshDeps {
  readonly feeds: FeedStore;
  readonly http: HttpClient;
  readonly readFeed: ReadFeed;
  readonly pauses: Pauses;
  readonly log: Logger;
  readonly now: () => number;
}

/** What was done for a feed. */
export interface Refresh {
  /** Requests sent. */
  readonly requests: number;
  /** Entries that could not be read. */
  readonly skipped: number;
}

/**
 * Fetches a feed if it is due and no other process does, and stores its new items and its state in one commit. A failure of
 * the feed is part of its state; throws the reason of the signal.
 */
export async function refreshFeed(deps: RefreshDeps, record: FeedRecord, signal: AbortSignal): Promise<Refresh> {
  const claim = await deps.feeds.claim(record);
  if (claim === undefined) return { requests: 0, skipped: 0 };
  failpoint("collector.news.claimed");
  const attempt: Attempt = { claim, startedAt: deps.now() };
  try {
    const answer = await fetchFeed(deps.http, claim.record, signal);
    failpoint("collector.news.fetched");
    return { requests: 1, skipped: await settle(deps, attempt, answer) };
  } catch (error) {
    // Another poll may fetch it at once.
    await claim.reschedule(record.dueAt).catch(() => undefined);
    throw error;
  }
}

interface Attempt {
  readonly claim: DueClaim<FeedRecord>;
  /** The next time counts from here, so that a poll of the same interval never comes just too early. */
  readonly startedAt: number;
}

/** Returns the number of entries that could not be read. */
async function settle(deps: RefreshDeps, attempt: Attempt, answer: FeedAnswer): Promise<number> {
  switch (answer.kind) {
    case "problem":
      await settleProblem(deps, attempt, answer);
      return 0;
    case "unchanged":
      await deps.feeds.settle(attempt.claim, answeredChange(deps, attempt, answer.at));
      return 0;
    case "document":
      return settleDocument(deps, attempt, answer);
  }
}

interface Failed {
  readonly problem: FeedProblem;
  readonly at: FeedAt;
}

async function settleProblem(deps: RefreshDeps, { claim }: Attempt, { problem, at }: Failed): Promise<void> {
  const { id, url, address, failures: before } = claim.record;
  const failures = before + 1;
  // Where the feed moved to, there is none: next time the address that was named is tried again.
  const hasMoved = address !== url && (problem.kind === "refused" || problem.kind === "gone");
  const kind = hasMoved ? "refused" : problem.kind;
  const dueAt = nextTimeAfterFailure({ kind, freshness: at.freshness, failures }, deps.pauses, deps.now());
  deps.log.info({ feed: id, host: new URL(url).host, failures, problem: problem.message }, "a feed could not be read");
  const home = hasMoved ? { address: url, etag: null, lastModified: null } : {};
  await deps.feeds.settle(claim, { ...home, dueAt, failures, failedAt: deps.now(), problem });
}

type Document = Extract<FeedAnswer, { kind: "document" }>;

async function settleDocument(deps: RefreshDeps, attempt: Attempt, answer: Document): Promise<number> {
  const { at, bytes, contentType } = answer;
  const { claim } = attempt;
  const documentHash = createHash("sha256").update(bytes).digest("base64url");
  const validators = { etag: at.etag, lastModified: at.lastModified, documentHash };
  if (documentHash === claim.record.documentHash) {
    await deps.feeds.settle(claim, { ...answeredChange(deps, attempt, at), ...validators });
    return 0;
  }
  const name = readerNameOf(claim.record.url);
  const reading = await readingOf(deps, { bytes, contentType, url: at.url, name, readAt: deps.now() });
  if ("problem" in reading) {
    await settleProblem(deps, attempt, { problem: reading.problem, at });
    return 0;
  }
  const { wishes, postings, skipped, isCut, lacksNewest, isTruncated } = reading;
  // What a truncated document lacks must not be answered with 304, as its validators may be those of the whole one.
  const known = isTruncated ? { etag: null, lastModified: null, documentHash: null } : validators;
  const change = { ...answeredChange(deps, attempt, at, wishes), ...known, isCut, lacksNewest };
  await deps.feeds.settleWith(claim, change, postings);
  return skipped;
}

/** The state of a feed that was answered. A 304 repeats no validators; they stay. */
function answeredChange(
  { pauses, now }: RefreshDeps,
  { claim, startedAt }: Attempt,
  { address, freshness }: FeedAt,
  wishes = claim.record.wishes,
): FeedChange {
  const dueAt = nextTime({ wishes, freshness }, pauses, startedAt);
  return { dueAt, address, wishes, readAt: now(), failures: 0, problem: null };
}

async function readingOf(
  { readFeed }: RefreshDeps,
  document: Parameters<ReadFeed>[0],
): Promise<FeedReading | { readonly problem: FeedProblem }> {
  try {
    return await readFeed(document);
  } catch (error) {
    if (!(error instanceof NoFeedError)) throw error;
    return { problem: problemOfDocument(error.reason) };
  }
}
