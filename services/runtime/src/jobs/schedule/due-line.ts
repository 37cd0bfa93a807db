import type { Owner } from "../../process/fair-limit.js";
import type { DueRecord } from "./due-records.js";

/** Order of due records; default: longest waiting first. */
export interface DueOrder<R> {
  /** Urgent records go before all others. */
  isUrgent(record: R): boolean;
  /** Owners take turns, among urgent and among other records; records of one owner go longest waiting first. */
  ownerOf(record: R): Owner;
}

/** Records of each owner; owners in the order of their turns. */
type Turns<R> = Map<Owner, R[]>;

/**
 * Due records that wait for a free lane. Owners keep their turns when the records are read again, so that one with a long
 * backlog is not served first each time.
 */
export class DueLine<R extends DueRecord> {
  private urgent: Turns<R> = new Map();
  private others: Turns<R> = new Map();
  /** Ordinal of each owner's last turn. */
  private readonly served = new Map<Owner, number>();
  private turns = 0;

  constructor(private readonly order: DueOrder<R>) {}

  /** Replaces the records; they are given longest waiting first. */
  fill(records: Iterable<R>): void {
    const urgent: Turns<R> = new Map();
    const others: Turns<R> = new Map();
    for (const record of records) {
      const turns = this.order.isUrgent(record) ? urgent : others;
      const owner = this.order.ownerOf(record);
      const line = turns.get(owner);
      if (line === undefined) turns.set(owner, [record]);
      else line.push(record);
    }
    for (const owner of this.served.keys()) {
      if (!urgent.has(owner) && !others.has(owner)) this.served.delete(owner);
    }
    this.urgent = this.inTurn(urgent);
    this.others = this.inTurn(others);
  }

  /** Removes and returns the next record; undefined if none is left. */
  next(): R | undefined {
    return this.takeFrom(this.urgent) ?? this.takeFrom(this.others);
  }

  get isEmpty(): boolean {
    return this.urgent.size === 0 && this.others.size === 0;
  }

  clear(): void {
    this.urgent.clear();
    this.others.clear();
  }

  /** Owners served longest ago first; owners never served, by their longest waiting record, before them. */
  private inTurn(turns: Turns<R>): Turns<R> {
    const lastTurn = (owner: Owner) => this.served.get(owner) ?? 0;
    const sorted = [...turns].sort(([a], [b]) => lastTurn(a) - lastTurn(b));
    return new Map(sorted.map(([owner, records]) => [owner, records.reverse()]));
  }

  /** Each line is reversed, so that its first record is removed in constant time. */
  private takeFrom(turns: Turns<R>): R | undefined {
    for (const [owner, records] of turns) {
      const record = records.pop();
      turns.delete(owner);
      if (records.length > 0) turns.set(owner, records);
      this.served.set(owner, ++this.turns);
      return record;
    }
    return undefined;
  }
}

/** One owner, none urgent. */
export const LONGEST_WAITING_FIRST: DueOrder<unknown> = { isUrgent: () => false, ownerOf: () => 0 };
