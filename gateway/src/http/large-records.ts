import { AppError, OneByOne, RoundRobin } from "@hourglass/runtime";
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
  /**
   * Key of what is read, unique over all users. Reads with the same key load the same, in the same form, for all calls of
   * one user, whatever the protocol.
   */
  readonly key: string;
  /** Receives how long the read has waited for its turn, in milliseconds, which counts toward its caller's timeout. */
  readonly load: (waitedMs: number) => Promise<T>;
  /** Approximate size of the loaded record in bytes. */
  readonly sizeOf: (record: T) => number;
}

/** A load of a record known to be large that has not begun, and who waits for it. */
interface PlannedLoad {
  readonly readers: Holder[];
  readonly record: Promise<unknown>;
}

/** Not a FairLimit of the runtime, since the number of turns changes with the size of each record read. */
interface Turns {
  taken: number;
  max: number;
  readonly waiting: (() => void)[];
}

/**
 * Reads records within the budget. A record known to be too large for the rest of the budget is refused before it is
 * loaded. Only a few loads of one user run at a time, so that a burst learns its size from the first ones; who asks for a
 * large record before its turn has come shares one load with all calls of the same user.
 */
export class LargeRecords {
  private readonly sizes = new Map<string, number>();
  private readonly turns = new Map<CallerId | undefined, Turns>();
  private readonly largeWaiting = new RoundRobin<CallerId | undefined, () => void>();
  private readonly planned = new Map<string, PlannedLoad>();
  private largeReads = 0;
  private readonly answers = new OneByOne();

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
    const begun = performance.now();
    if (this.isKnown(reader, read.key)) return this.readLarge(reader, read, begun);
    const turns = this.turnsOf(reader.callerId);
    await takeTurn(turns);
    try {
      // It may have become known in the meantime; then it waits with the others for one load.
      if (!this.isKnown(reader, read.key)) {
        const record = await read.load(performance.now() - begun);
        const isLarge = this.take(reader, read, { record, takenBytes: 0 });
        turns.max = isLarge ? READS_MIN : Math.min(turns.max + 1, READS_MAX);
        return record;
      }
    } finally {
      giveTurn(turns);
      if (turns.taken === 0) this.turns.delete(reader.callerId);
    }
    return this.readLarge(reader, read, begun);
  }

  private async readLarge<T>(reader: Holder, read: RecordRead<T>, begun: number): Promise<T> {
    // Taken before the load, so that what one user lets wait is bounded.
    const takenBytes = this.sizes.get(read.key) ?? 0;
    this.budget.take(reader, takenBytes);
    const name = `${reader.callerId ?? ""} ${read.key}`;
    const planned = this.planned.get(name) ?? this.plan(name, reader, () => read.load(performance.now() - begun));
    planned.readers.push(reader);
    const record = (await planned.record) as T; // what has the same key is of the same kind
    await this.answers.next(); // to write one may take long
    this.take(reader, read, { record, takenBytes });
    return record;
  }

  private plan(name: string, { callerId }: Holder, load: () => Promise<unknown>): PlannedLoad {
    const readers: Holder[] = [];
    const record = this.inLargeTurn(callerId, () => {
      // Who comes from now on gets what there is from now on.
      this.planned.delete(name);
      if (readers.every(({ isOver }) => isOver)) throw clientLeft();
      return load();
    });
    const planned = { readers, record };
    this.planned.set(name, planned);
    return planned;
  }

  private async inLargeTurn<T>(callerId: CallerId | undefined, work: () => Promise<T>): Promise<T> {
    if (this.largeReads < LARGE_READS_MAX) {
      this.largeReads++;
      await Promise.resolve(); // those who ask in the same turn share the load
    } else await new Promise<void>((resolve) => this.largeWaiting.push(callerId, resolve));
    try {
      return await work();
    } finally {
      const next = this.largeWaiting.shift();
      if (next === undefined) this.largeReads--;
      else setImmediate(next); // keeps the turn, and runs after events that have arrived in the meantime
    }
  }

  /** Takes the rest of the bytes of a loaded record from the budget if it is large; returns whether it is. */
  private take<T>(
    reader: Holder,
    { key, sizeOf }: RecordRead<T>,
    { record, takenBytes }: { record: T; takenBytes: number },
  ): boolean {
    const bytes = sizeOf(record);
    if (bytes < LARGE_BYTES) return false;
    this.note(key, bytes);
    this.budget.take(reader, Math.max(0, bytes - takenBytes));
    return true;
  }

  /** Returns whether the record is known to be large. Throws if its reader has left. */
  private isKnown(reader: Holder, key: string): boolean {
    if (reader.isOver) throw clientLeft();
    return this.sizes.has(key);
  }

  private turnsOf(callerId: CallerId | undefined): Turns {
    const known = this.turns.get(callerId);
    if (known !== undefined) return known;
    const turns = { taken: 0, max: READS_MIN, waiting: [] };
    this.turns.set(callerId, turns);
    return turns;
  }
}

function clientLeft(): AppError {
  return new AppError("cancelled", "The client has left.");
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
