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

/** What an owner has. */
interface Turn<T> {
  /** Reversed, so that the first is removed in constant time. */
  items: T[];
  /** Up to where the owner will have been served with the first item, in units of cost. */
  until: number;
}

type Waiting<T> = Map<Owner, Turn<T>>;

/**
 * Work that waits, in fair order between owners (self-clocked fair queueing): next is what leaves its owner served least.
 * Owners keep what they were served when the work is read again, so that one with a long backlog is not served first each
 * time; one that had no work accumulates no credit.
 */
export class FairQueue<T> {
  private urgent: Waiting<T> = new Map();
  private others: Waiting<T> = new Map();
  /** Up to where each owner has been served. */
  private readonly served = new Map<Owner, number>();
  /** Up to where the owner served last has been served. */
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
    const turns = [...all].map(([owner, items]): [Owner, Turn<T>] => {
      const [first] = items as [T];
      const start = Math.max(this.served.get(owner) ?? 0, this.clock);
      const until = before.get(owner)?.until ?? start + this.order.costOf(first);
      return [owner, { items: items.reverse(), until }];
    });
    return new Map(turns);
  }

  private takeFrom(waiting: Waiting<T>): T | undefined {
    let next: [Owner, Turn<T>] | undefined;
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
  private isBefore([one, { until }]: [Owner, Turn<T>], [other, turn]: [Owner, Turn<T>]): boolean {
    if (until !== turn.until) return until < turn.until;
    return (this.served.get(one) ?? 0) < (this.served.get(other) ?? 0);
  }
}

/** The places of a worker that each company holds. */
export class CompanyPlaces {
  private readonly held = new Map<Owner, number>();
  private all = 0;
  /** Those that wait for a place. */
  private readonly waiting = new Set<() => void>();

  /** A worker has `total` places. A company may hold fewer, so that another one finds a free place. */
  constructor(
    private readonly perCompany: number,
    private readonly total = Infinity,
  ) {}

  /** Takes a place for a company; false if it holds all its permitted places. */
  take(companyId: Owner): boolean {
    const held = this.held.get(companyId) ?? 0;
    if (held >= this.perCompany || this.all >= this.total) return false;
    this.held.set(companyId, held + 1);
    this.all += 1;
    return true;
  }

  /** Like `take`, but waits so many milliseconds for a place that is given back. */
  async takeWithin(companyId: Owner, ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    while (!this.take(companyId)) {
      const left = until - performance.now();
      if (left <= 0) return false;
      await this.nextFree(left);
    }
    return true;
  }

  giveBack(companyId: Owner): void {
    const left = (this.held.get(companyId) ?? 0) - 1;
    if (left > 0) this.held.set(companyId, left);
    else this.held.delete(companyId);
    this.all -= 1;
    for (const wake of this.waiting) wake();
  }

  private async nextFree(ms: number): Promise<void> {
    let wake = (): void => undefined;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(wake);
    });
    this.waiting.delete(wake);
  }
}
