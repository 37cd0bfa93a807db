/** Every step of a reading of the stream at which a crash must neither lose a posting nor give one out twice. */
export const BLUESKY_FAILPOINTS = [
  "collector.bluesky.claimed",
  "collector.bluesky.matched",
  "collector.bluesky.stored",
] as const;
