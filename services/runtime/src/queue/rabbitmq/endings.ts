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
  /** Between tries to write down an outcome. */
  reconnect: Backoff;
}

const BACKOFF_MAX_MS = 60_000;

/**
 * Ends deliveries: runs the handler and writes down what it says. What follows from an outcome is published and
 * confirmed first and the message acknowledged then, so that a crash between the two doubles a message, never loses it.
 */
export class Endings {
  private moved = 0;

  constructor(private readonly options: EndingsOptions) {}

  /** Messages put back on the broker so far. */
  get movedBack(): number {
    return this.moved;
  }

  /** What becomes of a delivery; nothing when its delay is not over and it is no delivery yet. */
  async outcomeOf(claim: Claim): Promise<Outcome | undefined> {
    const { attemptsMax, handle, log, backoffMs } = this.options;
    const { attempt, signal, body } = claim;
    if (claim.envelope.remainingMs > 0) return undefined;
    // It took the process down each time: handing it out again would only do so once more.
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

  /** Writes the outcome down, however long the broker is away, unless the message is lost or was given back. */
  async end(claim: Claim, outcome: Outcome | undefined): Promise<void> {
    // Whether the handler was told to stop counts now, not when the broker is back.
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

  /** Puts the message back as if it had not been delivered, unless it is ending. Fails without the broker. */
  async giveBack(claim: Claim): Promise<void> {
    if (!claim.beginEnding()) return;
    await this.putBack(claim, claim.attempt - 1, claim.envelope.remainingMs);
    claim.acknowledge();
  }

  /** A delivery that was aborted and did not come to an end does not count. */
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
