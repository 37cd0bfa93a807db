import type { Logger } from "../../log/logger.js";
import type { Delivery, Outcome } from "../queue.js";
import type { Claim } from "./claim.js";
import { writeEpitaph } from "./envelope.js";
import { backoff, pause, type Backoff } from "./patience.js";
import type { Publisher } from "./publisher.js";

export interface EndingsOptions {
  queue: string;
  attemptsMax: number;
  handle: (delivery: Delivery) => Promise<Outcome>;
  publisher: Publisher;
  log: Logger;
  /** Pause after the first failed delivery; doubles with each. */
  backoffMs: number;
  /** Pauses between attempts to record an outcome. */
  reconnect: Backoff;
}

const BACKOFF_MAX_MS = 60_000;

/**
 * Ends deliveries: runs the handler and records its outcome. The resulting message is published and confirmed before
 * the delivered one is acknowledged, so that a crash in between duplicates a message but never loses it.
 */
export class Endings {
  private moved = 0;

  constructor(private readonly options: EndingsOptions) {}

  /** Messages put back on the broker so far. */
  get movedBack(): number {
    return this.moved;
  }

  /** The outcome of a delivery; undefined if the delay of the message is not over and the handler was not run. */
  async outcomeOf(claim: Claim): Promise<Outcome | undefined> {
    const { attemptsMax, handle, log, backoffMs } = this.options;
    const { attempt, signal, body } = claim;
    if (claim.envelope.remainingMs > 0) return undefined;
    // The message crashed the process each time, so it is not delivered again.
    if (attempt > attemptsMax) return { kind: "dead", reason: `not one of ${attemptsMax} deliveries was ended` };
    try {
      return await handle({ body, attempt, signal });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (signal.aborted) return { kind: "retry", delayMs: 0, reason };
      log.warn({ err: error, attempt }, "delivery failed");
      return { kind: "retry", delayMs: backoff({ firstMs: backoffMs, maxMs: BACKOFF_MAX_MS }, attempt), reason };
    }
  }

  /** Records the outcome, however long the broker is unavailable, unless the message is lost or was given back. */
  async end(claim: Claim, outcome: Outcome | undefined): Promise<void> {
    // Read now: the handler's signal may be aborted later, while waiting for the broker.
    const aborted = claim.signal.aborted;
    if (!claim.beginEnding()) return;
    for (let failures = 1; !claim.over.aborted; failures += 1) {
      try {
        await this.write(claim, outcome, aborted);
        claim.acknowledge();
      } catch (error) {
        if (failures === 1) this.options.log.warn({ err: error }, "could not write down an outcome; trying again");
        await pause(backoff(this.options.reconnect, failures), claim.over);
      }
    }
  }

  /** Puts the message back as if it had not been delivered, unless it is ending. Fails if the broker is unavailable. */
  async giveBack(claim: Claim): Promise<void> {
    if (!claim.beginEnding()) return;
    await this.putBack(claim, claim.attempt - 1, claim.envelope.remainingMs);
    claim.acknowledge();
  }

  /** An aborted delivery that did not complete does not count as an attempt. */
  private async write(claim: Claim, outcome: Outcome | undefined, aborted: boolean): Promise<void> {
    const { publisher, queue, attemptsMax } = this.options;
    const { attempt, envelope } = claim;
    if (outcome === undefined) return this.putBack(claim, envelope.attempts, envelope.remainingMs);
    if (outcome.kind === "done") return;
    if (outcome.kind === "dead" || (attempt >= attemptsMax && !aborted)) {
      const epitaph = { attempts: attempt, reason: outcome.reason, diedAt: new Date().toISOString() };
      return publisher.bury(queue, claim.body, writeEpitaph(epitaph));
    }
    return this.putBack(claim, aborted ? attempt - 1 : attempt, outcome.delayMs);
  }

  private async putBack(claim: Claim, attempts: number, remainingMs: number): Promise<void> {
    await this.options.publisher.publish(this.options.queue, claim.body, { attempts, remainingMs });
    this.moved += 1;
  }
}
