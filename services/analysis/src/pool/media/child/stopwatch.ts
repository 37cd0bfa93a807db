import type { MediaFindings } from "../media-task.js";

type Timing = MediaFindings["timings"][number];

/** Sums up the time spent on each analysis. */
export class Stopwatch {
  private readonly seconds = new Map<Timing["analysis"], number>();

  async time<T>(analysis: Timing["analysis"], work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.seconds.set(analysis, (this.seconds.get(analysis) ?? 0) + (performance.now() - begun) / 1000);
    }
  }

  /** In seconds; concurrent work counts for each analysis. */
  timings(): Timing[] {
    return [...this.seconds].map(([analysis, seconds]) => ({ analysis, seconds }));
  }
}
