import type { Channel, GetMessage } from "amqplib";
import type { DeadLetter } from "../queue.js";
import { readEpitaph } from "./envelope.js";
import { closeChannel, type Link } from "./link.js";
import { answerWithin, brokerAway, closeCode, pause } from "./patience.js";
import type { Publisher } from "./publisher.js";
import type { Topology } from "./topology.js";

export interface DeadLettersOptions {
  link: Link;
  topology: Topology;
  publisher: Publisher;
  timeoutMs: number;
}

interface Held {
  letter: DeadLetter;
  message: GetMessage;
}

const LOCK_POLL_MS = 50;
/** A quorum queue that is given back more than it can take in at once mixes them up. */
const RETURNED_AT_ONCE = 16;
/** The id of a letter is its queue and the id of its message. */
const ID = /^(?<queue>[^\0]{1,200})\/(?<messageId>[^/\0]{1,255})$/s;

/**
 * The dead letters of a broker that can only hand out its oldest message: letters are taken in order, kept
 * unacknowledged while they are looked at, and given back in order. Only the letter that is dropped, or is safely back in
 * its queue, is acknowledged; so nothing is lost however this ends. An exclusive queue, which goes with its connection,
 * keeps two readers from each seeing half of the letters.
 */
export class DeadLetters {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: DeadLettersOptions) {}

  async count(queue: string): Promise<number> {
    const { link, topology } = this.options;
    await topology.ready(queue);
    const channel = await link.session().channel();
    try {
      return await topology.readyIn(topology.names(queue).dead, channel);
    } finally {
      await closeChannel(channel);
    }
  }

  list(queue: string, limit: number): Promise<DeadLetter[]> {
    return this.reading(queue, async (take) => {
      const letters: DeadLetter[] = [];
      while (letters.length < limit) {
        const held = await take();
        if (held === undefined) break;
        letters.push(held.letter);
      }
      return letters.sort((a, b) => Date.parse(a.diedAt) - Date.parse(b.diedAt));
    });
  }

  retry(id: string): Promise<boolean> {
    const { publisher } = this.options;
    return this.ending(id, ({ queue, body }) => publisher.publish(queue, body, { attempts: 0, remainingMs: 0 }));
  }

  drop(id: string): Promise<boolean> {
    return this.ending(id, () => Promise.resolve());
  }

  /** Removes the letter with this id after `first`; false when there is none. */
  private async ending(id: string, first: (letter: DeadLetter) => Promise<void>): Promise<boolean> {
    this.options.link.session();
    const { queue } = ID.exec(id)?.groups ?? {};
    if (queue === undefined) return false;
    return this.reading(queue, async (take, remove) => {
      for (let held = await take(); held !== undefined; held = await take()) {
        if (held.letter.id !== id) continue;
        await first(held.letter);
        remove(held);
        return true;
      }
      return false;
    });
  }

  /** One reader at a time, here and, by a lock, everywhere. */
  private reading<T>(
    queue: string,
    read: (take: () => Promise<Held | undefined>, remove: (held: Held) => void) => Promise<T>,
  ): Promise<T> {
    const turn = this.turn.then(async () => {
      const release = await this.lock(queue);
      try {
        return await this.readLocked(queue, read);
      } finally {
        await release();
      }
    });
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  private async readLocked<T>(
    queue: string,
    read: (take: () => Promise<Held | undefined>, remove: (held: Held) => void) => Promise<T>,
  ): Promise<T> {
    const name = this.options.topology.names(queue).dead;
    const channel = await this.options.link.session().channel();
    const held: Held[] = [];
    const take = async (): Promise<Held | undefined> => {
      const message = await this.next(name, channel);
      if (message === undefined) return undefined;
      const taken = { message, letter: toDeadLetter(queue, message) };
      held.push(taken);
      return taken;
    };
    const remove = (taken: Held): void => {
      channel.ack(taken.message);
      held.splice(held.indexOf(taken), 1);
    };
    try {
      return await read(take, remove);
    } finally {
      await this.putBack(channel, held, name);
      await closeChannel(channel);
    }
  }

  private async next(name: string, channel: Channel): Promise<GetMessage | undefined> {
    try {
      const message = await answerWithin(this.options.timeoutMs, `read ${name}`, channel.get(name));
      return message === false ? undefined : message;
    } catch (error) {
      // A queue that never was has no letters.
      if (closeCode(error) === 404) return undefined;
      throw error;
    }
  }

  /** The oldest first. Never fails: what goes back by itself, with its channel, only loses its place. */
  private async putBack(channel: Channel, held: Held[], name: string): Promise<void> {
    const { topology, timeoutMs } = this.options;
    held.sort((a, b) => Date.parse(a.letter.diedAt) - Date.parse(b.letter.diedAt));
    const deadline = performance.now() + timeoutMs;
    try {
      let expected = held.length > 0 ? await topology.readyIn(name, channel) : 0;
      for (let begin = 0; begin < held.length; begin += RETURNED_AT_ONCE) {
        const some = held.slice(begin, begin + RETURNED_AT_ONCE);
        for (const { message } of some) channel.nack(message, false, true);
        expected += some.length;
        // Also for the next reader, who must not find the queue without them.
        while ((await topology.readyIn(name, channel)) < expected && performance.now() < deadline);
      }
    } catch {
      // The channel is gone, and with it went everything back.
    }
  }

  /** Waits for the lock; returns what releases it. */
  private async lock(queue: string): Promise<() => Promise<void>> {
    const { link, timeoutMs, topology } = this.options;
    const name = `${topology.names(queue).dead}.lock`;
    const session = link.session();
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      const channel = await session.channel();
      try {
        const declaring = channel.assertQueue(name, { durable: false, exclusive: true });
        await answerWithin(timeoutMs, `lock ${name}`, declaring);
        return () => this.unlock(channel, name);
      } catch (error) {
        await closeChannel(channel);
        if (closeCode(error) !== 405) throw error;
      }
      await pause(LOCK_POLL_MS, session.lost);
    }
    throw brokerAway(`another process reads the dead letters of ${queue}`);
  }

  private async unlock(channel: Channel, name: string): Promise<void> {
    try {
      await answerWithin(this.options.timeoutMs, `unlock ${name}`, channel.deleteQueue(name));
    } catch {
      // It went with its connection.
    }
    await closeChannel(channel);
  }
}

function toDeadLetter(queue: string, message: GetMessage): DeadLetter {
  const { id, ...rest } = readEpitaph(message);
  const { buffer, byteOffset, byteLength } = message.content;
  return { id: `${queue}/${id}`, queue, body: new Uint8Array(buffer, byteOffset, byteLength), ...rest };
}
