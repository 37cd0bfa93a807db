import type { LanguageModel } from "./model.js";
import { NgramReader } from "./ngram-reader.js";
import { createLanguageScorer } from "./scorer.js";

/** The model's guess for a text, before the decision whether it is certain enough to be reported. */
export interface LanguageGuess {
  /** The likeliest of the model's languages. */
  readonly code: string;
  /** Calibrated. */
  readonly prob: number;
  /** The lowest probability over the readings of the text; less than `prob` if elongation allows two readings. */
  readonly least: number;
  /** Of all labels, in their order, before calibration. */
  readonly scores: Float64Array;
  /** Number of letters that the guess is based on. */
  readonly letters: number;
  /** Share of the text's n-grams that the model knows, 0 to 1. */
  readonly familiar: number;
}

/**
 * Wraps a model; the returned function guesses the language of a text prepared by `clean`. The n-grams keep two of an
 * elongated letter, which several languages write (Somali, Finnish) and which writers usually mean as one: such a text
 * is read both ways, and the scores are averaged.
 */
export const createGuesser = ({ card, weights }: LanguageModel): ((text: string) => LanguageGuess) => {
  const reader = new NgramReader();
  const score = createLanguageScorer(weights);
  const read = (text: string): Reading => {
    reader.read(text);
    const { scores, known } = score(reader);
    return { scores, letters: reader.letters, familiar: reader.size === 0 ? 0 : known / reader.size };
  };
  return (text) => {
    const readings = ELONGATED.test(text) ? [read(text), read(text.replace(EACH_ELONGATED, "$1"))] : [read(text)];
    const scores = meanOf(readings);
    const best = argmax(scores);
    const probabilityIn = (of: Float64Array): number => probabilityOf(of, best, card.temperature);
    return {
      code: card.labels[best] ?? "",
      prob: probabilityIn(scores),
      least: Math.min(...readings.map((reading) => probabilityIn(reading.scores))),
      scores,
      letters: readings[0]?.letters ?? 0,
      familiar: readings[0]?.familiar ?? 0,
    };
  };
};

type Reading = Pick<LanguageGuess, "scores" | "letters" | "familiar">;

const ELONGATED = /(\p{L})\1\1/u;
const EACH_ELONGATED = /(\p{L})\1{2,}/gu;

const meanOf = ([first, ...others]: readonly Reading[]): Float64Array => {
  const scores = Float64Array.from(first?.scores ?? []);
  for (const other of others) other.scores.forEach((score, i) => (scores[i] = (scores[i] ?? 0) + score));
  return others.length === 0 ? scores : scores.map((score) => score / (1 + others.length));
};

const argmax = (scores: Float64Array): number => {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i;
  return best;
};

/** Softmax probability of one label. */
const probabilityOf = (scores: Float64Array, label: number, temperature: number): number => {
  const highest = scores[label] ?? 0;
  let sum = 0;
  for (const score of scores) sum += Math.exp((score - highest) / temperature);
  return 1 / sum;
};
