import type { Owner } from "../process/fair-limit.js";
import type { CollectionDeclaration } from "../store/declaration.js";
import type { Collection, Store } from "../store/store.js";
import type { JobRecord, JobStatus, JobStore } from "./job.js";
import type { Lane } from "./job-kind.js";

/** The last sequence number of a company (id `company:<id>`), or of the last published job (id `all`). */
export interface SequenceRecord {
  id: string;
  turn: number;
}

/** Id of the record that holds the progress of publication. */
const ALL = "all";

/** The collection with the sequence numbers of a kind of job. */
export function sequencesOf({ name }: { name: string }): CollectionDeclaration<SequenceRecord> {
  const belongs = [{ of: "company", filter: (companyId: number) => ({ id: sequenceIdOf(companyId) }) }] as const;
  return { name: `${name}_turns`, belongs };
}

function sequenceIdOf(companyId: number): string {
  return `company:${companyId}`;
}

/**
 * Fair order between companies (self-clocked fair queueing). A job's sequence number is its company's last one plus the
 * job's cost, and at least the one being published. A company with a long backlog thus queues behind itself, and an idle
 * one accumulates no credit. Sequence numbers only order jobs: equal ones, or a wrong one after a race, are harmless.
 */
export class FairOrder {
  /** The numbers assigned by this process, which may be ahead of the stored ones. */
  private readonly given = new Map<string, number>();
  /** Companies whose number is being stored. */
  private readonly keeping = new Set<string>();
  /** What companies' next numbers must not be below, as stored in this version of the collection. */
  private readonly stored = new Map<string, number>();
  private version: string | undefined;
  private published = 0;

  constructor(
    private readonly store: Pick<Store, "versionOf">,
    private readonly sequences: Collection<SequenceRecord>,
  ) {}

  /** Returns the company's next sequence number. */
  async take(companyId: number, cost: number): Promise<number> {
    const id = sequenceIdOf(companyId);
    const stored = await this.readStored(id);
    const sequence = Math.max(stored, this.given.get(id) ?? 0, this.published) + cost;
    this.given.set(id, sequence);
    return sequence;
  }

  /**
   * Stores the company's last sequence number for other processes and the next start, one write at a time: those of jobs
   * that arrive meanwhile share the next. Losing one costs some fairness after a restart; the jobs are kept.
   */
  keep(companyId: number): void {
    const id = sequenceIdOf(companyId);
    if (this.keeping.has(id)) return;
    this.keeping.add(id);
    void this.keepLast(id)
      .catch(() => undefined)
      .finally(() => this.keeping.delete(id));
  }

  private async keepLast(id: string): Promise<void> {
    for (let kept: number | undefined; kept !== this.given.get(id);) {
      kept = this.given.get(id) ?? 0;
      await this.sequences.put({ id, turn: kept });
    }
  }

  /** Not read again before the next write to the collection, if the store can tell. */
  private async readStored(id: string): Promise<number> {
    const version = this.store.versionOf([this.sequences]);
    if (version === undefined || version !== this.version) this.stored.clear();
    this.version = version;
    const known = this.stored.get(id);
    if (known !== undefined) return known;
    const [company, all] = await Promise.all([this.sequences.get(id), this.sequences.get(ALL)]);
    const sequence = Math.max(company?.turn ?? 0, all?.turn ?? 0);
    if (version === this.version) this.stored.set(id, sequence);
    return sequence;
  }

  /** Stores that jobs up to this sequence number have been published. */
  async advance(sequence: number): Promise<void> {
    if (sequence <= this.published) return;
    this.published = sequence;
    await this.sequences.put({ id: ALL, turn: sequence });
  }
}

/** The order of the shared lane, and of one company's jobs in another lane. */
export const IN_SEQUENCE = [
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof JobRecord, 1][];

/** Index order: each lane key has the jobs of one company, in order of creation. */
const BY_LANE_KEY = [["line", 1], ...IN_SEQUENCE] as const satisfies [keyof JobRecord, 1][];

/** The first job of each company that has jobs of that state in the lane; one index lookup per company. */
export async function* firstOfEachCompany<R extends JobRecord>(
  jobs: JobStore<R>,
  { lane: { name }, status }: { lane: Lane; status: JobStatus },
): AsyncGenerator<{ record: R; laneKey: string }> {
  let after = `${name}:`;
  for (;;) {
    // `;` is the character after `:`.
    const rest = { status, line: { gt: after, lt: `${name};` } };
    const [record] = await jobs.find(rest, { sort: BY_LANE_KEY, limit: 1 });
    if (typeof record?.line !== "string") return;
    after = record.line;
    yield { record, laneKey: record.line };
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

/** The order in which work is done. */
export interface FairQueueOrder<T> {
  /** What is urgent goes before all else. */
  isUrgent(item: T): boolean;
  /** Owners take turns, among what is urgent and among the rest; what one owner has goes first in, first out. */
  ownerOf(item: T): Owner;
}

/** Items of each owner; owners in the order of their turns. */
type Turns<T> = Map<Owner, T[]>;

/**
 * Work that waits. Owners keep their turns when it is read again, so that one with a long backlog is not served first each
 * time.
 */
export class FairQueue<T> {
  private urgent: Turns<T> = new Map();
  private others: Turns<T> = new Map();
  /** Ordinal of each owner's last turn. */
  private readonly served = new Map<Owner, number>();
  private turns = 0;

  constructor(private readonly order: FairQueueOrder<T>) {}

  /** Replaces what waits; it is given in the order of its arrival. */
  fill(items: Iterable<T>): void {
    const urgent: Turns<T> = new Map();
    const others: Turns<T> = new Map();
    for (const item of items) {
      const turns = this.order.isUrgent(item) ? urgent : others;
      const owner = this.order.ownerOf(item);
      const own = turns.get(owner);
      if (own === undefined) turns.set(owner, [item]);
      else own.push(item);
    }
    for (const owner of this.served.keys()) {
      if (!urgent.has(owner) && !others.has(owner)) this.served.delete(owner);
    }
    this.urgent = this.inTurn(urgent);
    this.others = this.inTurn(others);
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

  /** Owners served longest ago first; owners never served, by their first item, before them. */
  private inTurn(turns: Turns<T>): Turns<T> {
    const lastTurn = (owner: Owner) => this.served.get(owner) ?? 0;
    const sorted = [...turns].sort(([a], [b]) => lastTurn(a) - lastTurn(b));
    return new Map(sorted.map(([owner, items]) => [owner, items.reverse()]));
  }

  /** The items of an owner are reversed, so that the first is removed in constant time. */
  private takeFrom(turns: Turns<T>): T | undefined {
    for (const [owner, items] of turns) {
      const item = items.pop();
      turns.delete(owner);
      if (items.length > 0) turns.set(owner, items);
      this.served.set(owner, ++this.turns);
      return item;
    }
    return undefined;
  }
}
