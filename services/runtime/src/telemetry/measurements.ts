/** One value of a gauge that has labels. */
export interface Reading {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** A REST request that has been answered. */
export interface MeasuredRequest {
  method: string;
  /** Pattern of the path. */
  route: string;
  status: number;
  /** Whether the caller asked to wait for the end of a job, which does not count as a slow server. */
  waited: boolean;
  seconds: number;
}

/** Metrics reported by the parts of a process. Labels have low cardinality: never ids, paths or user content. */
export interface Measurements {
  observeHttp(request: MeasuredRequest): void;
  observeRpc(call: { service: string; method: string; code: string; waited: boolean; seconds: number }): void;
  /** A worker began a job for the first time, `seconds` after its creation. */
  observeJobAge(job: { queue: string; seconds: number }): void;
  /** A worker ended an attempt at a job. */
  observeJob(job: { queue: string; outcome: string; seconds: number }): void;
  /** A job was taken from a worker that no longer renewed its lease. */
  countLeaseLoss(queue: string): void;
  /** A job of that kind was accepted. */
  countJobCreated(kind: string): void;
  /** A job ended. */
  countJobEnded(job: { kind: string; status: string }): void;
  /** Bytes of an upload have arrived. */
  countUploadBytes(bytes: number): void;
  /** A request was refused because of overload; `reason` is the error code returned to its caller. */
  countRequestShed(reason: string): void;
  /**
   * The event loop stood still. The labels name who made it: ids are values here, because only a fault makes one appear.
   */
  countLoopStall(stall: { route: string; company: string; seconds: number }): void;
  /**
   * Reads a value at each scrape, for example the depth of a queue: one number, or one reading for each combination of
   * the values of `labels`. Values that cannot be read in time are left out of that scrape. Several places may report
   * the same gauge, each with different label values.
   */
  gauge(name: string, help: string, read: () => Promise<number | readonly Reading[]>, labels?: readonly string[]): void;
  /**
   * Declares a duration that a service measures, in seconds, and returns the function that records one. Several places
   * may declare the same one, with the same labels. `range`: `short` up to a minute (the default), `work` up to an hour.
   */
  duration<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    range?: "short" | "work",
  ): ObserveSeconds<L>;
}

/** Records a duration, with a value for each label. */
export type ObserveSeconds<L extends string> = (labels: Readonly<Record<L, string>>, seconds: number) => void;

const nothing = () => undefined;

/** Discards all measurements. */
export const NO_MEASUREMENTS: Measurements = {
  observeHttp: nothing,
  observeRpc: nothing,
  observeJobAge: nothing,
  observeJob: nothing,
  countLeaseLoss: nothing,
  countJobCreated: nothing,
  countJobEnded: nothing,
  countUploadBytes: nothing,
  countRequestShed: nothing,
  countLoopStall: nothing,
  gauge: nothing,
  duration: () => nothing,
};
