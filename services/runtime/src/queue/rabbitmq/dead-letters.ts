import type { Channel, GetMessage } from "amqplib";
import { pause } from "../../process/pause.js";
import type { DeadLetter } from "../queue.js";
import { readDeadLetterHeaders } from "./message-headers.js";
import { closeChannel, type BrokerConnection, withTimeout, brokerUnavailable, closeCode } from "./rabbit-connection.js";
import type { Publisher } from "./publisher.js";
import type { Topology } from "./topology.js";

interface DeadLettersOptions {
  connection: BrokerConnection;
  topology: Topology;
  publisher: Publisher;
  timeoutMs: number;
}

interface TakenLetter {
  letter: DeadLetter;
  message: GetMessage;
}

const LOCK_POLL_MS = 50;
/** A quorum queue reorders messages when too many are returned at once. */
const RETURNED_AT_ONCE = 16;
/** The id of a letter consists of its queue and the id of its message. */
const ID = /^(?<queue>[^\0]{1,200})\/(?<messageId>[^/\0]{1,255})$/s;

/**
 * The dead letters on a broker that delivers only its oldest message: letters are taken in order, kept unacknowledged
 * while they are read, and returned in order. Only a letter that is dropped, or is safely back in its queue, is
 * acknowledged, so nothing is lost after a failure. An exclusive queue, deleted by the broker with its connection, is
 * the lock that keeps two readers from each seeing half of the letters.
 */
export class DeadLetters {
  private lastRead: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: DeadLettersOptions) {}

  async count(queue: string): Promise<number> {
    const { connection, topology } = this.options;
    await topology.ready(queue);
    const channel = await connection.session().channel();
    try {
      return await topology.readyIn(topology.names(queue).dead, channel);
    } finally {
      await closeChannel(channel);
    }
  }

  list(queue: string, limit: number): Promise<DeadLetter[]> {
    return this.exclusively(queue, async (take) => {
      const letters: DeadLetter[] = [];
      while (letters.length < limit) {
        const taken = await take();
        if (taken === undefined) break;
        letters.push(taken.letter);
      }
      return letters.sort((a, b) => Date.parse(a.diedAt) - Date.parse(b.diedAt));
    });
  }

  retry(id: string): Promise<boolean> {
    return this.removeAfter(id, ({ queue, body }) => this.options.publisher.publish(queue, body));
  }

  drop(id: string): Promise<boolean> {
    return this.removeAfter(id, () => Promise.resolve());
  }

  /** Runs `first`, then removes the letter with this id; false if there is none. */
  private async removeAfter(id: string, first: (letter: DeadLetter) => Promise<void>): Promise<boolean> {
    this.options.connection.session();
    const { queue } = ID.exec(id)?.groups ?? {};
    if (queue === undefined) return false;
    return this.exclusively(queue, async (take, remove) => {
      for (let taken = await take(); taken !== undefined; taken = await take()) {
        if (taken.letter.id !== id) continue;
        await first(taken.letter);
        remove(taken);
        return true;
      }
      return false;
    });
  }

  /** Allows one reader at a time, in this process and, by a lock, in all processes. */
  private exclusively<T>(
    queue: string,
    read: (take: () => Promise<TakenLetter | undefined>, remove: (taken: TakenLetter) => void) => Promise<T>,
  ): Promise<T> {
    const result = this.lastRead.then(async () => {
      const release = await this.lock(queue);
      try {
        return await this.readLocked(queue, read);
      } finally {
        await release();
      }
    });
    this.lastRead = result.catch(() => undefined);
    return result;
  }

  private async readLocked<T>(
    queue: string,
    read: (take: () => Promise<TakenLetter | undefined>, remove: (taken: TakenLetter) => void) => Promise<T>,
  ): Promise<T> {
    const name = this.options.topology.names(queue).dead;
    const channel = await this.options.connection.session().channel();
    const taken: TakenLetter[] = [];
    const take = async (): Promise<TakenLetter | undefined> => {
      const message = await this.next(name, channel);
      if (message === undefined) return undefined;
      const letter = { message, letter: toDeadLetter(queue, message) };
      taken.push(letter);
      return letter;
    };
    const remove = (letter: TakenLetter): void => {
      channel.ack(letter.message);
      taken.splice(taken.indexOf(letter), 1);
    };
    try {
      return await read(take, remove);
    } finally {
      await this.putBack(channel, taken, name);
      await closeChannel(channel);
    }
  }

  private async next(name: string, channel: Channel): Promise<GetMessage | undefined> {
    try {
      const message = await withTimeout(this.options.timeoutMs, `read ${name}`, channel.get(name));
      return message === false ? undefined : message;
    } catch (error) {
      // A queue that does not exist has no letters.
      if (closeCode(error) === 404) return undefined;
      throw error;
    }
  }

  /** Returns letters, oldest first. Never fails: letters requeued when the channel ends only lose their position. */
  private async putBack(channel: Channel, taken: TakenLetter[], name: string): Promise<void> {
    const { topology, timeoutMs } = this.options;
    taken.sort((a, b) => Date.parse(a.letter.diedAt) - Date.parse(b.letter.diedAt));
    const deadline = performance.now() + timeoutMs;
    try {
      let expected = taken.length > 0 ? await topology.readyIn(name, channel) : 0;
      for (let begin = 0; begin < taken.length; begin += RETURNED_AT_ONCE) {
        const some = taken.slice(begin, begin + RETURNED_AT_ONCE);
        for (const { message } of some) channel.nack(message, false, true);
        expected += some.length;
        // The next reader also depends on this: the letters must be in the queue again.
        while ((await topology.readyIn(name, channel)) < expected && performance.now() < deadline);
      }
    } catch {
      // The channel is gone, so the broker has requeued everything.
    }
  }

  /** Waits for the lock; returns a function that releases it. */
  private async lock(queue: string): Promise<() => Promise<void>> {
    const { connection, timeoutMs, topology } = this.options;
    const name = `${topology.names(queue).dead}.lock`;
    const session = connection.session();
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      const channel = await session.channel();
      try {
        const declaring = channel.assertQueue(name, { durable: false, exclusive: true });
        await withTimeout(timeoutMs, `lock ${name}`, declaring);
        return () => this.unlock(channel, name);
      } catch (error) {
        await closeChannel(channel);
        if (closeCode(error) !== 405) throw error;
      }
      await pause(LOCK_POLL_MS, session.lost);
    }
    throw brokerUnavailable(`another process reads the dead letters of ${queue}`);
  }

  private async unlock(channel: Channel, name: string): Promise<void> {
    try {
      await withTimeout(this.options.timeoutMs, `unlock ${name}`, channel.deleteQueue(name));
    } catch {
      // The lock ended with its connection.
    }
    await closeChannel(channel);
  }
}

function toDeadLetter(queue: string, message: GetMessage): DeadLetter {
  const { id, ...rest } = readDeadLetterHeaders(message);
  const { buffer, byteOffset, byteLength } = message.content;
  return { id: `${queue}/${id}`, queue, body: new Uint8Array(buffer, byteOffset, byteLength), ...rest };
}
