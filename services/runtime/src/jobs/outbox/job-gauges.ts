import { addQueueGauges } from "../../queue/queue.js";
import type { Reading } from "../../telemetry/measurements.js";
import type { JobContext } from "../record/job-context.js";
import { lanesOf } from "../record/job-kind.js";
import { type JobRecord, type JobStatus, UNFINISHED } from "../record/job-record.js";
import { headsOf, IN_TURN } from "./company-lines.js";

type GaugesDeps<R extends JobRecord> = Pick<JobContext<R>, "kind" | "jobs" | "queue" | "metrics" | "now">;

/** Number of next jobs to read. They include the first job of every company, so one of them is the oldest. */
const NEXT_IN_LINE = 16;

/** Reports the backlog at every scrape. Every count uses an index, and no read scans the backlog. */
export function addJobGauges<R extends JobRecord>(deps: GaugesDeps<R>): void {
  const { kind, jobs, queue, metrics } = deps;
  const countOf = async (status: JobStatus): Promise<Reading> => ({
    labels: { kind: kind.name, status },
    value: await jobs.count({ status }),
  });
  metrics.gauge("hourglass_jobs", "Jobs that have not ended", () => Promise.all(UNFINISHED.map(countOf)), [
    "kind",
    "status",
  ]);
  metrics.gauge(
    "hourglass_oldest_unfinished_seconds",
    "Age of the oldest job that has not ended",
    async () => [{ labels: { kind: kind.name }, value: await oldestSeconds(deps) }],
    ["kind"],
  );
  const queues = lanesOf(kind.lanes).map((lane) => lane.queue);
  addQueueGauges({ queue, metrics }, queues);
}

async function oldestSeconds<R extends JobRecord>(deps: GaugesDeps<R>): Promise<number> {
  const now = deps.now();
  const next = await Promise.all(UNFINISHED.map((status) => nextInLine(deps, status)));
  const oldest = Math.min(now, ...next.flat().map(({ createdAt }) => createdAt));
  return (now - oldest) / 1000;
}

/** The next jobs of the shared lane, and the first job of each company's line in the other lanes. */
async function nextInLine<R extends JobRecord>({ kind, jobs }: GaugesDeps<R>, status: JobStatus): Promise<R[]> {
  const next = await jobs.find({ status, line: null }, { sort: IN_TURN, limit: NEXT_IN_LINE });
  for (const lane of kind.lanes.perCompany) {
    let heads = 0;
    for await (const head of headsOf(jobs, { lane, status })) {
      next.push(head);
      if (++heads >= NEXT_IN_LINE) break;
    }
  }
  return next;
}
