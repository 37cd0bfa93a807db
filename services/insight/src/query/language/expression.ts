/** What a term asks of a posting. Texts and names are kept as the user wrote them. */
export type Expression = Atom | Not | And | Or;

/** What occurs in a posting or does not. */
export type Atom = Word | Phrase | Prefix | Tag | Mention;

export interface Word {
  readonly kind: "word";
  /** Several words of a text, in this order, if it consists of several: `e-mail`. */
  readonly text: string;
}

export interface Phrase {
  readonly kind: "phrase";
  /** Without the quotes. */
  readonly text: string;
}

export interface Prefix {
  readonly kind: "prefix";
  /** Without the `*`. */
  readonly text: string;
}

export interface Tag {
  readonly kind: "tag";
  /** Without the `#`. */
  readonly name: string;
}

export interface Mention {
  readonly kind: "mention";
  /** Without the `@`. */
  readonly name: string;
}

export interface Not {
  readonly kind: "not";
  readonly operand: Expression;
}

/** All of two or more operands, none of which is itself an `and`. */
export interface And {
  readonly kind: "and";
  readonly operands: readonly Expression[];
}

/** Any of two or more operands, none of which is itself an `or`. */
export interface Or {
  readonly kind: "or";
  readonly operands: readonly Expression[];
}

/** One of the alternatives that commas separate. */
export interface Term {
  /** As the user wrote it, trimmed. */
  readonly text: string;
  readonly expression: Expression;
}

/** The keywords of an insight: a posting matches if it fulfils one of the terms. */
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
