import type { Measurements, ObserveSeconds } from "@hourglass/runtime";

/** How a turn ended. */
export type TurnOutcome = "complete" | "page_limit" | "failed" | "budget_spent" | "auth_failed" | "interrupted";

export interface CollectorMetrics {
  /** Time from when a poll was due until it began. */
  observeLag: ObserveSeconds<"platform">;
  /** Duration of a turn; their number is that of polls. */
  observeTurn: ObserveSeconds<"platform" | "outcome">;
  /** Time a platform took for a page; their number is about that of requests. */
  observePage: ObserveSeconds<"platform" | "outcome">;
}

/** Declares the metrics of the collection. */
export function collectorMetrics(metrics: Pick<Measurements, "duration">): CollectorMetrics {
  return {
    observeLag: metrics.duration("hourglass_collect_lag_seconds", "Time from when a poll was due until it began", [
      "platform",
    ]),
    observeTurn: metrics.duration("hourglass_poll_duration_seconds", "Time of one turn of a poll", [
      "platform",
      "outcome",
    ]),
    observePage: metrics.duration("hourglass_platform_page_seconds", "Time a platform took for one page", [
      "platform",
      "outcome",
    ]),
  };
}
