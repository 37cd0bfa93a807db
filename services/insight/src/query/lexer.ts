/** A place in a query. */
export interface Place {
  /** Of the first character, in code points from 1. */
  readonly position: number;
  /** Position after the last character. */
  readonly end: number;
}

/** A piece of a query. */
export interface Token extends Place {
  readonly kind: "word" | "phrase" | "open" | "close" | "separator" | "minus" | "and" | "or" | "not" | "end";
  /** As written; of a phrase without its quotes. */
  readonly text: string;
}

/** Divides a query into its pieces, of which none is an operator in letters yet; the last is `end`. */
export function lex(characters: readonly string[]): Token[] {
  const tokens: Token[] = [];
  const inNumbers = commasInNumbers(characters);
  let index = 0;
  while (index < characters.length) {
    if (symbolOf(characters[index] ?? "") === "space") {
      index += 1;
      continue;
    }
    const token = lexToken(characters, index, inNumbers);
    tokens.push(token);
    index = token.end - 1;
  }
  return [...tokens, { kind: "end", text: "", position: index + 1, end: index + 1 }];
}

const DIGIT = /^\p{Nd}$/u;
const GROUPED = /(?<![\p{L}\p{N}])\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)/gu;

/** Where a comma stands between the digits of one number, such as `1,000`. */
function commasInNumbers(characters: readonly string[]): ReadonlySet<number> {
  // Each character is one code unit here.
  const shape = characters
    .map((char) =>
      DIGIT.test(char) ? "0" : symbolOf(char) === "separator" ? "," : /[\p{L}\p{N}]/u.test(char) ? "a" : " ",
    )
    .join("");
  const found = new Set<number>();
  for (const { index, 0: number } of shape.matchAll(GROUPED)) {
    for (let at = 0; at < number.length; at += 1) if (number[at] === ",") found.add(index + at);
  }
  return found;
}

function lexToken(characters: readonly string[], start: number, inNumbers: ReadonlySet<number>): Token {
  const symbol = symbolOf(characters[start] ?? "");
  if (symbol === "quote") return lexPhrase(characters, start);
  if (symbol === undefined || symbol === "space") return lexWord(characters, start, inNumbers);
  return { kind: symbol, text: characters[start] ?? "", position: start + 1, end: start + 2 };
}

function lexPhrase(characters: readonly string[], start: number): Token {
  const end = endOf(characters, start + 1, (char) => symbolOf(char) !== "quote");
  if (end === characters.length) {
    const quote = { position: start + 1, end: start + 2 };
    throw new QuerySyntaxError("A quote opens", quote, "Close it with another quote, or remove it.");
  }
  return { kind: "phrase", text: characters.slice(start + 1, end).join(""), position: start + 1, end: end + 2 };
}

/** A `-` inside a word belongs to it. */
function lexWord(characters: readonly string[], start: number, inNumbers: ReadonlySet<number>): Token {
  const belongs = (char: string, index: number) =>
    [undefined, "minus"].includes(symbolOf(char)) || inNumbers.has(index);
  const end = endOf(characters, start, belongs);
  return { kind: "word", text: characters.slice(start, end).join(""), position: start + 1, end: end + 1 };
}

/** Index of the first character from `start` on that does not belong, or the number of characters. */
function endOf(
  characters: readonly string[],
  start: number,
  belongs: (char: string, index: number) => boolean,
): number {
  let end = start;
  while (end < characters.length && belongs(characters[end] ?? "", end)) end += 1;
  return end;
}

type SymbolKind = "quote" | "open" | "close" | "separator" | "minus" | "space";

const SYMBOLS: ReadonlyMap<string, SymbolKind> = new Map([
  ...Array.from('"“”„‟«»〝〞〟「」『』', (char) => [char, "quote"] as const),
  ["(", "open"],
  [")", "close"],
  // The commas of Arabic, N'Ko, Ethiopic, Mongolian, Lisu and Vai, too.
  ...Array.from(",、\u060C\u07F8\u1363\u1802\uA4FE\uA60D", (char) => [char, "separator"] as const),
  // Editors turn the hyphen before a word into a dash.
  ...["-", "−", "–"].map((char) => [char, "minus"] as const),
  // A space of width zero separates words in scripts without spaces.
  ["\u200B", "space"],
]);

/** Whether an operand begins with the token. */
export function startsOperand({ kind }: Token): boolean {
  return kind === "word" || kind === "phrase" || kind === "open" || kind === "minus" || kind === "not";
}

/** What a character means in a query, where it does not belong to a word or phrase. Full-width forms count. */
export function symbolOf(char: string): SymbolKind | undefined {
  return /\s/u.test(char) ? "space" : SYMBOLS.get(char.normalize("NFKC"));
}

/** Keywords that cannot be understood. The message is a sentence for a person: where it went wrong, what to do. */
export class QuerySyntaxError extends Error {
  override readonly name = "QuerySyntaxError";

  /** Where it is, in code points from 1. */
  readonly position: number;
  /** Where it ends: the same if something is missing there. */
  readonly end: number;

  /**
   * @param problem What is wrong, without the full stop.
   * @param advice What to do about it, as a sentence.
   */
  constructor(problem: string, { position, end }: Place, advice: string) {
    super(`${problem} at character ${position}. ${advice}`);
    this.position = position;
    this.end = end;
  }
}
