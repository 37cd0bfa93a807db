/** One value of a gauge that has labels. */
export interface Reading {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** What the parts of a process report of their work. Labels take few values: never ids, paths or what somebody wrote. */
export interface Measurements {
  observeHttp(request: { method: string; route: string; status: number; seconds: number }): void;
  observeRpc(call: { service: string; method: string; code: string; seconds: number }): void;
  /** A worker begins a job for the first time, so long after it was created. */
  observeJobAge(job: { queue: string; seconds: number }): void;
  /** A worker has ended an attempt at a job. */
  observeJob(job: { queue: string; outcome: string; seconds: number }): void;
  /** A job was taken from a worker that gave no sign of life. */
  countLeaseLoss(queue: string): void;
  /** A batch of texts went through one analysis, which took its thread so long. */
  observeAnalysis(batch: { analysis: string; engine: string; seconds: number }): void;
  /** A job of that kind was accepted. */
  countJobCreated(kind: string): void;
  /** A job came to its end. */
  countJobEnded(job: { kind: string; status: string }): void;
  /** A request was refused because of too much to do; the reason is the code that its caller was answered. */
  countRequestShed(reason: string): void;
  /**
   * Reads a value whenever somebody scrapes, such as the depth of a queue: one number, or a reading for each value of
   * the labels that `labels` names. What cannot be read, or not in time, is left out of that scrape. The same gauge may
   * be read in several places, each with label values of its own.
   */
  gauge(name: string, help: string, read: () => Promise<number | readonly Reading[]>, labels?: readonly string[]): void;
}

const nothing = () => undefined;

/** For whoever does not want to know. */
export const NO_MEASUREMENTS: Measurements = {
  observeHttp: nothing,
  observeRpc: nothing,
  observeJobAge: nothing,
  observeJob: nothing,
  countLeaseLoss: nothing,
  observeAnalysis: nothing,
  countJobCreated: nothing,
  countJobEnded: nothing,
  countRequestShed: nothing,
  gauge: nothing,
};
