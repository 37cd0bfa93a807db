import { readFileSync } from "node:fs";
import { MODEL_FOLDER } from "../tagger/model-file.js";

/** The words of posts, the commonest first, one a line; `npm run train topic` counts them. */
export const COMMON_WORDS_FILE = "common-words.txt";

/** The rank of a word in small letters among the words of posts, 1 for the commonest; infinite when it is rare. */
export function rankOf(word: string): number {
  ranks ??= load();
  return ranks.get(word) ?? Infinity;
}

/** Words beyond this rank are as special as a word can be. */
const SPECIAL_RANK = 12_000;

/** How much a word says by itself: 0 for the commonest words, 1 for rare ones. */
export function specificity(word: string): number {
  return Math.log(Math.min(rankOf(word), SPECIAL_RANK)) / Math.log(SPECIAL_RANK);
}

/** How unlikely a word is in a post, as a negative logarithm: words are about as frequent as their rank is low (Zipf). */
export function surprise(rank: number): number {
  return Math.log(rank) + ZIPF_NORM;
}

const ZIPF_NORM = Math.log(10);

let ranks: ReadonlyMap<string, number> | undefined;

function load(): ReadonlyMap<string, number> {
  const lines = readFileSync(new URL(COMMON_WORDS_FILE, MODEL_FOLDER), "utf8").trimEnd().split("\n");
  return new Map(lines.map((word, index) => [word, index + 1]));
}
