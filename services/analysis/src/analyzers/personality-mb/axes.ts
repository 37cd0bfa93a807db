import type { Measure, Profile } from "./profile.js";

/** One of the four preferences, described by its first-named pole. */
export interface Axis {
  /** The pole that positive evidence supports, and the other. */
  readonly poles: readonly [toward: string, otherwise: string];
  /** Share of the population that prefers the first pole (US representative sample, MBTI Manual, 3rd ed., 1998). */
  readonly prior: number;
  /** Correlation of the axis with the Big Five trait nearest to it (McCrae & Costa 1989, mean of both sexes). */
  readonly traitCorrelation: number;
  /** Weight of each measure as evidence for the first pole: published directions and sizes, rounded. */
  readonly evidence: Partial<Record<Measure, number>>;
}

/**
 * The axes are based on Extraversion, Openness, Agreeableness and Conscientiousness. Directions and rough sizes of the
 * word classes follow Pennebaker & King 1999, Mehl et al. 2006, Yarkoni 2010 and Schwartz et al. 2013; see NOTES.md.
 */
export const AXES: readonly [Axis, Axis, Axis, Axis] = [
  {
    poles: ["E", "I"],
    prior: 0.493,
    traitCorrelation: 0.72,
    evidence: {
      social: 0.16,
      we: 0.1,
      you: 0.12,
      positive: 0.12,
      energetic: 0.14,
      exclamations: 0.1,
      family: 0.06,
      solitary: -0.16,
      tentative: -0.1,
      insight: -0.08,
      negation: -0.06,
      longWords: -0.06,
      article: -0.04,
    },
  },
  {
    poles: ["N", "S"],
    prior: 0.267,
    traitCorrelation: 0.7,
    evidence: {
      insight: 0.14,
      culture: 0.14,
      article: 0.14,
      longWords: 0.14,
      tentative: 0.06,
      questions: 0.06,
      concrete: -0.16,
      time: -0.14,
      family: -0.14,
      self: -0.1,
      sensory: -0.04,
      exclamations: -0.06,
    },
  },
  {
    poles: ["F", "T"],
    prior: 0.598,
    traitCorrelation: 0.45,
    evidence: {
      feeling: 0.2,
      positive: 0.14,
      we: 0.14,
      family: 0.14,
      exclamations: 0.06,
      self: 0.06,
      anger: -0.2,
      swear: -0.18,
      negative: -0.08,
      analytic: -0.2,
      article: -0.06,
      longWords: -0.08,
    },
  },
  {
    poles: ["J", "P"],
    prior: 0.541,
    traitCorrelation: 0.48,
    evidence: {
      planning: 0.2,
      time: 0.1,
      positive: 0.08,
      family: 0.06,
      we: 0.06,
      longWords: 0.06,
      certainty: 0.04,
      spontaneous: -0.18,
      negation: -0.14,
      swear: -0.14,
      negative: -0.12,
      tentative: -0.1,
      anger: -0.1,
      emphasis: -0.04,
    },
  },
];

/** Number of words at which a text has half the weight of an infinitely long one. */
const HALF_EVIDENCE_WORDS = 1_000;
/** Standard deviation of a measure between writers, as a share of its mean. */
const SPREAD = 0.5;
/** Sample size for the additional spread by chance, which is larger for rare words: most texts contain none of them. */
const SAMPLE_WORDS = 1_000;
/** No single measure counts for more than this many standard deviations. */
const DEVIATION_MAX = 2.5;
/** Turns standard deviations of a trait into log-odds (the slope of the logistic nearest to the normal curve). */
const LOGIT_PER_DEVIATION = 1.7;
/** No letter is more probable than this: nothing here has been validated on people. */
const PROBABILITY_MAX = 0.8;
/** Shares of function words: at the first a text begins to count as English, from the second it counts fully. */
const ENGLISH = [0.15, 0.3] as const;

/** The probability of an axis' first pole: the population's prior, adjusted by the evidence of the text. */
export function probabilityOf(axis: Axis, profile: Profile): number {
  const trait = weightOf(profile) * traitOf(axis, profile);
  const logit = Math.log(axis.prior / (1 - axis.prior)) + LOGIT_PER_DEVIATION * axis.traitCorrelation * trait;
  const probability = 1 / (1 + Math.exp(-logit));
  return Math.min(PROBABILITY_MAX, Math.max(1 - PROBABILITY_MAX, probability));
}

/** A shift of less than this is none that anybody should read anything into. */
const SHIFT_MIN = 0.02;

/** Whether a text says anything about its writer: whether it moves any preference off what is usual in the population. */
export const hasEvidence = (profile: Profile): boolean =>
  AXES.some((axis) => Math.abs(probabilityOf(axis, profile) - axis.prior) >= SHIFT_MIN);

/** Weight of a text's evidence, 0 to 1: grows with its number of words, and is 0 if hardly any of it is English. */
function weightOf({ words, rates }: Profile): number {
  const [from, to] = ENGLISH;
  const english = Math.min(1, Math.max(0, (rates.function - from) / (to - from)));
  return (english * words) / (words + HALF_EVIDENCE_WORDS);
}

function traitOf({ evidence }: Axis, { rates }: Profile): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(evidence)) {
    // The keys of `evidence` are measures; `Object.entries` widens them.
    const measure = name as Measure;
    const usual = BASELINES[measure];
    const deviation = (rates[measure] - usual) / Math.sqrt((usual * SPREAD) ** 2 + usual / SAMPLE_WORDS);
    sum += weight * Math.min(DEVIATION_MAX, Math.max(-DEVIATION_MAX, deviation));
  }
  return sum;
}

/** Each measure's share of the words of ordinary posts; `measureBaselines` of the training package computes them. */
const BASELINES: Readonly<Record<Measure, number>> = {
  function: 0.43138,
  article: 0.06155,
  self: 0.04502,
  we: 0.00607,
  you: 0.01619,
  social: 0.01218,
  family: 0.00616,
  positive: 0.02043,
  negative: 0.00923,
  anger: 0.00573,
  energetic: 0.01103,
  solitary: 0.008,
  insight: 0.00846,
  culture: 0.00542,
  concrete: 0.01846,
  sensory: 0.01057,
  time: 0.03301,
  feeling: 0.01164,
  analytic: 0.00508,
  planning: 0.00761,
  certainty: 0.00496,
  tentative: 0.00298,
  spontaneous: 0.00511,
  swear: 0.0028,
  negation: 0.01521,
  questions: 0.00694,
  exclamations: 0.01254,
  emphasis: 0.01018,
  longWords: 0.1758,
};
