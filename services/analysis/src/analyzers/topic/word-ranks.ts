import { readFileSync } from "node:fs";
import { MODEL_FOLDER } from "./tagger.js";

/** The words of posts, one per line, the most frequent first; `npm run train topic` counts them. */
export const COMMON_WORDS_FILE = "common-words.txt";

/** The rank of a lower-case word among the words of posts, 1 for the most frequent; infinite if it is rare. */
export function rankOf(word: string): number {
  ranks ??= load();
  return ranks.get(word) ?? Infinity;
}

/** Words beyond this rank have the maximum specificity. */
const SPECIAL_RANK = 12_000;

/** How specific a word is: 0 for the most common words, 1 for rare ones. */
export function specificity(word: string): number {
  return Math.log(Math.min(rankOf(word), SPECIAL_RANK)) / Math.log(SPECIAL_RANK);
}

/** The negative log probability of a word in a post: by Zipf's law, frequency is inversely proportional to rank. */
export function surprise(rank: number): number {
  return Math.log(rank) + ZIPF_NORM;
}

const ZIPF_NORM = Math.log(10);

let ranks: ReadonlyMap<string, number> | undefined;

function load(): ReadonlyMap<string, number> {
  const lines = readFileSync(new URL(COMMON_WORDS_FILE, MODEL_FOLDER), "utf8").trimEnd().split("\n");
  return new Map(lines.map((word, index) => [word, index + 1]));
}
