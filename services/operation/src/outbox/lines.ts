import type { Collection } from "@hourglass/runtime";
import type { SlowLane } from "./lanes.js";
import type { OperationRecord, OperationStatus } from "../records/operation.js";

/** In each line the operations of one company, in the order in which they came. */
const IN_LINE = [
  ["line", 1],
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof OperationRecord, 1][];

/** The first operation of every line that has some in that state; one look at the index for each. */
export async function* headsOf(
  operations: Collection<OperationRecord>,
  { lane, status }: { lane: SlowLane; status: OperationStatus },
): AsyncGenerator<OperationRecord & { line: string }> {
  let after = `${lane}:`;
  for (;;) {
    // `;` is the character behind `:`.
    const rest = { status, line: { gt: after, lt: `${lane};` } };
    const [head] = await operations.find(rest, { sort: IN_LINE, limit: 1 });
    if (typeof head?.line !== "string") return;
    after = head.line;
    yield { ...head, line: head.line };
  }
}
