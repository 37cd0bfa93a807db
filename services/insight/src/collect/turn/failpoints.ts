/** Every step of a poll at which a crash must neither lose a posting nor store one twice. */
export const COLLECTOR_FAILPOINTS = [
  "collector.after_claim",
  "collector.before_fetch",
  "collector.after_fetch",
  "collector.before_commit",
  "collector.after_commit",
  "collector.before_failure",
  "collector.after_failure",
] as const;

export type CollectorFailpoint = (typeof COLLECTOR_FAILPOINTS)[number];
