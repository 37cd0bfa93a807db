import type { Atom, Expression } from "../language/expression.js";

/** An expression whose atoms are slots: places in an array that say what occurred. */
export type Condition =
  | { readonly kind: "slot"; readonly slot: number }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] };

/** Replaces the atoms of an expression by slots. */
export function conditionOf(expression: Expression, slotOf: (atom: Atom) => number): Condition {
  switch (expression.kind) {
    case "not":
      return { kind: "not", condition: conditionOf(expression.operand, slotOf) };
    case "and":
    case "or":
      return { kind: expression.kind, conditions: expression.operands.map((each) => conditionOf(each, slotOf)) };
    default:
      return { kind: "slot", slot: slotOf(expression) };
  }
}

/** Whether a condition holds. */
export function holds(condition: Condition, present: Uint8Array): boolean {
  switch (condition.kind) {
    case "slot":
      return present[condition.slot] === 1;
    case "not":
      return !holds(condition.condition, present);
    case "and":
      for (const each of condition.conditions) if (!holds(each, present)) return false;
      return true;
    case "or":
      for (const each of condition.conditions) if (holds(each, present)) return true;
      return false;
  }
}
