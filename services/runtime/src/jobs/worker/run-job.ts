import { failpoint } from "../../process/failpoint.js";
import type { Outcome } from "../../queue/queue.js";
import { inSpan, type Span, type SpanStart } from "../../telemetry/spans.js";
import type { JobContext } from "../record/job-context.js";
import { workerFailpoint } from "../record/job-failpoints.js";
import { logFields, type Lane } from "../record/job-kind.js";
import { backoffMs } from "../record/job-policy.js";
import type { JobRecord } from "../record/job-record.js";
import { jobAttributes, messagingAttributes, traceOf } from "../record/job-spans.js";
import { changeLane } from "./defer.js";
import { endJob } from "./end-job.js";
import { handBack as giveBack } from "./hand-back.js";
import type { JobWork } from "./job-work.js";
import { type Held, takeLease } from "./lease.js";
import { postpone } from "./postpone.js";
import { PostponedError } from "./postponed-error.js";
import { mayRequeue, requeueForNewerWorker } from "./requeue-for-newer-worker.js";

export interface RunDeps<R extends JobRecord> extends JobContext<R> {
  work: JobWork<R>;
  /** Called when a job has been taken from its queue. */
  onBegun: (held: Held<R>) => void;
}

export interface Run {
  /** The lane of the message. */
  lane: Lane;
  /** If it aborts, the job is handed back as if it had not begun. */
  handBack: AbortSignal;
}

const DONE: Outcome = { kind: "done" };

/** Runs the job that a message names, if this worker gets it. */
export async function runJob<R extends JobRecord>(deps: RunDeps<R>, id: number, run: Run): Promise<Outcome> {
  const { kind, metrics, now } = deps;
  failpoint(workerFailpoint(kind.name, "after_delivery"));
  const held = await takeLease(deps, id);
  // The job was deleted, has ended, or has another worker: a late or repeated message.
  if (held === undefined) return DONE;
  failpoint(workerFailpoint(kind.name, "after_lease"));
  const { record } = held;
  const own = kind.lanes.laneOf(record);
  if (run.lane === kind.lanes.shared && own !== run.lane) {
    await changeLane(deps, held);
    return DONE;
  }
  const { queue } = own;
  // Clocks of two processes may differ. Later runs say nothing about the initial wait.
  if (record.runs === 1) metrics.observeJobAge({ queue, seconds: Math.max(0, now() - record.createdAt) / 1000 });
  const startedAt = performance.now();
  let outcome: Outcome["kind"] | "error" = "error";
  try {
    const ended = await inSpan(spanOf(deps, record, queue), (span) => attempt(deps, held, { ...run, span }));
    outcome = ended.kind;
    return ended;
  } finally {
    metrics.observeJob({ queue, outcome, seconds: (performance.now() - startedAt) / 1000 });
  }
}

/** Continues the trace of the request that created the job, however long ago that was. */
function spanOf<R extends JobRecord>({ kind }: RunDeps<R>, record: R, queue: string): SpanStart {
  return {
    name: `process ${queue}`,
    kind: "consumer",
    parent: traceOf(record),
    attributes: {
      ...messagingAttributes(queue, "process"),
      ...jobAttributes(kind, record.id),
      ...kind.spanAttributes(record),
      "hourglass.run": record.runs,
    },
  };
}

async function attempt<R extends JobRecord>(
  deps: RunDeps<R>,
  held: Held<R>,
  { handBack, span }: Run & { span: Span | undefined },
): Promise<Outcome> {
  deps.onBegun(held);
  const interrupt = () => held.lease.interrupt(new Error("the worker is stopping"));
  handBack.addEventListener("abort", interrupt);
  if (handBack.aborted) interrupt();
  try {
    await carryOut(deps, held);
    return DONE;
  } catch (error) {
    if (!(error instanceof PostponedError && error.isExpected)) span?.fail(error);
    // The remaining work of the attempt is useless, and other jobs wait for its places.
    held.lease.interrupt(new Error("the attempt has failed", { cause: error }));
    return await recover(deps, held, { error, handBack });
  } finally {
    handBack.removeEventListener("abort", interrupt);
    held.lease.release();
    deps.onEnded(held.record.id);
  }
}

async function carryOut<R extends JobRecord>(deps: RunDeps<R>, held: Held<R>): Promise<void> {
  const { kind } = deps;
  const unknown = kind.findUnknown(held.record);
  if (unknown !== undefined) {
    if (mayRequeue(kind.policy, held.record)) await requeueForNewerWorker(deps, held, unknown);
    else await endJob(deps, held, { to: "failed", error: kind.sentences.needsNewerRelease(unknown) });
    return;
  }
  const end = await deps.work(held);
  held.lease.require();
  failpoint(workerFailpoint(kind.name, "before_done"));
  await endJob(deps, held, end);
  failpoint(workerFailpoint(kind.name, "before_ack"));
}

async function recover<R extends JobRecord>(
  deps: RunDeps<R>,
  held: Held<R>,
  { error, handBack }: { error: unknown; handBack: AbortSignal },
): Promise<Outcome> {
  const { kind, log } = deps;
  const { record, lease } = held;
  const known = { ...logFields(kind, record), run: record.runs };
  if (lease.isLost) {
    log.info(known, `${kind.name} was deleted or taken over, work dropped`);
    return DONE;
  }
  if (handBack.aborted) {
    await giveBack(deps, held, { countsAsAttempt: false });
    return { kind: "retry", delayMs: 0, reason: "the worker is stopping" };
  }
  if (error instanceof PostponedError && record.runs < error.runsMax) {
    if (error.isExpected) log.debug(known, error.message);
    else log.warn({ ...known, err: error.cause }, error.message);
    await postpone(deps, held, error.delayMs);
    return DONE;
  }
  return retryOrGiveUp(deps, held, error);
}

async function retryOrGiveUp<R extends JobRecord>(deps: RunDeps<R>, held: Held<R>, error: unknown): Promise<Outcome> {
  const { kind, log } = deps;
  const { attempts } = held.record;
  log.warn({ ...logFields(kind, held.record), attempt: attempts, err: error }, `${kind.name} did not succeed`);
  if (attempts >= kind.policy.attemptsMax) {
    await endJob(deps, held, { to: "failed", error: kind.sentences.gaveUp });
    return { kind: "dead", reason: `failed after ${attempts} attempts` };
  }
  await giveBack(deps, held, { countsAsAttempt: true });
  return { kind: "retry", delayMs: backoffMs(kind.policy, attempts), reason: "the attempt did not succeed" };
}
