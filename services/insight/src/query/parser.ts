import { AppError, type FieldViolation } from "@hourglass/runtime";
import { allOf, anyOf, type Atom, type Expression, type Query, type Term } from "./ast.js";
import { mentionKey, tagKey, tokenize } from "./tokenizer.js";
import { fold } from "./unicode.js";

/** Parses keywords. Throws AppError `invalid` that names `field` and the place of each mistake. */
export function parseKeywords(keywords: string, field = "query.keywords"): Query {
  const { terms, mistakes } = read(keywords);
  if (mistakes.length === 0) return { terms };
  throw AppError.invalid(violationsOf(keywords, mistakes, field), "invalid_query");
}

/** What is wrong with the keywords of a request, if they are what the contract allows otherwise. */
export function keywordMistakes(keywords = "", field = "query.keywords"): FieldViolation[] {
  return keywords.trim() === "" ? [] : violationsOf(keywords, read(keywords).mistakes, field);
}

function violationsOf(keywords: string, mistakes: readonly QuerySyntaxError[], field: string): FieldViolation[] {
  const characters = [...keywords];
  // Code units before a character.
  const offsetOf = (position: number): number => characters.slice(0, position - 1).join("").length;
  return mistakes.map(({ message, position, end }) => ({
    field,
    message,
    start: offsetOf(position),
    end: offsetOf(end),
  }));
}

const CHARACTERS_MAX = 500;
const TERMS_MAX = 10;
const CONTROL = /^[\p{Cc}\p{Cs}]$/u;

/**
 * Reads the keywords of an insight; the grammar stands in NOTES.md.
 *
 * @throws QuerySyntaxError if they cannot be understood: the first mistake.
 */
export function parseQuery(text: string): Query {
  const { terms, mistakes } = read(text);
  const [first] = mistakes;
  if (first !== undefined) throw first;
  return { terms };
}

/** More mistakes than these help nobody. */
const MISTAKES_MAX = 20;

/** The terms, which mean nothing if there are mistakes; mistakes in their order, up to one behind which nothing can be read. */
function read(text: string): { terms: Term[]; mistakes: QuerySyntaxError[] } {
  const characters = [...text];
  const mistakes = unreadable(characters);
  if (mistakes.length > 0) return { terms: [], mistakes };
  try {
    return { terms: withoutDuplicates(new Parser(characters, mistakes).query()), mistakes: inOrder(mistakes) };
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    return { terms: [], mistakes: inOrder([...mistakes, error]) };
  }
}

function inOrder(mistakes: readonly QuerySyntaxError[]): QuerySyntaxError[] {
  return [...mistakes].sort((one, other) => one.position - other.position).slice(0, MISTAKES_MAX);
}

function unreadable(characters: readonly string[]): QuerySyntaxError[] {
  if (characters.length > CHARACTERS_MAX) {
    const advice = `Give ${CHARACTERS_MAX} characters or fewer.`;
    const rest = { position: CHARACTERS_MAX + 1, end: characters.length + 1 };
    return [new QuerySyntaxError("The keywords are too long: the limit is exceeded", rest, advice)];
  }
  const advice = "Remove it; separate words with spaces.";
  return characters
    .flatMap((char, index) => (CONTROL.test(char) ? [{ position: index + 1, end: index + 2 }] : []))
    .slice(0, MISTAKES_MAX)
    .map((place) => new QuerySyntaxError("There is a control character", place, advice));
}

/** Terms that differ only in case, accents or spaces find the same. */
function withoutDuplicates(terms: readonly Term[]): Term[] {
  const keyOf = ({ text }: Term): string => fold(text).replaceAll(/\s+/gu, " ");
  const byKey = new Map<string, Term>();
  for (const term of terms) {
    if (!byKey.has(keyOf(term))) byKey.set(keyOf(term), term);
  }
  return [...byKey.values()];
}

/** A recursive descent; its depth is bounded by the length of a query. */
class Parser {
  readonly #characters: readonly string[];
  readonly #tokens: readonly Token[];
  readonly #mistakes: QuerySyntaxError[];
  #index = 0;

  /** `mistakes` receives those behind which the rest can be read; others are thrown. */
  constructor(characters: readonly string[], mistakes: QuerySyntaxError[]) {
    this.#characters = characters;
    this.#mistakes = mistakes;
    this.#tokens = lex(characters);
  }

