import { AppError, HttpFailure, pauseAfter } from "@hourglass/runtime";
import { coverAbandoned, markMissed, missingReason } from "../coverage.js";
import { type GapReason, PlatformError, type PlatformErrorKind } from "../platforms/connector.js";
import type { Poll, SearchRecord, SearchStatus } from "../store/records.js";
import {
  nextPollAt,
  PREVIEW_PATIENCE_MS,
  REFUSALS_MAX,
  PAGE_RETRY,
  SEARCH_PAUSE_MS,
  spread,
} from "./schedule-policy.js";
import type { Turn } from "./turn.js";

/** Why a page could not be fetched or stored; `circuit`: the platform was not asked, because it failed other searches. */
export interface Failure {
  kind: PlatformErrorKind | "circuit";
  /** A sentence for the owner of the search. */
  message: string;
  /** Earliest time of the next request, in milliseconds since the epoch. */
  retryAt: number | undefined;
  /** Requests sent, as far as is known. */
  requests: number;
  /** Set for a failure that no connector foresees. */
  unforeseen?: unknown;
}

/** Reads a failure of a connector. Rethrows a failure of the store, which says nothing about the platform. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PlatformError) {
    const { kind, message, retryAt, requests } = error;
    return { kind, message, retryAt, requests };
  }
  if (error instanceof HttpFailure) return failureOfRequest(error);
  if (error instanceof AppError && error.kind === "unavailable") throw error;
  const message = "The platform's answer could not be used. It is asked again; if this continues, ask the operator.";
  return { kind: "temporary", message, retryAt: undefined, requests: 1, unforeseen: error };
}

function failureOfRequest(failure: HttpFailure): Failure {
  const requests = failure.kind === "refused" || failure.kind === "unknown-host" ? 0 : 1;
  // A resolver that is unavailable for a moment knows no host.
  const isTemporary = !failure.permanent || failure.kind === "unknown-host";
  return { kind: isTemporary ? "temporary" : "permanent", message: failure.message, retryAt: undefined, requests };
}

/** What follows a failure. */
interface Consequence {
  status: SearchStatus;
  reason: GapReason;
  dueAt: number;
  /** Null: the next poll starts again at the cursor. */
  poll: Poll | null;
  /** Polls that failed in sequence. */
  failures: number;
  lastError: string;
  /** Whether a preview gives up. */
  isFinal: boolean;
}

/** Fields of a search after a failure. */
export function afterFailure(turn: Turn, poll: Poll, failure: Failure): Partial<SearchRecord> {
  const { search, context } = turn;
  const { reason, isFinal, ...rest } = consequenceOf(turn, poll, failure);
  const counts = { ...search.counts, requests: search.counts.requests + failure.requests };
  const missed = missingReason(search.status) ?? reason;
  const read = rest.poll === null ? coverAbandoned(search.coverage, poll, missed) : search.coverage;
  const coverage = markMissed(read, { from: poll.since, to: context.now() }, missed);
  const fields = { ...rest, nextAt: rest.dueAt, counts, coverage, fillTriedAt: search.fillTriedAt };
  if (!search.preview || !(isFinal || rest.dueAt - context.now() > PREVIEW_PATIENCE_MS)) return fields;
  return { ...fields, ...GIVEN_UP };
}

/** Fields of a search of a preview that failed. */
export const GIVEN_UP = { poll: null, dueAt: null, nextAt: null, outcome: "failed" } as const;

function consequenceOf(turn: Turn, poll: Poll, failure: Failure): Consequence {
  switch (failure.kind) {
    case "auth":
      return rejected(turn, poll, failure);
    case "budget":
      return spent(turn, poll, failure);
    case "circuit":
      return held(turn, poll, failure);
    case "permanent":
      return refused(turn, failure);
    case "rate":
    case "temporary":
      return poll.failures + 1 < PAGE_RETRY.attemptsMax ? retried(turn, poll, failure) : givenUp(turn, poll, failure);
  }
}

/** The same for all searches on the platform: none of them asks until the credentials are tried again. */
function rejected({ search, context }: Turn, poll: Poll, { message }: Failure): Consequence {
  const until = context.gates.close(search.platform, message, context.now());
  return {
    status: "auth_failed",
    reason: "not_configured",
    dueAt: spread(search.id, until),
    poll: kept(poll),
    failures: search.failures + 1,
    lastError: message,
    isFinal: true,
  };
}

function spent({ search, context }: Turn, poll: Poll, { message, retryAt }: Failure): Consequence {
  return {
    status: "budget_spent",
    reason: "budget",
    dueAt: spread(search.id, retryAt ?? context.now() + SEARCH_PAUSE_MS),
    poll: kept(poll),
    failures: search.failures,
    lastError: message,
    isFinal: false,
  };
}

function held({ search, context }: Turn, poll: Poll, { message, retryAt }: Failure): Consequence {
  return {
    status: "failing",
    reason: "outage",
    dueAt: spread(search.id, retryAt ?? context.now()),
    poll: poll.pages === 0 && poll.failures === 0 ? null : poll,
    failures: search.failures,
    lastError: message,
    isFinal: false,
  };
}

function refused({ search, context, connector }: Turn, { message, retryAt }: Failure): Consequence {
  const { cadence } = context;
  const now = context.now();
  const failures = search.failures + 1;
  const pauses = failures >= REFUSALS_MAX;
  const next = nextPollAt(search.id, { cadence, connector, now });
  return {
    status: "failing",
    reason: "outage",
    dueAt: Math.max(retryAt ?? 0, next, pauses ? now + SEARCH_PAUSE_MS : 0),
    poll: null,
    failures,
    lastError: pauses ? `${message} ${PAUSED}` : message,
    isFinal: true,
  };
}

/** Most by which a retry is later than its platform permits it, in milliseconds. */
const PERMITTED_SPREAD_MS = 1_000;

function retried({ search, context }: Turn, poll: Poll, { message, retryAt: permitted }: Failure): Consequence {
  const attempts = poll.failures + 1;
  return {
    status: "failing",
    reason: "outage",
    dueAt:
      permitted === undefined
        ? context.now() + pauseAfter(PAGE_RETRY, attempts, context.random())
        : spread(search.id, permitted, PERMITTED_SPREAD_MS),
    poll: { ...poll, failures: attempts },
    failures: search.failures,
    lastError: message,
    isFinal: false,
  };
}

/** Pauses the search. A token that fails again and again may have expired, so it is kept for some polls only. */
function givenUp({ search, context }: Turn, poll: Poll, { message, retryAt }: Failure): Consequence {
  const failures = search.failures + 1;
  return {
    status: "failing",
    reason: "outage",
    dueAt: Math.max(retryAt ?? 0, context.now() + SEARCH_PAUSE_MS),
    poll: failures < REFUSALS_MAX ? kept(poll) : null,
    failures,
    lastError: `${message} ${PAUSED}`,
    isFinal: true,
  };
}

const PAUSED = `It failed repeatedly, so the next attempt is in ${SEARCH_PAUSE_MS / 60_000} minutes at the earliest.`;

/** A poll that has stored nothing starts again, with the time of its next turn. */
function kept(poll: Poll): Poll | null {
  return poll.pages === 0 ? null : { ...poll, failures: 0 };
}
