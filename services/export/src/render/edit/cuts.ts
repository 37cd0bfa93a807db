/** A range of bytes to leave out. Several are in order and do not touch. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

/** The bytes outside of the cuts. */
export function withoutCuts(bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  if (cuts.length === 0) return bytes;
  const kept = new Uint8Array(bytes.length - cutSize(cuts));
  let size = 0;
  let from = 0;
  for (const { start, end } of cuts) {
    kept.set(bytes.subarray(from, start), size);
    size += start - from;
    from = end;
  }
  kept.set(bytes.subarray(from), size);
  return kept;
}

/** Size of all cuts, in bytes. */
export function cutSize(cuts: readonly Cut[]): number {
  return cuts.reduce((size, { start, end }) => size + end - start, 0);
}
