import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../errors/app-error.js";
import { inSpan } from "../../telemetry/spans.js";
import type { JobContext } from "../record/job-context.js";
import { logFields } from "../record/job-kind.js";
import type { JobRecord } from "../record/job-record.js";
import { jobAttributes } from "../record/job-spans.js";
import type { JobEnd } from "./job-work.js";
import type { Held } from "./lease.js";

const COMMIT_AGAIN_MS = 250;

/** Ends the job, unless this worker has lost it; then another worker ends it. */
export async function endJob<R extends JobRecord>(deps: JobContext<R>, held: Held<R>, end: JobEnd<R>): Promise<void> {
  const { kind, metrics, log } = deps;
  const attributes = { ...jobAttributes(kind, held.record.id), [`hourglass.${kind.name}.status`]: end.to };
  const record = await inSpan({ name: `commit ${kind.name}`, attributes }, () => commit(deps, held, end));
  if (record === undefined) return;
  metrics.countJobEnded({ kind: kind.name, status: record.status });
  log.info({ ...logFields(kind, record), status: record.status, run: record.runs }, `${kind.name} ended`);
  if (record.runs > 1) await deps.cleanUp(record);
}

/** Retries as long as the lease lasts, so that a short outage of the store does not waste minutes of work. */
async function commit<R extends JobRecord>(
  { jobs, now }: JobContext<R>,
  { record, lease }: Held<R>,
  { to, error, progress, fields = {} }: JobEnd<R>,
): Promise<R | undefined> {
  const said = { ...(error === undefined ? {} : { error }), ...(progress === undefined ? {} : { progress }) };
  for (;;) {
    try {
      return await jobs.transition(record.id, {
        from: "running",
        to,
        where: { leaseToken: lease.token },
        set: { ...said, finishedAt: now(), leaseExpiresAt: null },
        fields,
      });
    } catch (failure) {
      if (lease.isLost || !isAway(failure)) throw failure;
      await sleep(COMMIT_AGAIN_MS);
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.kind === "unavailable";
}
