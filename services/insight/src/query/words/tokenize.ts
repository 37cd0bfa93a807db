import { fold } from "./fold.js";
import { scan, type WordSink } from "./scan.js";

/**
 * The words of a text in its order, folded: what a query is compared with. An emoji is a word; web addresses and
 * punctuation are none; a possessive `'s` and an elided `l'` are removed. Takes time linear in the length.
 */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  const sink: WordSink = {
    word: (folded, start, end) => words.push(folded.slice(start, end)),
    tag: () => undefined,
    mention: () => undefined,
  };
  scan(fold(text), sink);
  return words;
}
