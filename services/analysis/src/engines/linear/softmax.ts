/** Turns scores into probabilities; a temperature above 1 makes them less certain and keeps their order. */
export const softmax = (scores: Float64Array, temperature = 1): Float64Array => {
  const highest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const shares = scores.map((score) => Math.exp((score - highest) / temperature));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
};
