import { softmax } from "../text/classification.js";

/**
 * Scripts as the network's output lists them; the first is for what is no print. What it reads comes first, and the
 * rest it can only tell apart by shape.
 */
const READ = ["none", "Latin", "Han", "Japanese"] as const;
const UNREAD = [
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Devanagari",
  "Thai",
  "Hangul",
  "Bengali",
  "Tamil",
  "Telugu",
  "Gujarati",
  "Gurmukhi",
  "Georgian",
  "Armenian",
] as const;
export const SCRIPTS = [...READ, ...UNREAD] as const;
export type UnreadScript = (typeof UNREAD)[number];

/** The probabilities of the scripts of a line, from the network's scores of its steps. */
export const scriptsOf = (scores: Float32Array, steps: number): Float64Array => {
  const sums = new Float64Array(SCRIPTS.length);
  for (let at = 0; at < steps * SCRIPTS.length; at++) sums[at % SCRIPTS.length]! += scores[at]! / steps;
  return softmax(sums);
};

/** Below this probability of all scripts together that cannot be read, a line is taken for one that can. */
export const UNREAD_MIN = 0.9;

/** The script of a line that cannot be read, and the probability that it cannot; undefined if it can. */
export const unreadScript = (scripts: Float64Array): { script: UnreadScript; prob: number } | undefined => {
  const unread = scripts.subarray(READ.length);
  const prob = unread.reduce((sum, each) => sum + each, 0);
  if (prob < UNREAD_MIN) return undefined;
  const { [unread.indexOf(Math.max(...unread))]: script = UNREAD[0] } = UNREAD;
  return { script, prob };
};
