import type { Measurements, Queue, Reading } from "@hourglass/runtime";
import type { Collections } from "./collections.js";
import { type OperationRecord, UNFINISHED } from "./operation.js";
import { RUN_QUEUE } from "./publish.js";

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
    const next = await Promise.all(
      UNFINISHED.map((status) => operations.find({ status }, { sort: IN_TURN, limit: NEXT_IN_LINE })),
    );
    const oldest = Math.min(now(), ...next.flat().map(({ createdAt }) => createdAt));
    return (now() - oldest) / 1000;
  });
  const ofQueue = (value: number): Reading[] => [{ labels: { queue: RUN_QUEUE }, value }];
  metrics.gauge(
    "hourglass_queue_depth",
    "Messages that wait or are in work",
    async () => ofQueue(await queue.depth(RUN_QUEUE)),
    ["queue"],
  );
  metrics.gauge(
    "hourglass_dead_letters",
    "Messages that were given up",
    async () => ofQueue(await queue.countDead(RUN_QUEUE)),
    ["queue"],
  );
}

const IN_TURN = [
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof OperationRecord, 1][];
