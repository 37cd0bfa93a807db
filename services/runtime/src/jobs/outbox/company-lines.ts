import type { Lane } from "../record/job-kind.js";
import type { JobRecord, JobStatus } from "../record/job-record.js";
import type { JobStore } from "../record/job-store.js";

/** Index order: each line has the jobs of one company, in order of creation. */
const IN_LINE = [
  ["line", 1],
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof JobRecord, 1][];

/** The order of one line, and of the shared lane. */
export const IN_TURN = [
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof JobRecord, 1][];

/** The first job of each line of the lane that has jobs in that state; one index lookup per line. */
export async function* headsOf<R extends JobRecord>(
  jobs: JobStore<R>,
  { lane: { name }, status }: { lane: Lane; status: JobStatus },
): AsyncGenerator<R & { line: string }> {
  let after = `${name}:`;
  for (;;) {
    // `;` is the character after `:`.
    const rest = { status, line: { gt: after, lt: `${name};` } };
    const [head] = await jobs.find(rest, { sort: IN_LINE, limit: 1 });
    if (typeof head?.line !== "string") return;
    after = head.line;
    yield { ...head, line: head.line };
  }
}
