import type { Delivery, Outcome, Queue } from "@hourglass/runtime";
import type { World } from "./support.js";

/** An instance that can die: it loses its connection without returning messages. */
export interface MortalQueue {
  queue: Queue;
  die(): Promise<void>;
}

/** A queue on separate data, with a lease, backoff and poll interval far below a second. */
export interface QueueWorld extends World {
  queue: Queue;
  /** Opens another instance on the same data: another process. */
  again: () => Promise<MortalQueue>;
  /** Maximum time until a dead consumer's messages are delivered again. */
  leaseMs: number;
}

export const DONE: Outcome = { kind: "done" };

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A test's record of a delivery. */
export interface Seen {
  text: string;
  attempt: number;
  at: number;
}

/** A handler that records deliveries and answers with `outcome`. */
export function recorder(outcome: (delivery: Delivery) => Outcome | Promise<Outcome> = () => DONE): {
  seen: Seen[];
  handle: (delivery: Delivery) => Promise<Outcome>;
} {
  const seen: Seen[] = [];
  const handle = async (delivery: Delivery): Promise<Outcome> => {
    seen.push({ text: new TextDecoder().decode(delivery.body), attempt: delivery.attempt, at: Date.now() });
    return outcome(delivery);
  };
  return { seen, handle };
}

/** A handler's work that the test ends. */
export function gate(): { passed: Promise<Outcome>; open: (outcome: Outcome) => void } {
  let open: (outcome: Outcome) => void = () => undefined;
  const passed = new Promise<Outcome>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
