import type { ConfirmChannel, Message } from "amqplib";
import { newMessageId, type Headers } from "./message-headers.js";
import { closeChannel, type BrokerConnection, type Session, brokerUnavailable } from "./rabbit-connection.js";
import type { Topology } from "./topology.js";

interface PublisherOptions {
  connection: BrokerConnection;
  topology: Topology;
  /** Time limit for the confirm of a message. */
  confirmTimeoutMs: number;
}

interface Outgoing {
  /** Name of the queue on the broker. */
  key: string;
  body: Uint8Array;
  headers: Headers;
}

/** A connection's channel for publishing. */
interface PublishChannel {
  session: Session;
  channel: Promise<ConfirmChannel>;
  /** Messages that were returned as unroutable and whose confirm is still pending. */
  returned: Set<string>;
  /** Callbacks that stop waiting for pending confirms. */
  waiting: Set<(detail: string) => void>;
  /** Set when a message was not confirmed in time: nothing more is published here. */
  abandoned: boolean;
}

const BLOCKED = "the broker is short of memory or disk and takes no messages";
/** Limits of unconfirmed messages and bytes, so that a broker that confirms nothing does not fill memory. */
const UNCONFIRMED_MAX = 20_000;
const UNCONFIRMED_BYTES_MAX = 256 * 1024 * 1024;

/** Time for a broker that blocks the connection to confirm the messages received before. */
const BLOCKED_GRACE_MS = 500;

/** Publishes messages. Each promise resolves once a queue has the message on disk, or rejects in bounded time. */
export class Publisher {
  private current: PublishChannel | undefined;
  private unconfirmed = 0;
  private unconfirmedBytes = 0;

  constructor(private readonly options: PublisherOptions) {}

  /** Publishes to the queue. */
  publish(queue: string, body: Uint8Array): Promise<void> {
    return this.send(queue, { key: this.options.topology.names(queue).work, body, headers: {} });
  }

  /** Publishes to the dead letters of the queue. */
  bury(queue: string, body: Uint8Array, headers: Headers): Promise<void> {
    return this.send(queue, { key: this.options.topology.names(queue).dead, body, headers });
  }

  /** Flushes what was published. */
  async close(): Promise<void> {
    const channel = await this.current?.channel.catch(() => undefined);
    if (channel !== undefined) await closeChannel(channel);
  }

  private async send(queue: string, message: Outgoing): Promise<void> {
    const { topology } = this.options;
    for (const last of [false, true]) {
      // Checked first: without a connection, or with a blocked one, waiting is pointless.
      const session = this.usableSession();
      await topology.ready(queue);
      const target = this.channelOf(session);
      if (await this.publishOnce(target, await target.channel, message)) return;
      topology.forget(queue);
      if (last) throw brokerUnavailable(`no queue takes what is published to ${queue}`);
    }
  }

  private usableSession(): Session {
    const session = this.options.connection.session();
    if (session.blocked) throw brokerUnavailable(BLOCKED);
    if (this.unconfirmed >= UNCONFIRMED_MAX || this.unconfirmedBytes >= UNCONFIRMED_BYTES_MAX) {
      throw brokerUnavailable("too many messages wait for the broker's confirm");
    }
    return session;
  }

  private channelOf(session: Session): PublishChannel {
    if (this.current?.session === session) return this.current;
    const target: PublishChannel = {
      session,
      channel: session.confirmChannel(),
      returned: new Set(),
      waiting: new Set(),
      abandoned: false,
    };
    const leave = (): void => {
      if (this.current === target) this.current = undefined;
    };
    this.current = target;
    session.onBlocked(() => {
      setTimeout(() => this.giveUp(target), BLOCKED_GRACE_MS).unref();
    });
    target.channel.then((channel) => {
      channel.on("return", ({ properties }: Message) => target.returned.add(String(properties.messageId)));
      channel.on("close", leave);
    }, leave);
    return target;
  }

  /** Fails the pending messages of a blocked connection; the broker may still accept them later. */
  private giveUp({ session, waiting }: PublishChannel): void {
    if (!session.blocked) return;
    for (const late of waiting) late(BLOCKED);
  }

  /** A broker that lost track of one channel may confirm on another, so the next message gets a new channel. */
  private abandon(target: PublishChannel): void {
    // A blocked broker confirms later, and a new channel would not help.
    if (target.session.blocked) return;
    target.abandoned = true;
    if (this.current === target) this.current = undefined;
  }

  /** False if the message was unroutable. */
  private publishOnce(target: PublishChannel, channel: ConfirmChannel, message: Outgoing): Promise<boolean> {
    const { returned, waiting } = target;
    const { key, body, headers } = message;
    const messageId = newMessageId();
    const { byteLength } = body;
    const content = Buffer.from(body.buffer, body.byteOffset, byteLength);
    return new Promise((resolve, reject) => {
      const waitNoLonger = (): void => {
        clearTimeout(timer);
        waiting.delete(late);
        if (target.abandoned && waiting.size === 0) void closeChannel(channel);
      };
      const late = (detail: string): void => {
        waitNoLonger();
        reject(brokerUnavailable(detail));
      };
      const timer = setTimeout(() => {
        this.abandon(target);
        late("a message was not confirmed in time");
      }, this.options.confirmTimeoutMs);
      waiting.add(late);
      const confirmed = (error: unknown): void => {
        waitNoLonger();
        this.unconfirmed -= 1;
        this.unconfirmedBytes -= byteLength;
        const unwanted = returned.delete(messageId);
        if (error instanceof Error) reject(brokerUnavailable("the broker did not take a message", error));
        else resolve(!unwanted);
      };
      this.unconfirmed += 1;
      this.unconfirmedBytes += byteLength;
      try {
        channel.sendToQueue(key, content, { persistent: true, mandatory: true, messageId, headers }, confirmed);
      } catch (error) {
        // The channel closed before the listeners were added: the next message gets another channel.
        if (this.current === target) this.current = undefined;
        confirmed(error);
      }
    });
  }
}
