import type { Measurements, Reading } from "../telemetry/measurements.js";
import type { Queue } from "./queue.js";

/** Reports the depth, age and dead letters of queues at every scrape. Each queue is reported by one kind of process. */
export function addQueueGauges(
  { queue, metrics }: { queue: Queue; metrics: Measurements },
  names: readonly string[],
): void {
  const ofEach = (read: (name: string) => Promise<number | undefined>) => async () => {
    const values = await Promise.all(names.map(read));
    return names.flatMap((name, index) => reading(name, values[index]));
  };
  const gauge = (name: string, help: string, read: (name: string) => Promise<number | undefined>) =>
    metrics.gauge(name, help, ofEach(read), ["queue"]);
  gauge("hourglass_queue_depth", "Messages that wait or are in work", (name) => queue.depth(name));
  gauge("hourglass_dead_letters", "Messages that were given up", (name) => queue.countDead(name));
  gauge(
    "hourglass_queue_oldest_seconds",
    "Time for which the message that waits longest could have been delivered",
    (name) => queue.oldestSeconds(name),
  );
}

/** Nothing for what the queue cannot tell. */
function reading(queue: string, value: number | undefined): Reading[] {
  return value === undefined ? [] : [{ labels: { queue }, value }];
}
