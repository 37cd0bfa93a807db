import { setTimeout as sleep } from "node:timers/promises";
import { AppError, openStorage, type Queue } from "@hourglass/runtime";
import type { Opening } from "./opening.js";

/** Opens the queue of all jobs; resolves once it answers. */
export async function openQueue({ config, log, lifecycle }: Opening): Promise<Queue> {
  const { queue } = await openStorage({ config, log, lifecycle, parts: ["queue"] });
  await untilReached(queue);
  return queue;
}

/** The broker is connected in the background; the command waits at most this long for it, in milliseconds. */
const CONNECT_MS = 10_000;
const LOOK_EVERY_MS = 100;

async function untilReached(queue: Queue): Promise<void> {
  const giveUpAt = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      await queue.ping();
      return;
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "unavailable" || performance.now() > giveUpAt) throw error;
    }
    await sleep(LOOK_EVERY_MS);
  }
}
