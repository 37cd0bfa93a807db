import { softmax } from "@hourglass/analysis/linear";

/** A model's scores of a text, and the index of the right label. */
export interface Judged {
  scores: Float64Array;
  truth: number;
}

/** The temperature with the greatest likelihood, by golden-section search over its logarithm. */
export const fitTemperature = (judged: readonly Judged[]): number => {
  const loss = (logTemperature: number): number => {
    const temperature = Math.exp(logTemperature);
    return judged.reduce((sum, { scores, truth }) => {
      return sum - Math.log(Math.max(1e-12, softmax(scores, temperature)[truth] ?? 0));
    }, 0);
  };
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = Math.log(0.1);
  let high = Math.log(10);
  while (high - low > 1e-3) {
    const left = high - ratio * (high - low);
    const right = low + ratio * (high - low);
    if (loss(left) < loss(right)) high = right;
    else low = left;
  }
  return Math.round(Math.exp((low + high) / 2) * 1e3) / 1e3;
};
