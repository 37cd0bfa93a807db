/** Makes the median absolute deviation of a normal distribution its standard deviation. */
const TO_DEVIATION = 1.4826;

/** The median; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Median and robust standard deviation. */
export function spreadOf(values: readonly number[]): { center: number; deviation: number } {
  const center = median(values);
  return { center, deviation: TO_DEVIATION * median(values.map((value) => Math.abs(value - center))) };
}
