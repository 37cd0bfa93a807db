import { AppError } from "@hourglass/runtime";
import type { Budget, Holder } from "./budget.js";
import { RoundRobin } from "./round-robin.js";

/** Less is not worth counting. */
const LARGE_BYTES = 262_144;
/**
 * Reads of one user that are carried out at a time; the others wait for their turn. Each that turns out small allows one
 * more, up to the larger number, and a large one takes all that back.
 */
const READS_MIN = 8;
const READS_MAX = 32;
/** Reads of records that are known to be large, over all users: each may take the event loop for tens of milliseconds. */
const LARGE_READS_MAX = 2;
const SIZES_MAX = 10_000;

export interface RecordRead<T> {
  /** Names the record, over all users. */
  readonly key: string;
  /** Told how long the read has waited for its turn, in milliseconds: its caller's patience has run meanwhile. */
  readonly load: (waitedMs: number) => Promise<T>;
  /** About how many bytes the loaded record takes. */
  readonly sizeOf: (record: T) => number;
  /** Whether loading may wait for something to happen: then it takes no turn. */
  readonly waits: boolean;
}

/** Not a FairLimit of the runtime: how many turns there are changes with the size of each record that was read. */
interface Turns {
  taken: number;
  max: number;
  readonly waiting: (() => void)[];
}

/**
 * Reads records within the budget. A record that is known to be too large for what is left is refused before it is
 * loaded, and loads of one user go a few at a time, so that a burst of them learns its size from the first ones.
 */
export class LargeRecords {
  private readonly sizes = new Map<string, number>();
  private readonly turns = new Map<number | undefined, Turns>();
  private readonly largeWaiting = new RoundRobin<number | undefined, () => void>();
  private largeReads = 0;

  constructor(private readonly budget: Budget) {}

  /** Remembers how large a record is. */
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

  /** Loads a record for a reader, who holds its size from then on. Fails with what the budget says. */
  async read<T>(reader: Holder, read: RecordRead<T>): Promise<T> {
    if (read.waits) return (await this.load(reader, read, 0)).record;
    const begun = performance.now();
    this.checkKnown(reader, read.key); // before it takes a place in the queue from a record that is small
    const turns = this.turnsOf(reader.userId);
    await takeTurn(turns);
    try {
      const waited = () => performance.now() - begun;
      const load = () => this.load(reader, read, waited());
      const { record, isLarge } = await (this.sizes.has(read.key) ? this.inLargeTurn(reader, load) : load());
      turns.max = isLarge ? READS_MIN : Math.min(turns.max + 1, READS_MAX);
      return record;
    } finally {
      giveTurn(turns);
      if (turns.taken === 0) this.turns.delete(reader.userId);
    }
  }

  private async inLargeTurn<T>({ userId }: Holder, work: () => Promise<T>): Promise<T> {
    if (this.largeReads < LARGE_READS_MAX) this.largeReads++;
    else await new Promise<void>((resolve) => this.largeWaiting.push(userId, resolve));
    try {
      return await work();
    } finally {
      const next = this.largeWaiting.shift();
      if (next === undefined) this.largeReads--;
      else setImmediate(next); // with the turn, and after what has arrived meanwhile
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

  private turnsOf(userId: number | undefined): Turns {
    const known = this.turns.get(userId);
    if (known !== undefined) return known;
    const turns = { taken: 0, max: READS_MIN, waiting: [] };
    this.turns.set(userId, turns);
    return turns;
  }
}

async function takeTurn(turns: Turns): Promise<void> {
  if (turns.taken < turns.max) turns.taken++;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
}

/** Whoever waits is handed the turn at once, so that nobody who comes meanwhile can take it. */
function giveTurn(turns: Turns): void {
  turns.taken--;
  while (turns.taken < turns.max) {
    const next = turns.waiting.shift();
    if (next === undefined) return;
    turns.taken++;
    next();
  }
}
