import { allOf, anyOf, type Atom, type Expression } from "../language/expression.js";
import type { QueryDialect } from "./dialect.js";

/** What is to be sent for a term: only what the dialect can say. */
export type Plan<Said> = PlannedAtom<Said> | PlannedParts<Said>;

export interface PlannedAtom<Said> {
  readonly kind: "atom";
  readonly atom: Atom;
  readonly isExcluded: boolean;
  readonly said: Said;
}

/** Two or more parts. Those of `any` are not excluded, and at least one of `all` is not. */
export interface PlannedParts<Said> {
  readonly kind: "all" | "any";
  readonly parts: readonly Plan<Said>[];
}

/** All of one or more parts. */
export function allParts<Said>(parts: readonly Plan<Said>[]): Plan<Said> {
  return partsOf("all", parts);
}

/** Any of one or more parts. */
export function anyPart<Said>(parts: readonly Plan<Said>[]): Plan<Said> {
  return partsOf("any", parts);
}

function partsOf<Said>(kind: "all" | "any", parts: readonly Plan<Said>[]): Plan<Said> {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind, parts: flat };
}

export function isExclusion(plan: Plan<unknown>): boolean {
  return plan.kind === "atom" && plan.isExcluded;
}

/** Writes a plan as a request. */
export function say<Said>(plan: Plan<Said>, dialect: QueryDialect<Said>): Said {
  if (plan.kind === "atom") return plan.isExcluded ? (dialect.not?.(plan.said) ?? plan.said) : plan.said;
  if (plan.kind === "all") return dialect.and(plan.parts.map((part) => say(part, dialect)));
  return dialect.or(plan.parts.map((part) => sayAlternative(part, dialect)));
}

function sayAlternative<Said>(plan: Plan<Said>, dialect: QueryDialect<Said>): Said {
  const said = say(plan, dialect);
  return plan.kind === "all" ? (dialect.group?.(said) ?? said) : said;
}

/** What a plan asks for. */
export function expressionOf(plan: Plan<unknown>): Expression {
  if (plan.kind === "atom") return plan.isExcluded ? { kind: "not", operand: plan.atom } : plan.atom;
  const operands = plan.parts.map(expressionOf);
  return plan.kind === "all" ? allOf(operands) : anyOf(operands);
}

/** How little a plan finds, as a guess: long words are rarer than short ones, and alternatives add up. */
export function specificity(plan: Plan<unknown>): number {
  if (plan.kind === "atom") return [...("text" in plan.atom ? plan.atom.text : plan.atom.name)].length;
  const ofParts = plan.parts.filter((part) => !isExclusion(part)).map(specificity);
  if (plan.kind === "all") return ofParts.reduce((sum, each) => sum + each, 0);
  return Math.min(...ofParts) / ofParts.length;
}
