import type { Measurements, Queue, Reading } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { LANE_QUEUES, LANES, SLOW_LANES } from "../outbox/lanes.js";
import { headsOf } from "../outbox/lines.js";
import { type OperationRecord, type OperationStatus, UNFINISHED } from "../records/operation.js";

export interface GaugesDeps {
  collections: Pick<Collections, "operations">;
  queue: Queue;
  metrics: Measurements;
  now: () => number;
}

/** So many of those next in line are looked at. With the first of every company among them, one of them is the oldest. */
const NEXT_IN_LINE = 16;

/** Says, whenever somebody scrapes, how much work there is. Every count is of an index, and no read walks a backlog. */
export function addGauges({ collections, queue, metrics, now }: GaugesDeps): void {
  const { operations } = collections;
  metrics.gauge(
    "hourglass_operations",
    "Operations that have not ended",
    () =>
      Promise.all(
        UNFINISHED.map(async (status) => ({ labels: { status }, value: await operations.count({ status }) })),
      ),
    ["status"],
  );
  metrics.gauge("hourglass_oldest_unfinished_seconds", "Age of the oldest operation that has not ended", async () => {
    const next = await Promise.all(UNFINISHED.map((status) => nextInLine(operations, status)));
    const oldest = Math.min(now(), ...next.flat().map(({ createdAt }) => createdAt));
    return (now() - oldest) / 1000;
  });
  const ofQueues = (read: (name: string) => Promise<number>) => (): Promise<Reading[]> =>
    Promise.all(
      LANES.map(async (lane) => ({ labels: { queue: LANE_QUEUES[lane] }, value: await read(LANE_QUEUES[lane]) })),
    );
  const depths = ofQueues((name) => queue.depth(name));
  metrics.gauge("hourglass_queue_depth", "Messages that wait or are in work", depths, ["queue"]);
  const dead = ofQueues((name) => queue.countDead(name));
  metrics.gauge("hourglass_dead_letters", "Messages that were given up", dead, ["queue"]);
}

/** Small texts by their turns, and the first of each company's other operations. */
async function nextInLine(operations: Collections["operations"], status: OperationStatus): Promise<OperationRecord[]> {
  const next = await operations.find({ status, line: null }, { sort: IN_TURN, limit: NEXT_IN_LINE });
  for (const lane of SLOW_LANES) {
    let heads = 0;
    for await (const head of headsOf(operations, { lane, status })) {
      next.push(head);
      if (++heads >= NEXT_IN_LINE) break;
    }
  }
  return next;
}

const IN_TURN = [
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof OperationRecord, 1][];
