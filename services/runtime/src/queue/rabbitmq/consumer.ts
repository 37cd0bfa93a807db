import { randomUUID } from "node:crypto";
import type { Channel, ConsumeMessage } from "amqplib";
import type { Logger } from "../../log.js";
import { type Consumer, type Delivery, endHandlers, GIVE_BACK_MS, type Outcome, within } from "../queue.js";
import { readEnvelope, redeliveries, type Envelope, writeDeadLetterHeaders } from "./message-headers.js";
import type { Publisher } from "./publisher.js";
import {
  closeChannel,
  endOf,
  type ChannelEnd,
  type BrokerConnection,
  type Session,
  withTimeout,
  backoff,
  pause,
  type Backoff,
} from "./rabbit-connection.js";
import type { Topology } from "./topology.js";

interface ConsumerOptions {
  queue: string;
  prefetch: number;
  attemptsMax: number;
  handle: (delivery: Delivery) => Promise<Outcome>;
}

interface ConsumerContext {
  connection: BrokerConnection;
  topology: Topology;
  publisher: Publisher;
  log: Logger;
  timeoutMs: number;
  /** Pause after the first failed delivery; doubles with each. */
  backoffMs: number;
  /** A consumer that is idle for this long subscribes again. */
  renewMs: number;
  reconnect: Backoff;
}

/** Time for the broker to cancel a consumer that stops. */
const CANCEL_MS = 1000;

interface Attached {
  channel: Channel;
  end: ChannelEnd;
}

/** Delivers the messages of one queue until stopped, and moves to a new connection when one is lost. */
export class RabbitConsumer implements Consumer {
  private readonly tag = randomUUID();
  private readonly claims = new Set<Claim>();
  /** Messages delivered while handlers from a lost connection still run. */
  private readonly waiting: Claim[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly recorder: OutcomeRecorder;
  private readonly log: Logger;
  private readonly looping: Promise<void>;
  private attaching: Promise<Attached | undefined> = Promise.resolve(undefined);
  private channel: Channel | undefined;
  private handling = 0;
  private delivered = 0;

  constructor(
    private readonly context: ConsumerContext,
    private readonly options: ConsumerOptions,
  ) {
    this.log = context.log.child({ queue: options.queue });
    this.recorder = new OutcomeRecorder({ ...context, ...options, log: this.log });
    this.looping = this.loop();
  }

  /** Number of messages delivered here that are not acknowledged yet. */
  get inWork(): number {
    return this.claims.size;
  }

  /** Messages put back on the broker so far. */
  get movedBack(): number {
    return this.recorder.movedBack;
  }

  /** The channel of the deliveries: a request on it is answered after the deliveries sent before. */
  get deliveries(): Channel | undefined {
    return this.channel;
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    const attached = await this.attaching.catch(() => undefined);
    if (attached !== undefined) await this.cancel(attached.channel);
    await this.giveBackAll(this.waiting.splice(0));
    const abort = () => this.claims.forEach((claim) => claim.abort("the consumer has stopped"));
    await endHandlers(() => this.running, { graceMs, abort });
    await this.giveBackAll(this.claims);
    // The broker requeues the messages that could not be given back individually.
    if (attached !== undefined) await closeChannel(attached.channel);
    attached?.end.letGo();
    await this.looping;
  }

  private async cancel(channel: Channel): Promise<void> {
    try {
      await withTimeout(CANCEL_MS, "cancel a consumer", channel.cancel(this.tag));
    } catch {
      // The channel is gone, or the broker is slow: messages that still arrive are given back.
    }
  }

  /** Never rejects: failures are retried. */
  private async loop(): Promise<void> {
    const { connection, reconnect } = this.context;
    for (let failures = 1; !this.stopping.signal.aborted; failures += 1) {
      const session = await connection.up(this.stopping.signal);
      if (session === undefined) return;
      try {
        this.attaching = this.attach(session);
        const attached = await this.attaching;
        if (attached === undefined) return;
        failures = 0;
        const idle = await this.stay(attached);
        this.leave(attached.channel);
        if (idle) continue;
      } catch (error) {
        if (!session.lost.aborted) this.log.warn({ err: error }, "could not consume; trying again");
      }
      await pause(backoff(reconnect, failures), this.stopping.signal);
    }
  }

  /** Resolves when the channel has ended; true if it was ended only because it was idle. */
  private async stay({ channel, end }: Attached): Promise<boolean> {
    const over = new AbortController();
    let idle = false;
    const renew = (isIdle: boolean): void => {
      if (!isIdle) return;
      idle = true;
      end.letGo();
    };
    this.untilIdle(channel, AbortSignal.any([over.signal, this.stopping.signal])).then(renew, end.letGo);
    await end.reached;
    over.abort();
    if (!this.stopping.signal.aborted) await closeChannel(channel);
    return idle;
  }

  /**
   * Cancels the subscription and returns true once the channel has been idle for a while; returns false when the signal
   * is aborted. A broker can lose a subscription silently: when a quorum queue is deleted and declared again,
   * RabbitMQ 3.10 may count its consumers among those of the new queue, and assign them messages that never leave the
   * broker. Such a subscription cannot be distinguished from an idle one, so both are renewed.
   */
  private async untilIdle(channel: Channel, over: AbortSignal): Promise<boolean> {
    for (;;) {
      const before = this.delivered;
      await pause(this.context.renewMs, over);
      if (over.aborted) return false;
      if (this.claims.size > 0 || this.delivered !== before) continue;
      await this.cancel(channel);
      if (this.claims.size === 0) return true;
      // A message arrived just before the cancel. It can be ended only on this channel, so the channel is kept.
      if (this.stopping.signal.aborted) return false;
      await this.subscribe(channel);
    }
  }

  /** Starts to consume on a new channel; undefined if stopped meanwhile. */
  private async attach(session: Session): Promise<Attached | undefined> {
    const { topology, timeoutMs } = this.context;
    const { queue, prefetch } = this.options;
    await topology.ready(queue);
    const channel = await session.channel();
    const end = endOf(channel);
    try {
      await withTimeout(timeoutMs, "set the prefetch", channel.prefetch(prefetch));
      if (this.stopping.signal.aborted) throw new Error("stopped");
      // Set before the broker's answer, because deliveries follow it immediately.
      this.channel = channel;
      await this.subscribe(channel);
      return { channel, end };
    } catch (error) {
      topology.forget(queue);
      this.leave(channel);
      await closeChannel(channel);
      if (this.stopping.signal.aborted) return undefined;
      throw error;
    }
  }

  private async subscribe(channel: Channel): Promise<void> {
    const { topology, timeoutMs } = this.context;
    const { queue } = this.options;
    const receive = (message: ConsumeMessage | null): void => this.receive(channel, message);
    const consuming = channel.consume(topology.names(queue).work, receive, { consumerTag: this.tag });
    await withTimeout(timeoutMs, `consume ${queue}`, consuming);
  }

  /** Marks the unfinished messages of the channel as lost. */
  private leave(channel: Channel): void {
    if (this.channel === channel) this.channel = undefined;
    for (const claim of this.claims) {
      if (claim.channel !== channel) continue;
      claim.lose("the connection to the queue was lost; the message comes again");
      this.claims.delete(claim);
    }
  }

  private receive(channel: Channel, message: ConsumeMessage | null): void {
    if (message === null) {
      // The queue was deleted, or its node left. Closing the channel sets everything up again.
      this.context.topology.forget(this.options.queue);
      void closeChannel(channel);
      return;
    }
    this.delivered += 1;
    const claim = new Claim(channel, message);
    this.claims.add(claim);
    claim.over.addEventListener("abort", () => this.claims.delete(claim));
    this.waiting.push(claim);
    this.next();
  }

  private next(): void {
    while (this.handling < this.options.prefetch) {
      const claim = this.waiting.shift();
      if (claim === undefined) return;
      if (!claim.over.aborted) this.begin(claim);
    }
  }

  private begin(claim: Claim): void {
    if (this.stopping.signal.aborted) {
      this.track(this.giveBack(claim));
      return;
    }
    this.handling += 1;
    this.track(this.deliver(claim));
  }

  private track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.log.warn({ err: error }, "could not end a delivery"))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  private async deliver(claim: Claim): Promise<void> {
    let outcome: Outcome | undefined;
    try {
      outcome = await this.recorder.outcomeOf(claim);
    } finally {
      this.handling -= 1;
      this.next();
    }
    await this.recorder.end(claim, outcome);
  }

