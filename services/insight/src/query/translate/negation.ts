import { allOf, anyOf, type Expression } from "../language/expression.js";

/** The same meaning with exclusions only of words, phrases, tags and mentions (De Morgan). */
export function pushNegationsDown(expression: Expression, isNegated = false): Expression {
  switch (expression.kind) {
    case "not":
      return pushNegationsDown(expression.operand, !isNegated);
    case "and":
    case "or": {
      const operands = expression.operands.map((operand) => pushNegationsDown(operand, isNegated));
      return (expression.kind === "and") === isNegated ? anyOf(operands) : allOf(operands);
    }
    default:
      return isNegated ? { kind: "not", operand: expression } : expression;
  }
}

/** Writes alternatives of which some are exclusions as the exclusion of a group, which a query can hold. */
export function pullNegationUp(expression: Expression): Expression {
  if (expression.kind !== "or" || expression.operands.every(({ kind }) => kind !== "not")) return expression;
  return { kind: "not", operand: allOf(expression.operands.map((operand) => pushNegationsDown(operand, true))) };
}
