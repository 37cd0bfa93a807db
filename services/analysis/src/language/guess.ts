import type { LanguageModel } from "./model.js";
import { NgramReader } from "./ngram-reader.js";
import { createLanguageScorer } from "./scorer.js";

/** What the model makes of a text, before it is decided whether that is certain enough to be told. */
export interface LanguageGuess {
  /** The likeliest of the model's languages. */
  readonly code: string;
  /** Calibrated. */
  readonly prob: number;
  /** Of all labels, in their order, before calibration. */
  readonly scores: Float64Array;
  /** Letters the guess rests on. */
  readonly letters: number;
  /** Share of the text's n-grams that the model knows, 0 to 1. */
  readonly familiar: number;
}

/** Wraps a model; what it returns guesses the language of a text that `clean` has put into shape. */
export const createGuesser = ({ card, weights }: LanguageModel): ((text: string) => LanguageGuess) => {
  const reader = new NgramReader();
  const score = createLanguageScorer(weights);
  return (text) => {
    reader.read(text);
    const { scores, known } = score(reader);
    const best = argmax(scores);
    return {
      code: card.labels[best] ?? "",
      prob: probabilityOf(scores, best, card.temperature),
      scores,
      letters: reader.letters,
      familiar: reader.size === 0 ? 0 : known / reader.size,
    };
  };
};

const argmax = (scores: Float64Array): number => {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i;
  return best;
};

/** The softmax of the best score. */
const probabilityOf = (scores: Float64Array, best: number, temperature: number): number => {
  const highest = scores[best] ?? 0;
  let sum = 0;
  for (const score of scores) sum += Math.exp((score - highest) / temperature);
  return 1 / sum;
};
