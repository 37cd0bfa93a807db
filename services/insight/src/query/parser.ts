import { AppError, type FieldViolation } from "@hourglass/runtime";
import { fold } from "@hourglass/runtime/text";
import { allOf, anyOf, type Atom, type Expression, type Query, type Term } from "./ast.js";
import { lex, type Place, QuerySyntaxError, startsOperand, type Token } from "./lexer.js";
import { corrected, type Note, readOperators } from "./operators.js";
import { mentionKey, tagKey, tokenize } from "./tokenizer.js";

/** Parses keywords. Throws AppError `invalid` that names `field` and the place of each mistake. */
export function parseKeywords(keywords: string, field = "query.keywords"): Query {
  const { terms, mistakes } = read(keywords);
  if (mistakes.length === 0) return { terms };
  throw AppError.invalid(violationsOf(keywords, mistakes, field));
}

/** What is wrong with the keywords of a request, if they are what the contract allows otherwise. */
export function keywordMistakes(keywords = "", field = "query.keywords"): FieldViolation[] {
  return keywords.trim() === "" ? [] : violationsOf(keywords, read(keywords).mistakes, field);
}

function violationsOf(keywords: string, mistakes: readonly QuerySyntaxError[], field: string): FieldViolation[] {
  const characters = [...keywords];
  return mistakes.map(({ message, position, end }) => ({
    field,
    message,
    start: offsetOf(characters, position),
    end: offsetOf(characters, end),
  }));
}

/** Code units before a character. */
function offsetOf(characters: readonly string[], position: number): number {
  return characters.slice(0, position - 1).join("").length;
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

interface Reading {
  /** They mean nothing if there are mistakes. */
  terms: Term[];
  /** In their order, up to one behind which nothing can be read. */
  mistakes: QuerySyntaxError[];
  notes: readonly Note[];
  /** Alternatives that need parentheses in what the notes advise. */
  groups: readonly Place[];
}

function read(text: string): Reading {
  const characters = [...text];
  const mistakes = unreadable(characters);
  if (mistakes.length > 0) return { terms: [], mistakes, notes: [], groups: [] };
  try {
    const { tokens, notes } = readOperators(lex(characters));
    const parser = new Parser(characters, tokens, mistakes);
    const terms = withoutDuplicates(parser.query());
    return { terms, mistakes: inOrder(mistakes), notes, groups: parser.groups };
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    return { terms: [], mistakes: inOrder([...mistakes, error]), notes: [], groups: [] };
  }
}

/** What is read otherwise than other tools would. */
export interface KeywordWarning {
  message: string;
  /** Place in the keywords, in UTF-16 code units. */
  start: number;
  end: number;
  /** The keywords as they are to be written, without any warning; undefined if there is no such form. */
  fix: string | undefined;
}

/** What in keywords is read otherwise than other tools would, in its order; nothing of what cannot be parsed. */
export function keywordWarnings(keywords: string): KeywordWarning[] {
  const { mistakes, notes, groups } = read(keywords);
  if (mistakes.length > 0 || notes.length === 0) return [];
  const characters = [...keywords];
  const isClean = (text: string): boolean => {
    const reading = read(text);
    return reading.mistakes.length === 0 && reading.notes.length === 0;
  };
  const meant = corrected(
    characters,
    notes.map(({ meant: edit }) => edit),
    groups,
  );
  const literal = corrected(
    characters,
    notes.map(({ literal: edit }) => edit),
    groups,
  );
  const fix = [meant, literal].find(isClean);
  return notes.slice(0, MISTAKES_MAX).map(({ message, position, end }) => ({
    message,
    start: offsetOf(characters, position),
    end: offsetOf(characters, end),
    fix,
  }));
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
  /** Alternatives of several operands with AND between them, which need parentheses without it. */
  readonly groups: Place[] = [];

  /** `mistakes` receives those behind which the rest can be read; others are thrown. */
  constructor(characters: readonly string[], tokens: readonly Token[], mistakes: QuerySyntaxError[]) {
    this.#characters = characters;
    this.#mistakes = mistakes;
    this.#tokens = tokens;
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
    const operands = [this.#joined()];
    const places = [this.#from(first)];
    while (this.#current.kind === "or") {
      this.#take();
      const start = this.#current;
      operands.push(this.#joined());
      places.push(this.#from(start));
    }
    if (operands.length > 1) {
      for (const [index, operand] of operands.entries()) this.#checkAlternative(operand, places[index] ?? first);
    }
    return anyOf(operands);
  }

  /** One operand, or several with AND between them, which binds tighter than OR. */
  #joined(): Expression {
    const operands = [this.#unary()];
    while (this.#current.kind === "and") {
      this.#take();
      operands.push(this.#unary());
    }
    return allOf(operands);
  }

  #checkAlternative(operand: Expression, place: Place): void {
    const parts = operand.kind === "and" ? operand.operands : [operand];
    if (parts.every(({ kind }) => kind === "not")) {
      const advice = "OR takes only what shall occur; exclude a word from the whole term instead.";
      this.#mistakes.push(new QuerySyntaxError("An alternative of OR is an exclusion", place, advice));
    } else if (this.#tokens.some(({ kind, position }) => kind === "and" && isWithin(position, place))) {
      // Without AND, its words would be divided by OR.
      this.groups.push(place);
    }
  }

  /** From a token to the last one that was taken. */
  #from({ position }: Token): Place {
    return { position, end: this.#tokens[this.#index - 1]?.end ?? position };
  }

  #unary(): Expression {
    if (this.#current.kind === "not") {
      this.#take();
      return { kind: "not", operand: this.#operand() };
    }
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

  get #current(): Token {
    return this.#tokens[this.#index] ?? this.#tokens.at(-1)!;
  }

  #take(): Token {
    const token = this.#current;
    this.#index += 1;
    return token;
  }
}

function isWithin(position: number, place: Place): boolean {
  return position >= place.position && position < place.end;
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
/** Syllables and ideographs say more than letters do. */
const PREFIX_SYLLABLES_MIN = 2;
const SYLLABLES = /^[\p{sc=Hang}\p{sc=Han}]+$/u;

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
  const [word = ""] = words;
  const min = SYLLABLES.test(word) ? PREFIX_SYLLABLES_MIN : PREFIX_LETTERS_MIN;
  if ([...word].length < min) {
    const advice = `Give at least ${min} letters before it, or the whole word without it.`;
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
