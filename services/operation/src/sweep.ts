import { CHORE_KIND, choreKind, DueJobs, type DueJobsOptions, dueKind } from "@hourglass/runtime";
import type { CreationAttempts } from "./attempts.js";
import type { OperationErasure } from "./erase.js";
import type { Media } from "./media.js";
import type { CleanupNote, CreationAttempt, OperationRepository } from "./store.js";

export interface SweepDeps extends Pick<DueJobsOptions, "queue" | "log" | "metrics" | "now" | "checkMs"> {
  repository: OperationRepository;
  erasure: OperationErasure;
  attempts: CreationAttempts;
  /** How long a claim lasts, in milliseconds. */
  leaseMs: number;
  /** Undefined: operations are kept until they are deleted. */
  retentionDays: number | undefined;
  /** Required to release files, and to erase operations past their retention. */
  media: Media | undefined;
}

const [NOTE_KIND, ATTEMPT_KIND] = ["cleanup-note", "creation-attempt"] as const;
/** The kinds of work that sweep. */
export const SWEEP_KINDS: readonly string[] = [NOTE_KIND, ATTEMPT_KIND, CHORE_KIND];

/** Records in work at a time in one process. */
const PLACES = 4;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Removes what crashes and late workers left of operations and of their creations, and erases expired operations. */
export function createSweeps(deps: SweepDeps): DueJobs {
  const { repository, erasure, attempts, leaseMs, retentionDays, media, ...options } = deps;
  const { collections } = repository;
  const shared = { leaseMs, deletes: true, ownerOf: ({ companyId = 0 }: { companyId?: number }) => companyId };
  const notes = dueKind<CleanupNote>({
    ...shared,
    name: NOTE_KIND,
    records: collections.cleanupNotes,
    failure: "remains of an operation could not be removed",
    work: (claim) => erasure.processNote(claim, media),
  });
  const past = dueKind<CreationAttempt>({
    ...shared,
    name: ATTEMPT_KIND,
    records: collections.attempts,
    failure: "remains of a creation could not be removed",
    work: (claim) => attempts.deleteRemains(claim, media),
  });
  // Present without a retention, too: the process that publishes it may not have the settings of the one that does it.
  const eraseExpired = async (stopping: AbortSignal) => {
    if (retentionDays === undefined || media === undefined) return false;
    return erasure.eraseExpired(retentionDays * DAY_MS, media, stopping);
  };
  const retention = { name: "retention", everyMs: HOUR_MS, work: eraseExpired };
  const kinds = [notes, past, choreKind(collections.chores, [retention], options)];
  return new DueJobs({ ...options, name: "operation.sweep", kinds, places: PLACES });
}
