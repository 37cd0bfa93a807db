const SECOND_MS = 1000;
const SECOND_BITS = 32n;
/** Before TikTok and its predecessors there were no videos. */
const EARLIEST_AT = Date.UTC(2014, 0, 1);
/** Clocks differ. */
const AHEAD_MS = 24 * 60 * 60_000;

/**
 * When TikTok gave the id, in milliseconds since the epoch: its upper 32 bits count seconds. Undefined for what is no id of
 * TikTok.
 */
export function idGivenAt(id: string, now: number): number | undefined {
  if (!/^\d{15,20}$/.test(id)) return undefined;
  const at = Number(BigInt(id) >> SECOND_BITS) * SECOND_MS;
  return at >= EARLIEST_AT && at <= now + AHEAD_MS ? at : undefined;
}
