/** What a term asks of a posting. Texts and names are kept as the user wrote them. */
export type Expression = Atom | Not | And | Or;

/** What occurs in a posting or does not. */
export type Atom = Word | Phrase | Prefix | Tag | Mention;

interface Word {
  readonly kind: "word";
  /** Several words of a text, in this order, if it consists of several: `e-mail`. */
  readonly text: string;
}

interface Phrase {
  readonly kind: "phrase";
  /** Without the quotes. */
  readonly text: string;
}

interface Prefix {
  readonly kind: "prefix";
  /** Without the `*`. */
  readonly text: string;
}

interface Tag {
  readonly kind: "tag";
  /** Without the `#`. */
  readonly name: string;
}

interface Mention {
  readonly kind: "mention";
  /** Without the `@`. */
  readonly name: string;
}

interface Not {
  readonly kind: "not";
  readonly operand: Expression;
}

/** All of two or more operands, none of which is itself an `and`. */
interface And {
  readonly kind: "and";
  readonly operands: readonly Expression[];
}

/** Any of two or more operands, none of which is itself an `or`. */
interface Or {
  readonly kind: "or";
  readonly operands: readonly Expression[];
}

/** One of the alternatives that commas separate. */
export interface Term {
  /** As the user wrote it, trimmed. */
  readonly text: string;
  readonly expression: Expression;
}

/** The keywords of an insight: a posting matches if it fulfills one of the terms. */
export interface Query {
  /** Without duplicates, of which the first stays. */
  readonly terms: readonly Term[];
}

/** The terms as the user wrote them, joined with `, `: the field `terms` of a posting. */
export function termsOf(query: Query): string {
  return query.terms.map(({ text }) => text).join(", ");
}

/** All operands, with those of nested `and`s in their place. */
export function allOf(operands: readonly Expression[]): Expression {
  const flat = operands.flatMap((operand) => (operand.kind === "and" ? operand.operands : [operand]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: "and", operands: flat };
}

/** Any of the operands, with those of nested `or`s in their place. */
export function anyOf(operands: readonly Expression[]): Expression {
  const flat = operands.flatMap((operand) => (operand.kind === "or" ? operand.operands : [operand]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: "or", operands: flat };
}

/** Writes a query in the one form that does not depend on how it was typed; parsing it gives the same meaning. */
export function printQuery(query: Query): string {
  return query.terms.map(({ expression }) => printExpression(expression)).join(", ");
}

/** Writes an expression as it would stand in a term. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "not":
      return `-${printInside(expression.operand)}`;
    case "and":
      return expression.operands
        .map((operand) => (operand.kind === "and" ? printInside(operand) : printExpression(operand)))
        .join(" ");
    case "or":
      return expression.operands.map(printInside).join(" OR ");
    default:
      return printAtom(expression);
  }
}

/** Binds an operand together: one of several words in parentheses. */
function printInside(operand: Expression): string {
  const isCompound = operand.kind === "and" || operand.kind === "or" || operand.kind === "not";
  return isCompound ? `(${printExpression(operand)})` : printAtom(operand);
}

/** What would be an operator where it stands between two words, or what other tools take for one. */
function needsQuotes(word: string): boolean {
  return ["AND", "OR", "NOT"].includes(word.normalize("NFKC"));
}

function printAtom(atom: Atom): string {
  switch (atom.kind) {
    case "word":
      return needsQuotes(atom.text) ? `"${atom.text}"` : atom.text;
    case "phrase":
      return `"${atom.text}"`;
    case "prefix":
      return `${atom.text}*`;
    case "tag":
      return `#${atom.name}`;
    case "mention":
      return `@${atom.name}`;
  }
}
