import { randomUUID } from "node:crypto";
import type { Channel, ConsumeMessage } from "amqplib";
import type { Logger } from "../../log/logger.js";
import type { Consumer, Delivery, Outcome } from "../queue.js";
import { Claim } from "./claim.js";
import { Endings } from "./endings.js";
import { closeChannel, endOf, type ChannelEnd, type Link, type Session } from "./link.js";
import { answerWithin, backoff, pause, type Backoff } from "./patience.js";
import type { Publisher } from "./publisher.js";
import type { Topology } from "./topology.js";

export interface ConsumerOptions {
  queue: string;
  prefetch: number;
  attemptsMax: number;
  handle: (delivery: Delivery) => Promise<Outcome>;
}

export interface ConsumerGround {
  link: Link;
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

/** Time for an aborted handler to save its progress. */
const ABORTED_GRACE_MS = 1000;
/** Time for the broker to cancel a consumer that stops. */
const CANCEL_MS = 1000;
/** Time for giving back messages; the rest are requeued by the broker, which counts an attempt. */
const GIVE_BACK_MS = 3000;

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
  private readonly endings: Endings;
  private readonly log: Logger;
  private readonly looping: Promise<void>;
  private attaching: Promise<Attached | undefined> = Promise.resolve(undefined);
  private channel: Channel | undefined;
  private handling = 0;
  private delivered = 0;

  constructor(
    private readonly ground: ConsumerGround,
    private readonly options: ConsumerOptions,
  ) {
    this.log = ground.log.child({ queue: options.queue });
    this.endings = new Endings({ ...ground, ...options, log: this.log });
    this.looping = this.loop();
  }

  /** Number of messages delivered here that are not acknowledged yet. */
  get inWork(): number {
    return this.claims.size;
  }

  /** Messages put back on the broker so far. */
  get movedBack(): number {
    return this.endings.movedBack;
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
    await within(graceMs, this.running);
    for (const claim of this.claims) claim.abort("the consumer has stopped");
    await within(ABORTED_GRACE_MS, this.running);
    await this.giveBackAll(this.claims);
    // The broker requeues the messages that could not be given back individually.
    if (attached !== undefined) await closeChannel(attached.channel);
    attached?.end.letGo();
    await this.looping;
  }

  private async cancel(channel: Channel): Promise<void> {
    try {
      await answerWithin(CANCEL_MS, "cancel a consumer", channel.cancel(this.tag));
    } catch {
      // The channel is gone, or the broker is slow: messages that still arrive are given back.
    }
  }

  /** Never rejects: failures are retried. */
  private async loop(): Promise<void> {
    const { link, reconnect } = this.ground;
    for (let failures = 1; !this.stopping.signal.aborted; failures += 1) {
      const session = await link.up(this.stopping.signal);
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
      await pause(this.ground.renewMs, over);
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
    const { topology, timeoutMs } = this.ground;
    const { queue, prefetch } = this.options;
    await topology.ready(queue);
    const channel = await session.channel();
    const end = endOf(channel);
    try {
      await answerWithin(timeoutMs, "set the prefetch", channel.prefetch(prefetch));
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
    const { topology, timeoutMs } = this.ground;
    const { queue } = this.options;
    const receive = (message: ConsumeMessage | null): void => this.receive(channel, message);
    const consuming = channel.consume(topology.names(queue).work, receive, { consumerTag: this.tag });
    await answerWithin(timeoutMs, `consume ${queue}`, consuming);
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
      this.ground.topology.forget(this.options.queue);
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
      outcome = await this.endings.outcomeOf(claim);
    } finally {
      this.handling -= 1;
      this.next();
    }
    await this.endings.end(claim, outcome);
  }

  private async giveBack(claim: Claim): Promise<void> {
    await this.endings.giveBack(claim).catch((error: unknown) => {
      this.log.warn({ err: error }, "could not give back a message; the broker does, counting an attempt");
    });
  }

  private async giveBackAll(claims: Iterable<Claim>): Promise<void> {
    await within(
      GIVE_BACK_MS,
      [...claims].map((claim) => this.giveBack(claim)),
    );
  }
}

/** Resolves when all work has ended, or after `limitMs`. */
async function within(limitMs: number, work: Iterable<Promise<void>>): Promise<void> {
  const all = [...work];
  if (all.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([late, Promise.all(all)]);
  clearTimeout(timer);
}
