import { readFileSync } from "node:fs";
import type { Word } from "./words.js";
import { shipped } from "../../models/shipped-models.js";

/** Names of the polarity features, in the order `polarity` writes them. */
export const POLARITY_FEATURES = [
  "vader",
  "vader-positive",
  "vader-negative",
  "vader-highest",
  "vader-lowest",
  "vader-last",
  "vader-after-but",
  "vader-mixed",
  "vader-none",
  ...["very-low", "low", "lowish", "even", "highish", "high", "very-high"].map((bin) => `vader-${bin}`),
  "afinn",
  "afinn-positive",
  "afinn-negative",
  ...["low", "lowish", "even", "highish", "high"].map((bin) => `afinn-${bin}`),
];

const VADER_CUTS = [-0.7, -0.4, -0.05, 0.05, 0.4, 0.7];
const AFINN_CUTS = [-0.6, -0.1, 0.1, 0.6];

/** VADER's constants: the effects of a negation, capitals and a degree adverb on a word. */
const NEGATED = -0.74;
const CAPITALS_BOOST = 0.733;
const DEGREE_BOOST = 0.293;

const MORE = new Set(
  (
    "very so really extremely absolutely totally completely incredibly especially particularly super too most more " +
    "highly utterly deeply amazingly truly fucking freaking hella majorly purely quite remarkably"
  ).split(" "),
);
const LESS = new Set(
  "almost barely hardly kinda kind less little marginally partly slightly somewhat sorta".split(" "),
);

type Valences = ReadonlyMap<string, number>;

let loaded: { vader: Valences; afinn: Valences } | undefined;

const lexicons = (): { vader: Valences; afinn: Valences } =>
  (loaded ??= { vader: readValences("vader.txt"), afinn: readValences("afinn.txt") });

const readValences = (file: string): Valences => {
  const url = shipped(`lexicon/${file}`);
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("\t")), Number(line.slice(line.indexOf("\t") + 1))]));
};

/** The valence of a lower-case word by VADER, otherwise by AFINN, from -4 to 5; 0 if neither has it. */
export const valenceOf = (word: string): number => {
  const { vader, afinn } = lexicons();
  return vader.get(word) ?? afinn.get(word) ?? 0;
};

interface Tally {
  positive: number;
  negative: number;
  highest: number;
  lowest: number;
  last: number;
  afterBut: number;
}

/** Writes the polarity of the words by two lexicons into `target`, from `offset` on; values are between -1 and 1. */
export const polarity = (found: readonly Word[], target: Float32Array, offset: number): void => {
  const { vader, afinn } = lexicons();
  const v = tally(found, vader);
  const a = tally(found, afinn);
  const compound = squash(v.positive + v.negative);
  const values = [
    compound,
    squash(v.positive),
    squash(v.negative),
    v.highest / 4,
    v.lowest / 4,
    v.last / 4,
    squash(v.afterBut),
    v.positive > 0 && v.negative < 0 ? 1 : 0,
    v.positive === 0 && v.negative === 0 ? 1 : 0,
  ];
  target.set(values, offset);
  let at = offset + values.length;
  target[at + binOf(compound, VADER_CUTS)] = 1;
  at += VADER_CUTS.length + 1;
  const affinity = squash(a.positive + a.negative);
  target.set([affinity, squash(a.positive), squash(a.negative)], at);
  target[at + 3 + binOf(affinity, AFINN_CUTS)] = 1;
};

const tally = (found: readonly Word[], valences: Valences): Tally => {
  const sum: Tally = { positive: 0, negative: 0, highest: 0, lowest: 0, last: 0, afterBut: 0 };
  for (let i = 0; i < found.length; i++) {
    const word = found[i];
    if (word === undefined) continue;
    if (word.form === "but") sum.afterBut = 0;
    const valence = valences.get(word.form);
    if (valence !== undefined) count(sum, inContext(valence, word, found[i - 1]));
  }
  return sum;
};

const count = (sum: Tally, valence: number): void => {
  if (valence > 0) sum.positive += valence;
  else sum.negative += valence;
  sum.highest = Math.max(sum.highest, valence);
  sum.lowest = Math.min(sum.lowest, valence);
  sum.last = valence;
  sum.afterBut += valence;
};

const inContext = (valence: number, word: Word, previous: Word | undefined): number => {
  let size = Math.abs(valence);
  if (word.capitals) size += CAPITALS_BOOST;
  if (previous !== undefined && MORE.has(previous.form)) size += DEGREE_BOOST;
  if (previous !== undefined && LESS.has(previous.form)) size -= DEGREE_BOOST;
  return Math.sign(valence) * size * (word.negated ? NEGATED : 1);
};

const squash = (sum: number): number => sum / Math.sqrt(sum * sum + 15);

const binOf = (value: number, cuts: readonly number[]): number => {
  const bin = cuts.findIndex((cut) => value < cut);
  return bin < 0 ? cuts.length : bin;
};
