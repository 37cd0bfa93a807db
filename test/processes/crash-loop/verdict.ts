import type { Deployment } from "../../support/deployment.js";
import type { Promises } from "./promises.js";
import type { Traffic } from "./traffic.js";

/** The outcome of the accepted operations. `lost`, `twice` and `broken` must be empty. */
export interface Verdict {
  accepted: number;
  deleted: number;
  done: number;
  failed: number;
  /** Ids that never ended. */
  lost: number[];
  /** Ids that ended more than once, or changed after their end. */
  twice: number[];
  /** All other broken promises. */
  broken: string[];
}

/**
 * Waits until all operations have ended, at most `drainMs`; then reads each again, when nothing may change any more.
 */
export async function reachVerdict(
  deployment: Deployment,
  traffic: Traffic,
  { promises, drainMs }: { promises: Promises; drainMs: number },
): Promise<Verdict> {
  const lost = await drain(traffic, promises, drainMs);
  const ids = new Set(promises.due.map(({ id }) => id));
  const again = [...deployment.endings].filter(([id, times]) => ids.has(id) && times > 1).map(([id]) => id);
  return {
    accepted: promises.accepted.length,
    deleted: promises.accepted.length - promises.due.length,
    done: promises.count("done"),
    failed: promises.count("failed"),
    lost,
    twice: [...new Set([...again, ...promises.changed])],
    broken: [...promises.broken, ...deployment.errors],
  };
}

/** One line for a person. */
export function describeVerdict({ lost, twice, broken, ...figures }: Verdict): string {
  const faults = { lost: lost.length, twice: twice.length, broken: broken.length };
  return Object.entries({ ...figures, ...faults })
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

async function drain(traffic: Traffic, promises: Promises, drainMs: number): Promise<number[]> {
  const giveUpAt = performance.now() + drainMs;
  const lost: number[] = [];
  for (const promised of promises.due) {
    if (!(await traffic.awaitEnd(promised, giveUpAt))) lost.push(promised.id ?? 0);
  }
  for (const promised of promises.due) await traffic.read(promised);
  return lost;
}
