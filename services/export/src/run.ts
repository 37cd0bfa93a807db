import { RunExportSchema } from "@hourglass/proto/job/v1/job";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import {
  AppError,
  DEFAULT_JOB_POLICY,
  failpoint,
  type LeasedJob,
  type JobEnd,
  type JobKind,
  jobMessage,
  type Lane,
  logFields,
  type Logger,
  PostponedError,
  queuesOf,
} from "@hourglass/runtime";
import type { InsightCalls } from "./insight.js";
import { renderExport } from "./render/render.js";
import { EXPORT, EXPORT_LANE, expiryOf, type ExportRecord, type ExportRepository, fileSetOf } from "./store.js";

const [queue] = queuesOf(RunExportSchema) as [string];

const LANE: Lane = { name: EXPORT_LANE, queue };

/** The job kind of exports. */
export const EXPORT_KIND: JobKind<ExportRecord> = {
  name: EXPORT,
  message: jobMessage(RunExportSchema, "exportId"),
  lanes: { shared: LANE, perCompany: [], laneOf: () => LANE },
  policy: DEFAULT_JOB_POLICY,
  tooManyCode: "too_many_unfinished_exports",
  sentences: {
    gaveUp:
      "The export did not succeed in several attempts. Create the export again, or ask the operator of this server.",
    needsNewerRelease: (unknown) =>
      `No worker of this server knows: ${unknown}. Create the export again once the server is up to date.`,
    tooMany: "Too many exports of your company are unfinished. Try again later.",
  },
  findUnknown: () => undefined,
  costOf: () => 1,
  spanAttributes: ({ insights }) => ({ "hourglass.insights": insights.length }),
};

export interface RunDeps {
  repository: ExportRepository;
  insight: InsightCalls;
  /** Days until exports expire; 0: never. */
  days: number;
  log: Logger;
  now: () => number;
}

/** Pauses between two counts of the postings that are not analyzed yet, in milliseconds: longer if there are more. */
const RECOUNT_MS = { min: 500, max: 30_000, perPosting: 5 } as const;
const AWAY_MS = 5_000;
/** An export fails once a service or storage that it needs has been unavailable this long, in milliseconds. */
const AWAY_MAX_MS = 60 * 60_000;

/** The work of the job. */
export class ExportRun {
  constructor(private readonly deps: RunDeps) {}

  /**
   * Waits, without a place in the worker, until the postings of an export are analyzed, then renders them. Ends `failed` if
   * an insight is deleted or the storage of files is full; while a service or storage is unavailable, the export is postponed,
   * for an hour at most.
   */
  async run(job: LeasedJob<ExportRecord>): Promise<JobEnd<ExportRecord>> {
    try {
      await this.waitForAnalyses(job);
      return await this.render(job);
    } catch (error) {
      job.lease.require();
      return endOf(error) ?? (await this.postpone(job, error));
    }
  }

  /** Throws PostponedError while postings are not analyzed: the worker puts the job back for later. */
  private async waitForAnalyses({ record, lease, update }: LeasedJob<ExportRecord>): Promise<void> {
    const { insight } = this.deps;
    const { total, unanalysed } = await insight.count(record, lease.signal);
    const isReady = unanalysed === 0;
    // The storage of files may still be unavailable once the postings are ready.
    const counted = { total, analysed: total - unanalysed, ...(isReady ? {} : { awaySince: null }) };
    await update(counted);
    if (isReady) return;
    const { min, max, perPosting } = RECOUNT_MS;
    const delayMs = Math.min(max, Math.max(min, unanalysed * perPosting));
    throw new PostponedError("postings of an export are not analyzed yet", { delayMs, isExpected: true });
  }

  private async render({ record, lease }: LeasedJob<ExportRecord>): Promise<JobEnd<ExportRecord>> {
    const { repository, insight, days, log, now } = this.deps;
    const { id: exportId, companyId } = record;
    const fileSet = await repository.beginFiles({ id: fileSetOf(record), exportId, companyId });
    try {
      const postings = withFailpoint(insight.stream(record, lease.signal));
      const onRows = (count: number): void => void lease.report(count);
      const { rows, files } = await renderExport(postings, fileSet.sinks, { signal: lease.signal, onRows });
      const coverage = await insight.coverage(record, lease.signal);
      lease.require();
      failpoint("export.after_render");
      const counts = { rows, total: rows, analysed: rows };
      const expiresAt = expiryOf(now(), days);
      return {
        to: "done",
        progress: rows,
        fields: { ...counts, coverage, fileSet: fileSet.id, files: { ...files }, expiresAt },
      };
    } catch (error) {
      await repository.removeFiles(fileSet.id).catch((failure: unknown) => {
        log.warn(
          { err: failure, ...logFields(EXPORT_KIND, record) },
          "files could not be removed, the sweeper tries again",
        );
      });
      throw error;
    }
  }

  /** Postpones the export, unless what it needs has been unavailable too long. */
  private async postpone(
    { record: { awaySince }, update }: LeasedJob<ExportRecord>,
    cause: unknown,
  ): Promise<JobEnd<ExportRecord>> {
    const { now } = this.deps;
    const since = awaySince ?? now();
    if (now() - since >= AWAY_MAX_MS) return { to: "failed", error: AWAY };
    await update({ awaySince: since });
    throw new PostponedError("a part that the export needs is unavailable", { delayMs: AWAY_MS, cause });
  }
}

async function* withFailpoint(batches: AsyncIterable<readonly Posting[]>): AsyncGenerator<readonly Posting[]> {
  for await (const batch of batches) {
    yield batch;
    failpoint("export.mid_render");
  }
}

/** Undefined if the error is that something is unavailable. Throws the error if the export should be attempted again. */
function endOf(error: unknown): JobEnd<ExportRecord> | undefined {
  if (!(error instanceof AppError)) throw error;
  if (error.kind === "not-found") return { to: "failed", error: DELETED };
  if (error.code === "storage_full") return { to: "failed", error: FULL };
  if (error.kind !== "unavailable") throw error;
  return undefined;
}

const DELETED = "An insight of this export was deleted before the export was done. Create the export again without it.";
const FULL =
  "There was no room for the files of the export. Create a smaller export, or ask the operator of this server to make room.";
const AWAY =
  "A part of the server that the export needs was unavailable for an hour. Create the export again, or ask the operator of this server.";
