/** The log odds of a label against all others, from the scores of all. */
export const logOdds = (scores: ArrayLike<number>, label: number, temperature = 1): number => {
  let highest = -Infinity;
  for (let i = 0; i < scores.length; i++) if (i !== label) highest = Math.max(highest, scores[i] ?? 0);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    if (i !== label) sum += Math.exp(((scores[i] ?? 0) - highest) / temperature);
  }
  return ((scores[label] ?? 0) - highest) / temperature - Math.log(sum);
};
