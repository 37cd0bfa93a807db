import { type Logger, repeat, type Stoppable } from "@hourglass/runtime";
import type { SummaryMark } from "../../records/summary.js";
import { type CountDeps, countMarked } from "./count-marked.js";

export interface CountingDeps extends CountDeps {
  log: Logger;
  /** Interval between looks at what is due. Default 1,000 ms. */
  everyMs?: number;
}

const EVERY_MS = 1_000;
/** Buckets counted before it looks again. */
const AT_ONCE = 100;

/** Counts marked buckets once they have not changed for a while. Any number of processes may do so. */
export function startCounting(deps: CountingDeps): Stoppable {
  const { log, everyMs = EVERY_MS } = deps;
  let isStopping = false;
  const counting = repeat(async () => {
    try {
      return (await countDue(deps, () => isStopping)) ? 0 : everyMs;
    } catch (error) {
      log.warn({ err: error }, "summaries could not be counted, trying again");
      return everyMs;
    }
  });
  return {
    stop: (graceMs) => {
      isStopping = true;
      return counting.stop(graceMs);
    },
  };
}

/** Counts some of what is due; false if there is no more. */
async function countDue(deps: CountDeps, isStopping: () => boolean): Promise<boolean> {
  const due = await deps.collections.summaryMarks.find(
    { dueAt: { lte: deps.now() } },
    { sort: [["dueAt", 1]], limit: AT_ONCE },
  );
  for (const marks of ofEachInsight(due)) {
    if (isStopping()) return false;
    await countMarked(deps, marks);
  }
  return due.length === AT_ONCE;
}

function ofEachInsight(marks: readonly SummaryMark[]): SummaryMark[][] {
  const insights = new Map<number, SummaryMark[]>();
  for (const mark of marks) {
    const others = insights.get(mark.insightId);
    if (others === undefined) insights.set(mark.insightId, [mark]);
    else others.push(mark);
  }
  return [...insights.values()];
}
