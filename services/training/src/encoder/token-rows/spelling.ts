import { tagText } from "@hourglass/analysis/topic";

const SMALL = new Set(["of", "the", "and", "in", "on", "a", "an", "to", "for", "with", "at", "by", "de", "v."]);

/** Capitalises a lower-case entry of a word list like a name; `acronyms`: short unknown words in capitals. */
export function spelt(name: string, acronyms: boolean): string {
  return name.replace(/(^|[ -])([^ -]+)/gu, (_, gap: string, word: string) => {
    if (gap !== "" && SMALL.has(word)) return gap + word;
    return gap + (acronyms && isAcronym(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1));
  });
}

/** `nba`, `bmw`, `x5`: short, and not in the dictionary. */
function isAcronym(word: string): boolean {
  if (/\d/.test(word)) return !/\d(?:st|nd|rd|th|s)$/.test(word);
  if (word.length === 4) return !/[aeiouy]/.test(word);
  return word.length < 4 && tagText(word)[0]?.known === false && !/^(?:st|mt|jr|sr|dr|al|el|la|le)\.?$/.test(word);
}
