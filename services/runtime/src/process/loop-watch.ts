import type { Logger } from "../log.js";
import type { Measurements } from "../telemetry/measurements.js";
import type { Lifecycle } from "./lifecycle.js";

/** A longer stop of the event loop is reported, in milliseconds: nobody is served meanwhile. */
const STALL_MS = 1000;
/** Interval of the looks, in milliseconds. */
const LOOK_EVERY_MS = 250;
/** What the stop delayed has been noted this long after its end, in milliseconds. */
const SETTLED_MS = 20;
/** Pieces of work that are remembered. */
const NOTES = 512;

/** Work of a company on a route, or on a method of a service. */
export interface NotedWork {
  /** A pattern of a path such as `/api/v2/me`, or a method such as `OperationService.GetOperation`. */
  readonly route: string;
  /** Undefined: nobody's in particular. */
  readonly companyId: number | undefined;
}

/** A stop of the event loop, with the work that took most of it as far as that is known. */
export interface LoopStall extends NotedWork {
  readonly ms: number;
}

/** What a stop is reported as whose work nobody noted, such as work in the background. */
const UNNOTED: NotedWork = { route: "background", companyId: undefined };

/**
 * Watches how long the event loop of a process stands still, and who made it. A stop is seen only afterwards; the time
 * between two notes inside it belongs to the work of the later note, which is written when a piece of work is done.
 */
export class LoopWatch {
  private readonly works: NotedWork[] = [];
  private readonly times = new Float64Array(NOTES);
  private next = 0;

  /** `now`: milliseconds of a clock that is never set back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes that a piece of work has just been done. */
  note(work: NotedWork): void {
    this.works[this.next] = work;
    this.times[this.next] = this.now();
    this.next = (this.next + 1) % NOTES;
  }

  /** A stop of so many milliseconds, all of which lies after `from`, with the work that took most of it. */
  stallSince(from: number, ms: number): LoopStall {
    const spent = new Map<string, { work: NotedWork; ms: number }>();
    let before = from;
    for (let index = 0; index < this.works.length; index += 1) {
      const place = (this.next + index) % this.works.length;
      const [at = 0, work = UNNOTED] = [this.times[place], this.works[place]];
      if (at < from) continue;
      const name = `${work.route} ${work.companyId ?? ""}`;
      const sum = spent.get(name) ?? { work, ms: 0 };
      sum.ms += at - before;
      spent.set(name, sum);
      before = at;
    }
    const [most] = [...spent.values()].sort((one, other) => other.ms - one.ms);
    return { ...(most !== undefined && most.ms >= ms / 4 ? most.work : UNNOTED), ms };
  }

  /** Looks until the returned function is called. */
  start(report: (stall: LoopStall) => void): () => void {
    let lookedAt = this.now();
    const timer = setInterval(() => {
      const [from, ms] = [lookedAt, this.now() - lookedAt - LOOK_EVERY_MS];
      lookedAt = this.now();
      if (ms >= STALL_MS) setTimeout(() => report(this.stallSince(from, ms)), SETTLED_MS).unref();
    }, LOOK_EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  }
}

/** The watch of this process. */
export const loopWatch = new LoopWatch();

/** Logs and counts every stop of this process's event loop. */
export function reportLoopStalls({
  log,
  lifecycle,
  metrics,
}: {
  log: Logger;
  lifecycle: Pick<Lifecycle, "add">;
  metrics: Pick<Measurements, "countLoopStall">;
}): void {
  const stop = loopWatch.start(({ route, companyId, ms }) => {
    const seconds = Math.round(ms) / 1000;
    log.warn({ route, company_id: companyId, stood_still_s: seconds }, "the event loop stood still: nobody was served");
    metrics.countLoopStall({ route, company: companyId === undefined ? "" : String(companyId), seconds });
  });
  lifecycle.add("event loop watch", () => {
    stop();
    return Promise.resolve();
  });
}
