/** When a job is tried again, put back, or given up. Times are milliseconds. */
export interface JobPolicy {
  /** Attempts that may fail before the job ends `failed`. */
  attemptsMax: number;
  /**
   * Attempts whose worker may die before the job ends `failed`. More than `attemptsMax`: a process dies with all that it
   * has in work, and hardly ever by the fault of one job.
   */
  deathsMax: number;
  /**
   * Deliveries of one message before the queue drops it to the dead letters. Attempts are counted in the record; this
   * bounds only messages that kill the worker before it gets so far.
   */
  deliveriesMax: number;
  /** Pause after the first failed attempt; doubles with each further one. */
  backoffMs: number;
  /** How long a job waits that was put back because its company held all the places it may. */
  deferMs: number;
  /** How long a job waits that was left for a worker of a newer release, and how many such workers it waits for. */
  newerWorkerMs: number;
  newerWorkersMax: number;
  /** Published so long ago and not begun, with nothing in the queue: the message is lost. */
  lostAfterMs: number;
  /** With other messages in the queue, a message counts as lost after so many leases. A second one does no harm. */
  doubtedAfterLeases: number;
}

export const DEFAULT_JOB_POLICY: JobPolicy = {
  attemptsMax: 5,
  deathsMax: 10,
  deliveriesMax: 20,
  backoffMs: 500,
  deferMs: 1000,
  // An hour of offers: by then a release is rolled out, or the job was accepted by one that was taken back.
  newerWorkerMs: 5000,
  newerWorkersMax: 720,
  lostAfterMs: 5000,
  doubtedAfterLeases: 2,
};

/** Pause before the next attempt, spread so that jobs that failed together do not come back together. */
export function backoffMs(policy: JobPolicy, attempts: number): number {
  return policy.backoffMs * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
}
