export type SymbolKind = "quote" | "open" | "close" | "separator" | "minus" | "space";

const SYMBOLS: ReadonlyMap<string, SymbolKind> = new Map([
  ...Array.from('"“”„‟«»〝〞〟「」『』', (char) => [char, "quote"] as const),
  ["(", "open"],
  [")", "close"],
  [",", "separator"],
  ["、", "separator"],
  // Editors turn the hyphen before a word into a dash.
  ...["-", "−", "–"].map((char) => [char, "minus"] as const),
  // A space of width zero separates words in scripts without spaces.
  ["\u200B", "space"],
]);

/** What a character means in a query, where it does not belong to a word or phrase. Full-width forms count. */
export function symbolOf(char: string): SymbolKind | undefined {
  return /\s/u.test(char) ? "space" : SYMBOLS.get(char.normalize("NFKC"));
}
