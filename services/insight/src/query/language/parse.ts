import { readAtom } from "./atom.js";
import { allOf, anyOf, type Expression, type Query, type Term } from "./expression.js";
import { lex, type Token } from "./lexer.js";
import { QuerySyntaxError } from "./syntax-error.js";
import { fold } from "../words/fold.js";

const CHARACTERS_MAX = 500;
const TERMS_MAX = 10;
const CONTROL = /^[\p{Cc}\p{Cs}]$/u;

/**
 * Reads the keywords of an insight; the grammar stands in NOTES.md.
 *
 * @throws QuerySyntaxError if they cannot be understood.
 */
export function parseQuery(text: string): Query {
  const characters = [...text];
  checkCharacters(characters);
  return { terms: withoutDuplicates(new Parser(characters).query()) };
}

function checkCharacters(characters: readonly string[]): void {
  if (characters.length > CHARACTERS_MAX) {
    const advice = `Give ${CHARACTERS_MAX} characters or fewer.`;
    throw new QuerySyntaxError("The keywords are too long: they go on", CHARACTERS_MAX + 1, advice);
  }
  const control = characters.findIndex((char) => CONTROL.test(char));
  if (control !== -1) {
    const advice = "Remove it; separate words with spaces.";
    throw new QuerySyntaxError("There is a control character", control + 1, advice);
  }
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
  #index = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
    this.#tokens = lex(characters);
  }

  query(): Term[] {
    const terms = [this.#namedTerm()];
    while (this.#current.kind === "separator") {
      const { position } = this.#take();
      if (terms.length === TERMS_MAX) {
        const advice = `Give ${TERMS_MAX} at most; an OR inside a term may hold more alternatives.`;
        throw new QuerySyntaxError(`There are more than ${TERMS_MAX} terms: the next begins`, position, advice);
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
      throw new QuerySyntaxError("There are only exclusions in the part that begins", start.position, advice);
    }
    return allOf(operands);
  }

  /** One operand, or several with OR between them. */
  #alternatives(): Expression {
    const first = this.#current.position;
    const operands = [this.#unary()];
    if (this.#isAtOr()) refuseExclusion(operands[0], first);
    while (this.#isAtOr()) {
      this.#take();
      const { position } = this.#current;
      const operand = this.#unary();
      refuseExclusion(operand, position);
      operands.push(operand);
    }
    return anyOf(operands);
  }

  #unary(): Expression {
    if (this.#current.kind !== "minus") return this.#operand();
    const minus = this.#take();
    const next = this.#current;
    if (next.position !== minus.end || next.kind === "minus" || !startsOperand(next)) {
      const advice = "Put a word right after it, without a space, or remove it.";
      throw new QuerySyntaxError(`A ${minus.text} excludes nothing`, minus.position, advice);
    }
    return { kind: "not", operand: this.#operand() };
  }

  #operand(): Expression {
    const token = this.#take();
    if (token.kind !== "open") return readAtom(token);
    const expression = this.#term();
    if (this.#current.kind !== "close") throw unclosed(token, this.#current);
    this.#take();
    return expression;
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

function refuseExclusion(operand: Expression | undefined, position: number): void {
  if (operand?.kind !== "not") return;
  const advice = "OR takes only what shall occur; exclude a word from the whole term instead.";
  throw new QuerySyntaxError("An alternative of OR is an exclusion", position, advice);
}

function missingOperand({ kind, position }: Token): QuerySyntaxError {
  const problem = kind === "end" ? "The keywords end where a word is missing" : "A word is missing";
  return new QuerySyntaxError(problem, position, "Give at least one word in each term and pair of parentheses.");
}

function unclosed(open: Token, next: Token): QuerySyntaxError {
  if (next.kind === "separator") {
    const advice = "Put OR between the alternatives, or close the parenthesis first.";
    return new QuerySyntaxError("There is a comma inside parentheses", next.position, advice);
  }
  return new QuerySyntaxError("A parenthesis opens", open.position, "Close it with another, or remove it.");
}

function unopened({ position }: Token): QuerySyntaxError {
  return new QuerySyntaxError("A parenthesis closes", position, "Open it before, or remove it.");
}
