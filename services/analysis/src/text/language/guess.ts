import type { LanguageModel } from "./model.js";
import { NgramReader } from "./ngram-reader.js";
import { addSums, createNgramCounter, type NgramSums, scoresOf } from "./scorer.js";

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

/** A text's n-grams as written and, if letters are elongated, also with each of those written once. */
export interface Readings {
  readonly written: NgramSums;
  readonly shortened: NgramSums | undefined;
}

/** Reads texts prepared by `clean`, and guesses their language from that. */
export interface Guesser {
  readonly read: (text: string) => Readings;
  readonly guess: (readings: Readings) => LanguageGuess;
}

/**
 * Wraps a model. The n-grams keep two of an elongated letter, which several languages write (Somali, Finnish) and which
 * writers usually mean as one: such a text is read both ways, and the scores are averaged.
 */
export const createGuesser = ({ card, weights }: LanguageModel): Guesser => {
  const reader = new NgramReader();
  const count = createNgramCounter(weights);
  const sumsOf = (text: string): NgramSums => {
    reader.read(text);
    return count(reader);
  };
  return {
    read: (text) => ({
      written: sumsOf(text),
      shortened: ELONGATED.test(text) ? sumsOf(text.replace(EACH_ELONGATED, "$1")) : undefined,
    }),
    guess: ({ written, shortened }) => {
      const readings = [written, ...(shortened === undefined ? [] : [shortened])].map((sums) =>
        scoresOf(sums, weights),
      );
      const scores = meanOf(readings);
      const best = argmax(scores);
      const probabilityIn = (of: Float64Array): number => probabilityOf(of, best, card.temperature);
      const { letters, size, known } = written;
      return {
        code: card.labels[best] ?? "",
        prob: probabilityIn(scores),
        least: Math.min(...readings.map(probabilityIn)),
        scores,
        letters,
        familiar: size === 0 ? 0 : known / size,
      };
    },
  };
};

/** The reading of a text from those of its two parts; it must be cut between two words. */
export const joinReadings = (a: Readings, b: Readings): Readings => ({
  written: addSums(a.written, b.written),
  shortened:
    a.shortened === undefined && b.shortened === undefined
      ? undefined
      : addSums(a.shortened ?? a.written, b.shortened ?? b.written),
});

const ELONGATED = /(\p{L})\1\1/u;
const EACH_ELONGATED = /(\p{L})\1{2,}/gu;

const meanOf = ([first = new Float64Array(), second]: readonly Float64Array[]): Float64Array =>
  second === undefined ? first : first.map((score, i) => (score + (second[i] ?? 0)) / 2);

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
