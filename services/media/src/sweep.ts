import {
  type DueClaim,
  type Logger,
  makingRoom,
  repeat,
  type Repetition,
  startSchedule,
  type Stoppable,
} from "@hourglass/runtime";
import { type FileRecord, type FileRepository, REMOVE_AGAIN_MS } from "./store.js";

const SCHEDULE = { everyMs: 60_000, concurrency: 1, deletes: true, failure: "old files could not be removed" };

export interface SweepDeps {
  repository: FileRepository;
  log: Logger;
  now: () => number;
}

/**
 * Deletes files that no operation has used in time, and what crashes left of uploads, claims and deletions. Several
 * sweepers may run at once: each step is a conditional update that only one of them, or of the users of the file, can
 * win.
 */
export class FileSweeper {
  constructor(private readonly deps: SweepDeps) {}

  start(): Stoppable {
    const { repository, now, log } = this.deps;
    const { files, releases } = repository;
    const parts: Repetition[] = [
      startSchedule({ ...SCHEDULE, records: files, leaseMs: REMOVE_AGAIN_MS, now, log }, (due) => this.process(due)),
      // Needs no claim: deleting an expired record twice has no effect.
      repeat(async () => {
        await makingRoom(() => releases.delete({ dueAt: { lte: now() } })).catch((error: unknown) => {
          log.warn({ err: error }, "old records of releases could not be removed, trying again");
        });
        return SCHEDULE.everyMs;
      }),
    ];
    return { stop: async (graceMs) => void (await Promise.all(parts.map((part) => part.stop(graceMs)))) };
  }

  /** Performs the next step for a file that is due. A file that was changed in the meantime is left as it is. */
  private async process({ record: { state }, fence }: DueClaim<FileRecord>): Promise<void> {
    const { repository } = this.deps;
    const { files } = repository;
    const unchanged = { ...fence, state };
    if (state === "gone") {
      await files.delete(unchanged);
    } else if (state === "claiming") {
      await files.update(unchanged, { set: repository.asUnused() });
    } else {
      const record = await files.update(unchanged, { set: repository.asDeleting() });
      if (record !== undefined) await repository.remove(record);
    }
  }
}