  query(): Term[] {
    const terms = [this.#namedTerm()];
    while (this.#current.kind === "separator") {
      const separator = this.#take();
      if (terms.length === TERMS_MAX) {
        const advice = `Give ${TERMS_MAX} at most; an OR inside a term may hold more alternatives.`;
        throw new QuerySyntaxError(`There are more than ${TERMS_MAX} terms: the next begins`, separator, advice);
      }
      terms.push(this.#namedTerm());
    }
    if (this.#current.kind === "close") throw unopened(this.#current);
    return terms;
  }

  #namedTerm(): Term {
    const start = this.#current.position - 1;
    const expression = this.#term();
    const end = (this.#tokens[this.#index - 1]?.end ?? 1) - 1;
    return { text: this.#characters.slice(start, end).join(""), expression };
  }

  /** Words that must all occur, up to a comma, a closing parenthesis or the end. */
  #term(): Expression {
    const start = this.#current;
    if (!startsOperand(start)) throw missingOperand(start);
    const operands: Expression[] = [];
    while (startsOperand(this.#current)) operands.push(this.#alternatives());
    if (operands.every(({ kind }) => kind === "not")) {
      const advice = "Add a word that must occur.";
      const place = this.#from(start);
      this.#mistakes.push(new QuerySyntaxError("There are only exclusions in the part that begins", place, advice));
    }
    return allOf(operands);
  }

  /** One operand, or several with OR between them. */
  #alternatives(): Expression {
    const first = this.#current;
    const operands = [this.#unary()];
    if (this.#isAtOr()) this.#refuseExclusion(operands[0], this.#from(first));
    while (this.#isAtOr()) {
      this.#take();
      const start = this.#current;
      const operand = this.#unary();
      this.#refuseExclusion(operand, this.#from(start));
      operands.push(operand);
    }
    return anyOf(operands);
  }

  #refuseExclusion(operand: Expression | undefined, place: Place): void {
    if (operand?.kind !== "not") return;
    const advice = "OR takes only what shall occur; exclude a word from the whole term instead.";
    this.#mistakes.push(new QuerySyntaxError("An alternative of OR is an exclusion", place, advice));
  }

  /** From a token to the last one that was taken. */
  #from({ position }: Token): Place {
    return { position, end: this.#tokens[this.#index - 1]?.end ?? position };
  }

  #unary(): Expression {
    if (this.#current.kind !== "minus") return this.#operand();
    const minus = this.#take();
    const next = this.#current;
    if (next.position !== minus.end || next.kind === "minus" || !startsOperand(next)) {
      const advice = "Put a word right after it, without a space, or remove it.";
      throw new QuerySyntaxError(`A ${minus.text} excludes nothing`, minus, advice);
    }
    return { kind: "not", operand: this.#operand() };
  }

  #operand(): Expression {
    const token = this.#take();
    if (token.kind !== "open") return this.#atom(token);
    const expression = this.#term();
    if (this.#current.kind !== "close") throw unclosed(token, this.#current);
    this.#take();
    return expression;
  }

  #atom(token: Token): Atom {
    try {
      return readAtom(token);
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      this.#mistakes.push(error);
      return { kind: "word", text: token.text };
    }
  }

  /** OR is an operator only between two operands, elsewhere the word. */
  #isAtOr(): boolean {
    const next = this.#tokens[this.#index + 1];
    const isOr = this.#current.kind === "word" && this.#current.text.normalize("NFKC") === "OR";
    return isOr && next !== undefined && startsOperand(next);
  }

  get #current(): Token {
    return this.#tokens[this.#index] ?? this.#tokens.at(-1)!;
  }

  #take(): Token {
    const token = this.#current;
    this.#index += 1;
    return token;
  }
}

function startsOperand({ kind }: Token): boolean {
  return kind === "word" || kind === "phrase" || kind === "open" || kind === "minus";
}

function missingOperand(token: Token): QuerySyntaxError {
  const problem = token.kind === "end" ? "The keywords end where a word is missing" : "A word is missing";
  return new QuerySyntaxError(problem, token, "Give at least one word in each term and pair of parentheses.");
}

function unclosed(open: Token, next: Token): QuerySyntaxError {
  if (next.kind === "separator") {
    const advice = "Put OR between the alternatives, or close the parenthesis first.";
    return new QuerySyntaxError("There is a comma inside parentheses", next, advice);
  }
  return new QuerySyntaxError("A parenthesis opens", open, "Close it with another, or remove it.");
}

function unopened(token: Token): QuerySyntaxError {
  return new QuerySyntaxError("A parenthesis closes", token, "Open it before, or remove it.");
}

const PREFIX_LETTERS_MIN = 3;

/** Reads a word or phrase of a query. */
function readAtom(token: Token): Atom {
  if (token.kind === "phrase") return phraseAtom(token);
  const sign = token.text.slice(0, 1).normalize("NFKC");
  if (sign === "#") return { kind: "tag", name: nameOf(token, tagKey, "#") };
  if (sign === "@") return { kind: "mention", name: nameOf(token, mentionKey, "@") };
  return endsWithStar(token.text) ? prefixAtom(token) : wordAtom(token);
}

function phraseAtom(token: Token): Atom {
  const { text } = token;
  if (tokenize(text).length === 0) {
    throw new QuerySyntaxError("There is no word between the quotes", token, "Write one, or remove the quotes.");
  }
  return { kind: "phrase", text: text.trim() };
}

function wordAtom(token: Token): Atom {
  const { text } = token;
  if (tokenize(text).length === 0) {
    const advice = "Give a word with letters or digits; signs and web addresses are not searched.";
    throw new QuerySyntaxError(`There is nothing to search for in ${text}`, token, advice);
  }
  return { kind: "word", text };
}

function prefixAtom(token: Token): Atom {
  const start = withoutSigns(token.text);
  const words = tokenize(start);
  if (words.length > 1) {
    throw new QuerySyntaxError("A * follows several words", token, "Put it after a single word, or remove it.");
  }
  if ([...(words[0] ?? "")].length < PREFIX_LETTERS_MIN) {
    const advice = `Give at least ${PREFIX_LETTERS_MIN} letters before it, or the whole word without it.`;
    throw new QuerySyntaxError("A * follows too few letters", token, advice);
  }
  return { kind: "prefix", text: start };
}

/** The name after `#` or `@`. */
function nameOf(token: Token, key: (name: string) => string, sign: string): string {
  const name = token.text.slice(1);
  if (key(name) === "") {
    throw new QuerySyntaxError(`There is no name after ${sign}`, token, "Write one without a space, or remove it.");
  }
  if (endsWithStar(name)) {
    throw new QuerySyntaxError(`A * follows a name with ${sign}`, token, "Give the whole name, without the *.");
  }
  return name;
}

/** Without the `*` at the end, and without signs before the word that would mean something there. */
function withoutSigns(text: string): string {
  const characters = Array.from(text);
  const isSign = (char: string): boolean => "*#@".includes(char.normalize("NFKC"));
  const isWord = (char: string): boolean => !isSign(char);
  return characters.slice(characters.findIndex(isWord), characters.findLastIndex(isWord) + 1).join("");
}

function endsWithStar(text: string): boolean {
  return fold(text).endsWith("*");
}

/** A place in a query. */
interface Place {
  /** Of the first character, in code points from 1. */
  readonly position: number;
  /** Position after the last character. */
  readonly end: number;
}

/** A piece of a query. */
interface Token extends Place {
  readonly kind: "word" | "phrase" | "open" | "close" | "separator" | "minus" | "end";
  /** As written; of a phrase without its quotes. */
  readonly text: string;
}

/** Divides a query into its pieces; the last is `end`. */
function lex(characters: readonly string[]): Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < characters.length) {
    if (symbolOf(characters[index] ?? "") === "space") {
      index += 1;
      continue;
    }
    const token = lexToken(characters, index);
    tokens.push(token);
    index = token.end - 1;
  }
  return [...tokens, { kind: "end", text: "", position: index + 1, end: index + 1 }];
}

function lexToken(characters: readonly string[], start: number): Token {
  const symbol = symbolOf(characters[start] ?? "");
  if (symbol === "quote") return lexPhrase(characters, start);
  if (symbol === undefined || symbol === "space") return lexWord(characters, start);
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
function lexWord(characters: readonly string[], start: number): Token {
  const end = endOf(characters, start, (char) => [undefined, "minus"].includes(symbolOf(char)));
  return { kind: "word", text: characters.slice(start, end).join(""), position: start + 1, end: end + 1 };
}

/** Index of the first character from `start` on that does not belong, or the number of characters. */
function endOf(characters: readonly string[], start: number, belongs: (char: string) => boolean): number {
  let end = start;
  while (end < characters.length && belongs(characters[end] ?? "")) end += 1;
  return end;
}

type SymbolKind = "quote" | "open" | "close" | "separator" | "minus" | "space";

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
function symbolOf(char: string): SymbolKind | undefined {
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
