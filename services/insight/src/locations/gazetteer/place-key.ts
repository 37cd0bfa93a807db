import { fold } from "../../query/words/fold.js";

const WITHIN = /[.'`´]/gu;
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/gu;

/** The form in which names of places are compared: `St. Louis` and `st louis` are the same. Empty without a letter or digit. */
export function placeKey(name: string): string {
  return fold(name).replace(WITHIN, "").replace(BETWEEN, " ").trim();
}
