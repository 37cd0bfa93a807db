import { wink } from "../../text/wink.js";

/** Reads a hashtag as words: `#WorldCup2014` → `World Cup 2014`, `#throwbackthursday` → `throwback thursday`. */
export function wordsOfHashtag(hashtag: string): string {
  const body = hashtag
    .replace(/^[#＃]/, "")
    .replaceAll("_", " ")
    .trim();
  const cut = body
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N}{2,})/gu, "$1 $2")
    .replace(/\s+/g, " ");
  return /^[a-z]{6,24}$/.test(cut) ? segment(cut) : cut;
}

/** Words too short to be trusted inside a run of letters, unless they are among the commonest. */
const SHORT = new Set(
  "a i tv uk us am an as at be by do go he if in is it me my no of on or so to up us we the and for you".split(" "),
);

/** Cuts a run of small letters into the fewest dictionary words, at most four; left whole when that fails. */
function segment(letters: string): string {
  if (wink().knows(letters)) return letters;
  const best: (string[] | undefined)[] = [[]];
  for (let end = 1; end <= letters.length; end++) {
    for (let start = Math.max(0, end - 14); start < end; start++) {
      const before = best[start];
      const word = letters.slice(start, end);
      if (!before || !isWord(word)) continue;
      const known = best[end];
      const cut = [...before, word];
      if (!known || cut.length < known.length || (cut.length === known.length && squares(cut) > squares(known)))
        best[end] = cut;
    }
  }
  const words = best[letters.length];
  return words && words.length <= 4 ? words.join(" ") : letters;
}

/** Of two cuts into as many words, the one with the longer word is likelier: `tv show`, not `tvs how`. */
function squares(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length ** 2, 0);
}

function isWord(word: string): boolean {
  return word.length > 3 ? wink().knows(word) : SHORT.has(word) || (word.length === 3 && wink().knows(word));
}
