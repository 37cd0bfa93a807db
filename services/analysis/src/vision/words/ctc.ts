/** The network's reading of one line. */
export interface Reading {
  text: string;
  /** Mean likelihood of the characters, 0 to 1; 0 if there are none. */
  confidence: number;
}

/**
 * Decodes likelihoods, one row per step and one column per character; class 0 is the blank. Repetitions are merged,
 * blanks separate.
 */
export const decodeCtc = (likelihoods: Float32Array, characters: readonly string[]): Reading => {
  const classes = characters.length;
  let [text, sum, count, last] = ["", 0, 0, 0];
  for (let start = 0; start + classes <= likelihoods.length; start += classes) {
    let best = 0;
    for (let index = 1; index < classes; index++) {
      if (likelihoods[start + index]! > likelihoods[start + best]!) best = index;
    }
    if (best !== 0 && best !== last) {
      text += characters[best]!;
      sum += likelihoods[start + best]!;
      count++;
    }
    last = best;
  }
  return { text, confidence: count === 0 ? 0 : sum / count };
};
