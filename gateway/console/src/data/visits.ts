import { serverNow } from "./clock.js";
import { browserKept, type Kept } from "./stored.js";

/** Up to where somebody has seen each insight: watermarks of its list of postings, by id. */
export interface Visit {
  /** When; only said, never computed with. */
  readonly at: string;
  readonly watermarks: Readonly<Record<string, string>>;
}

/** A visit is over when nothing was looked at for so long. In milliseconds. */
const VISIT_MS = 3_600_000;

/** The visits of a user of this browser: what is new is counted from the last one before this. */
export class Visits {
  private readonly key: string;

  constructor(
    userId: number,
    private readonly kept: Kept = browserKept,
  ) {
    this.key = `hourglass.visits.${userId}`;
  }

  /** The visit before this one; undefined: there was none. */
  get last(): Visit | undefined {
    return this.read().last;
  }

  /** Says what is seen now. Within a visit, what it began with stays what is new. */
  see(watermarks: Readonly<Record<string, string>>, now = serverNow()): void {
    const { last, current } = this.read();
    const seen: Visit = { at: new Date(now).toISOString(), watermarks: { ...current?.watermarks, ...watermarks } };
    const isSame = current !== undefined && Math.abs(now - Date.parse(current.at)) < VISIT_MS;
    const before = isSame || current === undefined ? last : current;
    this.kept.set(this.key, JSON.stringify(before === undefined ? { current: seen } : { last: before, current: seen }));
  }

  private read(): { readonly last?: Visit; readonly current?: Visit } {
    try {
      return JSON.parse(this.kept.get(this.key) ?? "{}") as { last?: Visit; current?: Visit };
    } catch {
      return {}; // written by something else
    }
  }
}
