import type { Atom, Expression, Query } from "./expression.js";

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

function printAtom(atom: Atom): string {
  switch (atom.kind) {
    case "word":
      return atom.text.normalize("NFKC") === "OR" ? `"${atom.text}"` : atom.text;
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
