import type { Change, Collection, Filter, FindOptions } from "../../store/store.js";
import type { JobRecord, JobStatus, NextStatus } from "./job-record.js";

export interface Transition<R extends JobRecord, F extends JobStatus> {
  from: F;
  to: NextStatus<F>;
  /** Further conditions, such as the lease token. */
  where?: Omit<Filter<JobRecord>, "id" | "status">;
  set?: Omit<Partial<JobRecord>, "id" | "status">;
  /** Fields of the kind's own, set along with the others. */
  fields?: Partial<Omit<R, keyof JobRecord>>;
  increment?: Change<JobRecord>["increment"];
}

/**
 * The records of one kind of job, read and changed by the fields that all jobs have. Returned records are whole: they
 * have the fields of their kind.
 */
export class JobStore<R extends JobRecord> {
  /** The same collection, seen through the common fields. */
  private readonly jobs: Collection<JobRecord>;

  constructor(private readonly records: Collection<R>) {
    this.jobs = records as unknown as Collection<JobRecord>;
  }

  get(id: number): Promise<R | undefined> {
    return this.records.get(id);
  }

  /** AppError `conflict` when the id or the idempotency key is taken. */
  insert(record: R): Promise<void> {
    return this.records.insert(record);
  }

  find(filter: Filter<JobRecord>, options: FindOptions<JobRecord> = {}): Promise<R[]> {
    return this.jobs.find(filter, options) as Promise<R[]>;
  }

  count(filter: Filter<JobRecord>): Promise<number> {
    return this.jobs.count(filter);
  }

  update(filter: Filter<JobRecord>, change: Change<JobRecord>): Promise<R | undefined> {
    return this.jobs.update(filter, change) as Promise<R | undefined>;
  }

  /**
   * Moves a job on by one conditional write. Returns the record as it is afterwards, or nothing when the job was in
   * another state or a condition did not hold: a lost race, which is a normal answer.
   */
  transition<F extends JobStatus>(id: number, transition: Transition<R, F>): Promise<R | undefined> {
    const { from, to, where = {}, set = {}, fields = {}, increment } = transition;
    const filter: Filter<JobRecord> = { ...where, id, status: from };
    return this.update(filter, {
      set: { ...fields, ...set, status: to },
      ...(increment === undefined ? {} : { increment }),
    });
  }
}
