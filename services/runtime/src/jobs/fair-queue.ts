import type { Owner } from "../process/fair-limit.js";

/** The order in which work is done. */
export interface FairQueueOrder<T> {
  /** What is urgent goes before all else. */
  isUrgent(item: T): boolean;
  /** Owners take turns, among what is urgent and among the rest; what one owner has goes first in, first out. */
  ownerOf(item: T): Owner;
  /** How much of its owner's turn an item takes, above 0. */
  costOf(item: T): number;
}

/** What an owner has waiting. */
interface Backlog<T> {
  /** Reversed, so that the first is removed in constant time. */
  items: T[];
  /** What the owner will have been served once the first item is taken, in units of cost. */
  until: number;
}

type Waiting<T> = Map<Owner, Backlog<T>>;

/**
 * Work that waits, in fair order between owners (self-clocked fair queueing): next is what leaves its owner served least.
 * Owners keep what they were served when the work is read again, so that one with a long backlog is not served first each
 * time; one that had no work accumulates no credit.
 */
export class FairQueue<T> {
  private urgent: Waiting<T> = new Map();
  private others: Waiting<T> = new Map();
  /** What each owner has been served, in units of cost. */
  private readonly served = new Map<Owner, number>();
  /** What the owner of the item taken last has been served; an owner without work begins here. */
  private clock = 0;

  constructor(private readonly order: FairQueueOrder<T>) {}

  /** Replaces what waits; it is given in the order of its arrival. */
  fill(items: Iterable<T>): void {
    const [urgent, others] = [new Map<Owner, T[]>(), new Map<Owner, T[]>()];
    for (const item of items) {
      const waiting = this.order.isUrgent(item) ? urgent : others;
      const owner = this.order.ownerOf(item);
      const own = waiting.get(owner);
      if (own === undefined) waiting.set(owner, [item]);
      else own.push(item);
    }
    for (const [owner, served] of this.served) if (served < this.clock) this.served.delete(owner);
    this.urgent = this.inTurn(urgent, this.urgent);
    this.others = this.inTurn(others, this.others);
  }

  /** Removes and returns what is next, at most so many. */
  take(count: number): T[] {
    const taken: T[] = [];
    while (taken.length < count) {
      const next = this.takeFrom(this.urgent) ?? this.takeFrom(this.others);
      if (next === undefined) break;
      taken.push(next);
    }
    return taken;
  }

  get isEmpty(): boolean {
    return this.urgent.size === 0 && this.others.size === 0;
  }

  /** Owners that waited before keep their turns. */
  private inTurn(all: ReadonlyMap<Owner, T[]>, before: Waiting<T>): Waiting<T> {
    const turns = [...all].map(([owner, items]): [Owner, Backlog<T>] => {
      const [first] = items as [T];
      const start = Math.max(this.served.get(owner) ?? 0, this.clock);
      const until = before.get(owner)?.until ?? start + this.order.costOf(first);
      return [owner, { items: items.reverse(), until }];
    });
    return new Map(turns);
  }

  private takeFrom(waiting: Waiting<T>): T | undefined {
    let next: [Owner, Backlog<T>] | undefined;
    for (const turn of waiting) if (next === undefined || this.isBefore(turn, next)) next = turn;
    if (next === undefined) return undefined;
    const [owner, turn] = next;
    const item = turn.items.pop();
    this.clock = turn.until;
    this.served.set(owner, turn.until);
    const following = turn.items.at(-1);
    if (following === undefined) waiting.delete(owner);
    else turn.until += this.order.costOf(following);
    return item;
  }

  /** Of two owners that would be served equally far, the one goes first that has been served less. */
  private isBefore([one, { until }]: [Owner, Backlog<T>], [other, turn]: [Owner, Backlog<T>]): boolean {
    if (until !== turn.until) return until < turn.until;
    return (this.served.get(one) ?? 0) < (this.served.get(other) ?? 0);
  }
}
