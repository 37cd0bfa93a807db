/** A text without accents and capitals. */
export function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** The words of a text; a tag is its word. */
export function wordsOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Whether the words of a phrase stand side by side among these. */
export function contains(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((word, i) => words[start + i] === word));
}
