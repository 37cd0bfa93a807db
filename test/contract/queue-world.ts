import type { Delivery, Outcome, Queue } from "@hourglass/runtime";
import type { World } from "./support.js";

/** An instance that can die: it loses its connection without giving anything back. */
export interface MortalQueue {
  queue: Queue;
  die(): Promise<void>;
}

/** A queue on data of its own, with a lease, backoff and poll interval far below a second. */
export interface QueueWorld extends World {
  queue: Queue;
  /** Opens one more instance on the same data: another process. */
  again: () => Promise<MortalQueue>;
  /** How long a dead consumer's messages stay away at most. */
  leaseMs: number;
}

export const DONE: Outcome = { kind: "done" };

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What a test keeps of a delivery. */
export interface Seen {
  text: string;
  attempt: number;
  at: number;
}

/** A handler that writes down what comes and answers with `outcome`. */
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
