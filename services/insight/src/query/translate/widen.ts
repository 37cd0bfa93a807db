import type { Atom, Expression } from "../language/expression.js";
import { sayAtom } from "./atom-saying.js";
import type { QueryDialect } from "./dialect.js";
import { allParts, anyPart, isExclusion, specificity, type Plan } from "./plan.js";

/** The narrowest plan for an expression; undefined if the dialect can say nothing that is not narrower. */
export interface Widened<Said> {
  readonly plan: Plan<Said> | undefined;
  /** What the plan leaves out. */
  readonly dropped: readonly Expression[];
}

/** Leaves out of an expression what a dialect cannot say. Negations must have been pushed down. */
export function widen<Said>(expression: Expression, dialect: QueryDialect<Said>): Widened<Said> {
  switch (expression.kind) {
    case "and":
      return widenAnd(expression.operands, dialect);
    case "or":
      return widenOr(expression, dialect);
    case "not":
      return widenNot(expression, dialect);
    default:
      return planAtom(expression, expression, dialect);
  }
}

function planAtom<Said>(atom: Atom, written: Expression, dialect: QueryDialect<Said>): Widened<Said> {
  const said = sayAtom(atom, dialect);
  if (said === undefined) return { plan: undefined, dropped: [written] };
  return { plan: { kind: "atom", atom, isExcluded: written !== atom, said }, dropped: [] };
}

/** Excluding what is said wider would exclude too much. */
function widenNot<Said>(written: Expression & { kind: "not" }, dialect: QueryDialect<Said>): Widened<Said> {
  const { operand } = written;
  const isAtom = operand.kind !== "not" && operand.kind !== "and" && operand.kind !== "or";
  if (!isAtom || dialect.not === undefined || dialect.widens?.includes(operand.kind) === true) {
    return { plan: undefined, dropped: [written] };
  }
  return planAtom(operand, written, dialect);
}

/** Without something that must occur, exclusions cannot be sent. */
function widenAnd<Said>(operands: readonly Expression[], dialect: QueryDialect<Said>): Widened<Said> {
  const widened = operands.map((operand) => widen(operand, dialect));
  const plans = widened.flatMap(({ plan }) => (plan === undefined ? [] : [plan]));
  if (plans.every(isExclusion)) return { plan: undefined, dropped: operands };
  return { plan: allParts(plans), dropped: widened.flatMap(({ dropped }) => dropped) };
}

/** If one alternative cannot be sent, any posting may match. */
function widenOr<Said>(expression: Expression & { kind: "or" }, dialect: QueryDialect<Said>): Widened<Said> {
  const widened = expression.operands.map((operand) => widenAlternative(operand, dialect));
  const plans = widened.flatMap(({ plan }) => (plan === undefined || isExclusion(plan) ? [] : [plan]));
  if (plans.length < widened.length) return { plan: undefined, dropped: [expression] };
  return { plan: anyPart(plans), dropped: widened.flatMap(({ dropped }) => dropped) };
}

/** Where alternatives must be single words, the rarest part of one stands for all of it. */
function widenAlternative<Said>(operand: Expression, dialect: QueryDialect<Said>): Widened<Said> {
  const { plan, dropped } = widen(operand, dialect);
  if (plan?.kind !== "all" || dialect.group !== undefined) return { plan, dropped };
  const kept = rarest(plan.parts.filter((part) => !isExclusion(part)));
  return { plan: kept, dropped: [...dropped, operand] };
}

function rarest<Said>(plans: readonly Plan<Said>[]): Plan<Said> | undefined {
  return plans.reduce<Plan<Said> | undefined>(
    (best, plan) => (best === undefined || specificity(plan) > specificity(best) ? plan : best),
    undefined,
  );
}
