import { AppError } from "@hourglass/runtime";
import type { Budget, CallerId, Holder } from "./limits.js";

/** Smaller records are not counted. In bytes. */
const LARGE_BYTES = 262_144;
/**
 * Concurrent reads of one user; the others wait for their turn. Each read that turns out small allows one more, up to
 * READS_MAX, and a large one resets this to READS_MIN.
 */
const READS_MIN = 8;
const READS_MAX = 32;
/**
 * Concurrent reads of records known to be large, over all users: each may block the event loop for tens of
 * milliseconds.
 */
const LARGE_READS_MAX = 2;
const SIZES_MAX = 10_000;

export interface RecordRead<T> {
  /** Key of the record, unique over all users. */
  readonly key: string;
  /** Receives how long the read has waited for its turn, in milliseconds, which counts toward its caller's timeout. */
  readonly load: (waitedMs: number) => Promise<T>;
  /** Approximate size of the loaded record in bytes. */
  readonly sizeOf: (record: T) => number;
  /** Whether loading may wait for an event; such a read takes no turn. */
  readonly waits: boolean;
}

/** Not a FairLimit of the runtime, since the number of turns changes with the size of each record read. */
interface Turns {
  taken: number;
  max: number;
  readonly waiting: (() => void)[];
}

/**
 * Reads records within the budget. A record known to be too large for the rest of the budget is refused before it is
 * loaded. Only a few loads of one user run at a time, so that a burst learns its size from the first ones.
 */
export class LargeRecords {
  private readonly sizes = new Map<string, number>();
  private readonly turns = new Map<CallerId | undefined, Turns>();
  private readonly largeWaiting = new RoundRobin<CallerId | undefined, () => void>();
  private largeReads = 0;

  constructor(private readonly budget: Budget) {}

  /** Remembers the size of a record. */
  note(key: string, bytes: number): void {
    if (bytes < LARGE_BYTES) return;
    this.sizes.delete(key);
    this.sizes.set(key, bytes);
    if (this.sizes.size <= SIZES_MAX) return;
    for (const oldest of this.sizes.keys()) {
      this.sizes.delete(oldest);
      break;
    }
  }

  /** Loads a record for a reader, which holds its size from then on. Fails with the errors of the budget. */
  async read<T>(reader: Holder, read: RecordRead<T>): Promise<T> {
    if (read.waits) return (await this.load(reader, read, 0)).record;
    const begun = performance.now();
    this.checkKnown(reader, read.key); // first, so that it does not queue ahead of small records
    const turns = this.turnsOf(reader.callerId);
    await takeTurn(turns);
    try {
      const waited = () => performance.now() - begun;
      const load = () => this.load(reader, read, waited());
      const { record, isLarge } = await (this.sizes.has(read.key) ? this.inLargeTurn(reader, load) : load());
      turns.max = isLarge ? READS_MIN : Math.min(turns.max + 1, READS_MAX);
      return record;
    } finally {
      giveTurn(turns);
      if (turns.taken === 0) this.turns.delete(reader.callerId);
    }
  }

  private async inLargeTurn<T>({ callerId }: Holder, work: () => Promise<T>): Promise<T> {
    if (this.largeReads < LARGE_READS_MAX) this.largeReads++;
    else await new Promise<void>((resolve) => this.largeWaiting.push(callerId, resolve));
    try {
      return await work();
    } finally {
      const next = this.largeWaiting.shift();
      if (next === undefined) this.largeReads--;
      else setImmediate(next); // keeps the turn, and runs after events that have arrived in the meantime
    }
  }

  private async load<T>(
    reader: Holder,
    { key, load, sizeOf }: RecordRead<T>,
    waitedMs: number,
  ): Promise<{ record: T; isLarge: boolean }> {
    if (reader.isOver) throw new AppError("cancelled", "The client has left.");
    this.checkKnown(reader, key);
    const record = await load(waitedMs);
    const bytes = sizeOf(record);
    const isLarge = bytes >= LARGE_BYTES;
    if (isLarge) {
      this.note(key, bytes);
      this.budget.take(reader, bytes);
    }
    return { record, isLarge };
  }

  private checkKnown(reader: Holder, key: string): void {
    const known = this.sizes.get(key);
    if (known !== undefined) this.budget.check(reader, known);
  }

  private turnsOf(callerId: CallerId | undefined): Turns {
    const known = this.turns.get(callerId);
    if (known !== undefined) return known;
    const turns = { taken: 0, max: READS_MIN, waiting: [] };
    this.turns.set(callerId, turns);
    return turns;
  }
}

async function takeTurn(turns: Turns): Promise<void> {
  if (turns.taken < turns.max) turns.taken++;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
}

/** Passes the turn to a waiting read immediately, so that no later one can take it. */
function giveTurn(turns: Turns): void {
  turns.taken--;
  while (turns.taken < turns.max) {
    const next = turns.waiting.shift();
    if (next === undefined) return;
    turns.taken++;
    next();
  }
}

/** A queue in which the keys take turns, however many items one of them adds. */
class RoundRobin<K, T> {
  private readonly lanes = new Map<K, T[]>();

  push(key: K, item: T): void {
    const lane = this.lanes.get(key);
    if (lane === undefined) this.lanes.set(key, [item]);
    else lane.push(item);
  }

  /** Removes the oldest item of the key whose turn it is. */
  shift(): T | undefined {
    for (const [key, lane] of this.lanes) {
      const item = lane.shift();
      this.lanes.delete(key); // moves to the end of the queue, or out of it
      if (lane.length > 0) this.lanes.set(key, lane);
      return item;
    }
    return undefined;
  }
}