  private async giveBack(claim: Claim): Promise<void> {
    await this.recorder.giveBack(claim).catch((error: unknown) => {
      this.log.warn({ err: error }, "could not give back a message; the broker does, counting an attempt");
    });
  }

  /** What is not given back in time is requeued by the broker, which counts an attempt. */
  private async giveBackAll(claims: Iterable<Claim>): Promise<void> {
    await within(
      GIVE_BACK_MS,
      [...claims].map((claim) => this.giveBack(claim)),
    );
  }
}

type State = "handling" | "ending" | "over";

/** A message that was delivered here and has not ended. It can be ended only on the channel of its delivery. */
class Claim {
  readonly body: Uint8Array;
  readonly envelope: Envelope;
  /** 1 on first delivery. */
  readonly attempt: number;
  private readonly stop = new AbortController();
  private readonly release = new AbortController();
  private state: State = "handling";

  constructor(
    readonly channel: Channel,
    private readonly message: ConsumeMessage,
  ) {
    const { buffer, byteOffset, byteLength } = message.content;
    this.body = new Uint8Array(buffer, byteOffset, byteLength);
    this.envelope = readEnvelope(message);
    this.attempt = this.envelope.attempts + redeliveries(message) + 1;
  }

  /** The signal passed to the handler. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Aborted once the message has ended or is lost. */
  get over(): AbortSignal {
    return this.release.signal;
  }

  /** Aborts the handler's signal. */
  abort(reason: string): void {
    this.stop.abort(new Error(reason));
  }

  /** True if the caller may end the message; false if it is ending, has ended, or is lost. */
  beginEnding(): boolean {
    if (this.state !== "handling") return false;
    this.state = "ending";
    return true;
  }

  /** Removes the message from the broker. On a closed channel this has no effect, and the message is redelivered. */
  acknowledge(): void {
    if (this.state === "over") return;
    this.finish();
    try {
      this.channel.ack(this.message);
    } catch {
      // The channel has just closed.
    }
  }

  /** The channel is gone: the broker delivers the message again, possibly to another consumer. */
  lose(reason: string): void {
    if (this.state === "over") return;
    this.finish();
    this.abort(reason);
  }

  private finish(): void {
    this.state = "over";
    this.release.abort();
  }
}

interface OutcomeRecorderOptions {
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
class OutcomeRecorder {
  private moved = 0;

  constructor(private readonly options: OutcomeRecorderOptions) {}

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
      const headers = { attempts: attempt, reason: outcome.reason, diedAt: new Date().toISOString() };
      return publisher.bury(queue, claim.body, writeDeadLetterHeaders(headers));
    }
    return this.putBack(claim, aborted ? attempt - 1 : attempt, outcome.delayMs);
  }

  private async putBack(claim: Claim, attempts: number, remainingMs: number): Promise<void> {
    await this.options.publisher.publish(this.options.queue, claim.body, { attempts, remainingMs });
    this.moved += 1;
  }
}
