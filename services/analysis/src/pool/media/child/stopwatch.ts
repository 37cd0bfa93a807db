import type { MediaFindings } from "../media-task.js";

type Timing = MediaFindings["timings"][number];

/** Adds up what is spent on each analysis. */
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

  /** In seconds; what ran side by side counts for each. */
  timings(): Timing[] {
    return [...this.seconds].map(([analysis, seconds]) => ({ analysis, seconds }));
  }
}
