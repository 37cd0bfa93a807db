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

/** The places of a worker's lane held by each company. The worker has one place more than a company may hold. */
export class CompanyPlaces {
  private readonly held = new Map<number, number>();

  constructor(private readonly perCompany: number) {}

  /** Takes a place for a company; false if it holds all its permitted places. */
  take(companyId: number): boolean {
    const held = this.held.get(companyId) ?? 0;
    if (held >= this.perCompany) return false;
    this.held.set(companyId, held + 1);
    return true;
  }

  giveBack(companyId: number): void {
    const left = (this.held.get(companyId) ?? 0) - 1;
    if (left > 0) this.held.set(companyId, left);
    else this.held.delete(companyId);
  }
}
