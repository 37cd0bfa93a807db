/** A mark or a shape as a square of numbers with mean 0 and norm 1, rows from the top. */
export type Pattern = Float32Array;

/** Subtracts the mean and scales to norm 1; undefined if all values are equal. */
export const normalised = (values: Float32Array): Pattern | undefined => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const length = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return length < 1e-6 ? undefined : values.map((value) => (value - mean) / length);
};
