/** When a job is retried, deferred, or given up. Times are milliseconds. */
export interface JobPolicy {
  /** Attempts that may fail before the job ends `failed`. */
  attemptsMax: number;
  /**
   * Attempts whose worker may die before the job ends `failed`. More than `attemptsMax`, because a crash affects all
   * running jobs of a process and is rarely caused by one of them.
   */
  deathsMax: number;
  /**
   * Deliveries of one message before the queue moves it to the dead letters. Attempts are counted in the record; this
   * limits only messages that kill the worker before it records an attempt.
   */
  deliveriesMax: number;
  /** Pause after the first failed attempt; doubles with each further one. */
  backoffMs: number;
  /** Delay of a job that was put back because its company held all its permitted places. */
  deferMs: number;
  /** Delay of a job that was left for a worker of a newer release, and the maximum number of such offers. */
  newerWorkerMs: number;
  newerWorkersMax: number;
  /** A message is lost if its job has not begun this long after publication and the queue is empty. */
  lostAfterMs: number;
  /** While the queue is not empty, a message counts as lost after this many leases. A second message is harmless. */
  doubtedAfterLeases: number;
}

export const DEFAULT_JOB_POLICY: JobPolicy = {
  attemptsMax: 5,
  deathsMax: 10,
  deliveriesMax: 20,
  backoffMs: 500,
  deferMs: 1000,
  // An hour of offers: by then the release is rolled out, or the one that accepted the job was rolled back.
  newerWorkerMs: 5000,
  newerWorkersMax: 720,
  lostAfterMs: 5000,
  doubtedAfterLeases: 2,
};

/** Pause before the next attempt, with jitter, so that jobs that failed together do not return together. */
export function backoffMs(policy: JobPolicy, attempts: number): number {
  return policy.backoffMs * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
}
