import { sentimentOf } from "../../text/emotions.js";

/** Whether an emotion contradicts a sentiment; none contradicts `neutral`. */
export const contradicts = (emotion: string, sentiment: string): boolean =>
  sentiment !== "neutral" && sentiment !== sentimentOf(emotion);

/** The labels of sentiment-simple with their probabilities. */
interface Sentiment {
  labels: readonly string[];
  probabilities: Float64Array;
}

/**
 * How far each emotion agrees with a sentiment, from `contradiction` (it is certain that they contradict each other) to 1.
 */
export const agreementOf = (
  { labels, probabilities }: Sentiment,
  emotions: readonly string[],
  contradiction: number,
): number[] =>
  emotions.map((emotion) =>
    labels.reduce(
      (sum, sentiment, i) => sum + probabilities[i]! * (contradicts(emotion, sentiment) ? contradiction : 1),
      0,
    ),
  );
