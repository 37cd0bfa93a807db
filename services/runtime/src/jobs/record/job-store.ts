import type { Change, Collection, Filter, FindOptions } from "../../store/store.js";
import type { JobRecord, JobStatus, NextStatus } from "./job-record.js";

export interface Transition<R extends JobRecord, F extends JobStatus> {
  from: F;
  to: NextStatus<F>;
  /** Further conditions, such as the lease token. */
  where?: Omit<Filter<JobRecord>, "id" | "status">;
  set?: Omit<Partial<JobRecord>, "id" | "status">;
  /** Fields of the job's kind, set together with the common ones. */
  fields?: Partial<Omit<R, keyof JobRecord>>;
  increment?: Change<JobRecord>["increment"];
}

/**
 * The records of one kind of job, queried and changed by their common fields. Returned records are complete: they
 * include the fields of their kind.
 */
export class JobStore<R extends JobRecord> {
  /** The same collection, typed with the common fields. */
  private readonly jobs: Collection<JobRecord>;

  constructor(private readonly records: Collection<R>) {
    this.jobs = records as unknown as Collection<JobRecord>;
  }

  get(id: number): Promise<R | undefined> {
    return this.records.get(id);
  }

  /** AppError `conflict` if the id or the idempotency key is taken. */
  insert(record: R): Promise<void> {
    return this.records.insert(record);
  }

  find(filter: Filter<JobRecord>, options: FindOptions<JobRecord> = {}): Promise<R[]> {
    return this.jobs.find(filter, options) as Promise<R[]>;
  }

  /** All matching jobs, in constant memory. */
  stream(filter: Filter<JobRecord>): AsyncIterable<R> {
    return this.jobs.stream(filter) as AsyncIterable<R>;
  }

  count(filter: Filter<JobRecord>): Promise<number> {
    return this.jobs.count(filter);
  }

  update(filter: Filter<JobRecord>, change: Change<JobRecord>): Promise<R | undefined> {
    return this.jobs.update(filter, change) as Promise<R | undefined>;
  }

  /**
   * Changes a job's state with one conditional write. Returns the record after the write, or undefined if the job was
   * in another state or a condition did not hold: a lost race, which is a normal result.
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
