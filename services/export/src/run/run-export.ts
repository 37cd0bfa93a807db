import type { Posting } from "@hourglass/proto/insight/v1/posting";
import {
  AppError,
  failpoint,
  type Held,
  type JobEnd,
  type JobWork,
  logFields,
  type Logger,
  PostponedError,
} from "@hourglass/runtime";
import { countPostings, type Insight, readCoverage, streamPostings } from "../insight/insight-port.js";
import type { Collections } from "../records/collections.js";
import { EXPORT_KIND } from "../job/export-kind.js";
import { expiryOf } from "../records/dates.js";
import type { ExportRecord } from "../records/export.js";
import { beginFileSet, type FileSetDeps, removeFileSet } from "../records/file-sets.js";
import { type Rendered, renderExport } from "../render/index.js";

export interface RunExportDeps extends FileSetDeps {
  collections: Collections;
  insight: Insight;
  /** Days until exports expire; 0: never. */
  days: number;
  log: Logger;
}

/** Pauses between two looks at what is not analysed yet, in milliseconds: longer if more postings wait. */
const LOOK_AGAIN_MS = { min: 500, max: 30_000, perPosting: 5 } as const;
const AWAY_MS = 5_000;
/** An export fails once a part that it needs has been away this long, in milliseconds. */
const AWAY_MAX_MS = 60 * 60_000;

/**
 * The work of one export: waits, without a place in the worker, until its postings are analysed, then renders them. Ends
 * `failed` if an insight is deleted or the storage of files is full; a part that cannot be reached is waited for, for an
 * hour.
 */
export function createRunExport(deps: RunExportDeps): JobWork<ExportRecord> {
  return async (held) => {
    try {
      await requireAnalysed(deps, held);
      return await render(deps, held);
    } catch (error) {
      held.lease.require();
      return endOf(error) ?? (await waitFor(deps, held, error));
    }
  };
}

async function requireAnalysed(
  { insight, collections }: RunExportDeps,
  { record, lease }: Held<ExportRecord>,
): Promise<void> {
  const { total, unanalysed } = await countPostings(insight, record, lease.signal);
  const { id } = record;
  const isReady = unanalysed === 0;
  // The storage of files may still be away once the postings are ready.
  const counted = { total, analysed: total - unanalysed, ...(isReady ? {} : { awaySince: null }) };
  await collections.exports.update({ id, status: "running", leaseToken: lease.token }, { set: counted });
  if (isReady) return;
  const { min, max, perPosting } = LOOK_AGAIN_MS;
  const delayMs = Math.min(max, Math.max(min, unanalysed * perPosting));
  throw new PostponedError("postings of an export are not analysed yet", { delayMs, isExpected: true });
}

async function render(deps: RunExportDeps, { record, lease }: Held<ExportRecord>): Promise<JobEnd<ExportRecord>> {
  const { fileSet, sinks } = await beginFileSet(deps, {
    id: lease.token,
    exportId: record.id,
    companyId: record.companyId,
  });
  try {
    const postings = each(streamPostings(deps.insight, record, lease.signal), () => failpoint("export.mid_render"));
    const onRows = (rows: number): void => void lease.report(rows);
    const rendered = await renderExport(postings, sinks, { signal: lease.signal, onRows });
    const coverage = await readCoverage(deps.insight, record, lease.signal);
    lease.require();
    failpoint("export.after_render");
    return doneWith(rendered, { coverage, fileSet: fileSet.id, dueAt: expiryOf(deps.now(), deps.days) });
  } catch (error) {
    await removeFileSet(deps, fileSet.id).catch((failure: unknown) => {
      deps.log.warn(
        { err: failure, ...logFields(EXPORT_KIND, record) },
        "files could not be removed, the sweeper tries again",
      );
    });
    throw error;
  }
}

async function* each(batches: AsyncIterable<readonly Posting[]>, seen: () => void): AsyncGenerator<readonly Posting[]> {
  for await (const batch of batches) {
    yield batch;
    seen();
  }
}

function doneWith(
  { rows, files }: Rendered,
  stored: Pick<ExportRecord, "coverage" | "fileSet" | "dueAt">,
): JobEnd<ExportRecord> {
  return { to: "done", progress: rows, fields: { ...stored, rows, files: { ...files }, total: rows, analysed: rows } };
}

/** Undefined if the error is that a part is away. Throws it unless it ends the export. */
function endOf(error: unknown): JobEnd<ExportRecord> | undefined {
  if (!(error instanceof AppError)) throw error;
  if (error.kind === "not-found") return { to: "failed", error: DELETED };
  if (error.code === "storage_full") return { to: "failed", error: FULL };
  if (error.kind !== "unavailable") throw error;
  return undefined;
}

/** Postpones the export until the part is back, unless it has been away too long. */
async function waitFor(
  { collections, now }: RunExportDeps,
  { record: { id, awaySince }, lease }: Held<ExportRecord>,
  cause: unknown,
): Promise<JobEnd<ExportRecord>> {
  const since = awaySince ?? now();
  if (now() - since >= AWAY_MAX_MS) return { to: "failed", error: AWAY };
  await collections.exports.update({ id, status: "running", leaseToken: lease.token }, { set: { awaySince: since } });
  throw new PostponedError("a part that the export needs is away", { delayMs: AWAY_MS, cause });
}

const DELETED = "An insight of this export was deleted before the export was done. Create the export again without it.";
const FULL =
  "There was no room for the files of the export. Create a smaller export, or ask whoever runs this server to make room.";
const AWAY =
  "A part of the server that the export needs was away for an hour. Create the export again, or ask whoever runs this server.";
