import type { Queue } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { type AttemptTimes, bar, endAttempt, forgetAttempt, markAbandoned } from "./creation-attempts.js";
import { erasePartsOf } from "../records/cleanup-notes.js";
import type { CreationAttempt } from "../records/operation.js";
import { publishRelease } from "./publish-release.js";

export interface AttemptWatchDeps {
  collections: Collections;
  queue: Queue;
  times: AttemptTimes;
  now: () => number;
}

const BATCH_MAX = 1000;

/**
 * Finds creations whose process died, and releases the files that they claimed. Since the clocks of two processes may
 * differ, an attempt counts as dead once this process has seen no heartbeat for long enough by its own monotonic clock.
 */
export class AttemptWatch {
  private seen = new Map<number, { beats: number; since: number }>();

  constructor(private readonly deps: AttemptWatchDeps) {}

  async sweep(): Promise<void> {
    const { collections, times, now } = this.deps;
    const open = await collections.attempts.find({ state: "open" }, { sort: [["id", 1]], limit: BATCH_MAX });
    const seen: typeof this.seen = new Map();
    for (const attempt of open) {
      const before = this.seen.get(attempt.id);
      const since = before?.beats === attempt.beats ? before.since : performance.now();
      seen.set(attempt.id, { beats: attempt.beats, since });
      if (performance.now() - since > times.deadMs) await this.settle(attempt);
    }
    this.seen = seen;
    const past = await collections.attempts.find({ dueAt: { lte: now() } }, { limit: BATCH_MAX });
    for (const attempt of past) await forgetAttempt(collections, attempt);
  }

  /** The state changes last, so that everything is repeated after a crash in between. */
  private async settle({ id }: CreationAttempt): Promise<void> {
    const { collections, queue, now } = this.deps;
    if (!(await bar(collections, id, now()))) return endAttempt(collections, id);
    await erasePartsOf(collections, id);
    await publishRelease(queue, id);
    // Media has the message but may not have handled it: a retry with the key releases the files before it claims any.
    await markAbandoned(collections, id, { now: now(), freeKey: false });
  }
}
