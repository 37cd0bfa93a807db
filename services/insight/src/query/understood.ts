import { type Atom, type Expression, printExpression, type Query } from "./ast.js";

/** A part of a query as it was understood, for people and programs. */
export interface Understood {
  /** `part`: one that is too deep for the tree; its value is written as keywords. */
  readonly kind: "all" | "any" | "without" | Atom["kind"] | "part";
  /** Of what occurs in a posting: without quotes and signs; of the others empty. */
  readonly value: string;
  readonly parts: readonly Understood[];
}

/** A subject term as it was understood. */
export interface UnderstoodTerm {
  /** As it was written. */
  readonly text: string;
  readonly sentence: string;
  readonly expression: Understood;
}

export interface UnderstoodQuery {
  readonly sentence: string;
  /** A posting matches if it fulfills one of them. */
  readonly terms: readonly UnderstoodTerm[];
}

/** Says how a query was understood. */
export function understood(query: Query): UnderstoodQuery {
  const terms = query.terms.map(({ text, expression }) => ({
    text,
    sentence: sentenceOf(expression),
    expression: treeOf(expression, 1),
  }));
  const [only] = terms;
  const sentence = terms.length === 1 ? only?.sentence : terms.map((term) => `(${term.sentence})`).join(" or ");
  return { sentence: sentence ?? "", terms };
}

/** Deeper parts are written as keywords: readers of messages refuse what is nested without end. */
const DEPTH_MAX = 16;

function treeOf(expression: Expression, depth: number): Understood {
  const partsOf = (parts: readonly Expression[]) => parts.map((part) => treeOf(part, depth + 1));
  if (depth >= DEPTH_MAX && ("operands" in expression || "operand" in expression)) {
    return { kind: "part", value: printExpression(expression), parts: [] };
  }
  switch (expression.kind) {
    case "and":
      return { kind: "all", value: "", parts: partsOf(expression.operands) };
    case "or":
      return { kind: "any", value: "", parts: partsOf(expression.operands) };
    case "not":
      return { kind: "without", value: "", parts: partsOf([expression.operand]) };
    default:
      return { kind: expression.kind, value: valueOf(expression), parts: [] };
  }
}

function valueOf(atom: Atom): string {
  return "name" in atom ? atom.name : atom.text;
}

/** Such as `any of: phrase "electric cars", tag #ev; without: phrase "toy cars"`. */
function sentenceOf(expression: Expression): string {
  switch (expression.kind) {
    case "and":
      return allOf(expression.operands);
    case "or":
      return `any of: ${listOf(expression.operands)}`;
    case "not":
      return `without: ${withoutOf([expression])}`;
    default:
      return nameOf(expression);
  }
}

function allOf(operands: readonly Expression[]): string {
  const excluded = operands.filter(({ kind }) => kind === "not");
  const required = operands.filter(({ kind }) => kind !== "not");
  const [only] = required;
  const what = required.length === 1 && only !== undefined ? sentenceOf(only) : `all of: ${listOf(required)}`;
  return excluded.length === 0 ? what : `${what}; without: ${withoutOf(excluded)}`;
}

/** Alternatives of one exclusion are exclusions themselves. */
function withoutOf(excluded: readonly Expression[]): string {
  const parts = excluded.flatMap((each) => (each.kind === "not" ? alternativesOf(each.operand) : [each]));
  return listOf(parts);
}

function alternativesOf(operand: Expression): readonly Expression[] {
  return operand.kind === "or" ? operand.operands : [operand];
}

function listOf(parts: readonly Expression[]): string {
  return parts
    .map((part) => ("operands" in part || "operand" in part ? `(${sentenceOf(part)})` : nameOf(part)))
    .join(", ");
}

function nameOf(atom: Atom): string {
  switch (atom.kind) {
    case "word":
      return atom.text;
    case "phrase":
      return `phrase "${atom.text}"`;
    case "prefix":
      return `words that begin with ${atom.text}`;
    case "tag":
      return `tag #${atom.name}`;
    case "mention":
      return `mention @${atom.name}`;
  }
}
