import { randomUUID } from "node:crypto";
import type { Channel, ConsumeMessage } from "amqplib";
import type { Logger } from "../../log.js";
import { pauseAfter, type RetryPolicy } from "../../process/retry-policy.js";
import { pause } from "../../process/pause.js";
import { type Consumer, type Delivery, endHandlers, handled, type Outcome } from "../queue.js";
import { redeliveries, writeDeadLetterHeaders } from "./message-headers.js";
import type { Publisher } from "./publisher.js";
import {
  closeChannel,
  endOf,
  type ChannelEnd,
  type BrokerConnection,
  type Session,
  withTimeout,
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
  /** Pauses until a message is put back whose delivery failed. */
  redelivery: RetryPolicy;
  /** A consumer that is idle for this long subscribes again. */
  renewMs: number;
  reconnect: RetryPolicy;
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
    this.looping = this.loop();
  }

  /** Number of messages delivered here that are not acknowledged yet. */
  get inWork(): number {
    return this.claims.size;
  }

  /** The channel of the deliveries: a request on it is answered after the deliveries sent before. */
  get deliveries(): Channel | undefined {
    return this.channel;
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    const attached = await this.attaching.catch(() => undefined);
    if (attached !== undefined) await this.cancel(attached.channel);
    for (const claim of this.waiting.splice(0)) claim.putBack();
    const abort = () => this.claims.forEach((claim) => claim.abort("the consumer has stopped"));
    await endHandlers(() => this.running, { graceMs, abort });
    for (const claim of this.claims) claim.putBack();
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
      await pause(pauseAfter(reconnect, failures), this.stopping.signal);
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
      claim.putBack();
      return;
    }
    this.handling += 1;
    const delivering = this.deliver(claim)
      .catch((error: unknown) => this.log.warn({ err: error }, "could not end a delivery"))
      .finally(() => this.running.delete(delivering));
    this.running.add(delivering);
  }

  private async deliver(claim: Claim): Promise<void> {
    const { body, attempt, signal } = claim;
    let outcome: Outcome | undefined;
    try {
      outcome = await handled({ body, attempt, signal }, { ...this.options, log: this.log });
      // Meanwhile its place stays taken, since the broker delivers at once what is put back.
      if (outcome === undefined) await pause(pauseAfter(this.context.redelivery, attempt), signal);
    } finally {
      this.handling -= 1;
      this.next();
    }
    if (outcome?.kind === "dead") await this.bury(claim, outcome.reason);
    if (outcome === undefined) claim.putBack();
    else claim.acknowledge();
  }

  /**
   * Publishes a dead letter, however long the broker is unavailable, unless the message is lost or was put back. It is
   * confirmed before the message is acknowledged, so that a crash in between duplicates the message but never loses it.
   */
  private async bury({ body, attempt, over }: Claim, reason: string): Promise<void> {
    const { publisher, reconnect } = this.context;
    const headers = writeDeadLetterHeaders({ attempts: attempt, reason, diedAt: new Date().toISOString() });
    for (let failures = 1; !over.aborted; failures += 1) {
      try {
        await publisher.bury(this.options.queue, body, headers);
        return;
      } catch (error) {
        if (failures === 1) this.log.warn({ err: error }, "could not write down a dead letter; trying again");
        await pause(pauseAfter(reconnect, failures), over);
      }
    }
  }
}

/** A message that was delivered here and has not ended. It can be ended only on the channel of its delivery. */
class Claim {
  readonly body: Uint8Array;
  readonly attempt: number;
  private readonly stop = new AbortController();
  private readonly release = new AbortController();

  constructor(
    readonly channel: Channel,
    private readonly message: ConsumeMessage,
  ) {
    const { buffer, byteOffset, byteLength } = message.content;
    this.body = new Uint8Array(buffer, byteOffset, byteLength);
    this.attempt = redeliveries(message) + 1;
  }

  /** The signal passed to the handler. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Aborted once the message has ended, was put back, or is lost. */
  get over(): AbortSignal {
    return this.release.signal;
  }

  /** Aborts the handler's signal. */
  abort(reason: string): void {
    this.stop.abort(new Error(reason));
  }

  /** Removes the message from the broker. */
  acknowledge(): void {
    this.end(() => this.channel.ack(this.message));
  }

  /** Has the broker deliver the message again, perhaps to another consumer. */
  putBack(): void {
    this.end(() => this.channel.nack(this.message, false, true));
  }

  /** The channel is gone: the broker delivers the message again, perhaps to another consumer. */
  lose(reason: string): void {
    if (!this.over.aborted) this.abort(reason);
    this.end(() => undefined);
  }

  private end(answer: () => void): void {
    if (this.over.aborted) return;
    this.release.abort();
    try {
      answer();
    } catch {
      // The channel has just closed, which puts the message back.
    }
  }
}
