/** The time at which X's ids begin. */
const EPOCH_MS = 1_288_834_974_657n;
const SEQUENCE_BITS = 22n;
const SEQUENCES = 1n << SEQUENCE_BITS;

/** An id of X, which holds its time; `sequence` distinguishes those of one millisecond. */
export function snowflakeOf(at: number, sequence = 0): string {
  return (((BigInt(at) - EPOCH_MS) << SEQUENCE_BITS) + (BigInt(sequence) % SEQUENCES)).toString();
}

/** The time that an id holds, in milliseconds since the epoch. */
export function timeOfSnowflake(id: string): number {
  return Number((BigInt(id) >> SEQUENCE_BITS) + EPOCH_MS);
}
