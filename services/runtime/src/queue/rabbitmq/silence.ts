import { pause } from "./patience.js";

/** A consumer's subscription, as far as it takes to tell whether it is alive. */
export interface Subscription {
  /** Messages that wait in the queue now, asked where deliveries come by: it is answered after those before it. */
  countReady: () => Promise<number>;
  /** Messages delivered so far. */
  deliveries: () => number;
  /** Whether nothing is in work, so that whatever waits ought to come. */
  isIdle: () => boolean;
}

/**
 * True once messages were ready for `silenceMs` and an idle consumer was brought none of them; false when the signal is
 * aborted before. A broker loses subscriptions without saying so: RabbitMQ 3.10, when a quorum queue is deleted and
 * declared again under load, may count the consumer among those of the new queue and bring it nothing ever again.
 * Rejects when the queue cannot be counted: it is gone, or the broker does not answer.
 */
export async function isForgotten(subscription: Subscription, silenceMs: number, over: AbortSignal): Promise<boolean> {
  const { countReady, deliveries, isIdle } = subscription;
  /** Deliveries so far when messages were first seen that ought to have come. */
  let suspectedAt: number | undefined;
  for (;;) {
    await pause(silenceMs, over);
    if (over.aborted) return false;
    const before = deliveries();
    const overdue = isIdle() && (await countReady()) > 0 && isIdle() && deliveries() === before;
    if (overdue && suspectedAt === before) return !over.aborted;
    suspectedAt = overdue ? before : undefined;
  }
}
