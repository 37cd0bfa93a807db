import type { Query, Term } from "../language/expression.js";
import { printExpression } from "../language/print.js";
import type { QueryDialect } from "./dialect.js";
import { fit } from "./fit.js";
import { pullNegationUp, pushNegationsDown } from "./negation.js";
import { anyPart, say, type Plan } from "./plan.js";
import { widen } from "./widen.js";

/** What is sent to a platform for a query. */
export interface Translation<Said> {
  /** Together they find everything that the query matches and the platform can be asked for. */
  readonly requests: readonly Said[];
  /** Whether the requests find more than the query matches, so that the matcher must sort out the rest. */
  readonly narrowedLocally: boolean;
  /** The parts of the query that the requests leave out, as they would be written in a query. */
  readonly dropped: readonly string[];
  /** Terms, as the user wrote them, that no request asks for: the platform can say nothing of them. */
  readonly unsent: readonly string[];
}

/** A poll asks for its query again with each page. */
const known = new WeakMap<Query, WeakMap<object, Translation<unknown>>>();

/** Says a query in a platform's dialect, never narrower than it is meant; only `unsent` terms are missing. */
export function translate<Said>(query: Query, dialect: QueryDialect<Said>): Translation<Said> {
  const ofQuery = known.get(query) ?? new WeakMap<object, Translation<unknown>>();
  const before = ofQuery.get(dialect) as Translation<Said> | undefined;
  if (before !== undefined) return before;
  const translation = translated(query, dialect);
  known.set(query, ofQuery.set(dialect, translation));
  return translation;
}

function translated<Said>(query: Query, dialect: QueryDialect<Said>): Translation<Said> {
  const terms = query.terms.map((term) => translateTerm(term, dialect));
  const plans = join(
    terms.flatMap((term) => term.plans),
    dialect,
  );
  return {
    requests: [...new Set(plans.map((plan) => say(plan, dialect)))],
    narrowedLocally: terms.some(({ isWider }) => isWider),
    dropped: [...new Set(terms.flatMap(({ dropped }) => dropped))],
    unsent: terms.filter((term) => term.plans.length === 0).map(({ text }) => text),
  };
}

interface TranslatedTerm<Said> {
  readonly text: string;
  readonly plans: readonly Plan<Said>[];
  readonly isWider: boolean;
  readonly dropped: readonly string[];
}

function translateTerm<Said>({ text, expression }: Term, dialect: QueryDialect<Said>): TranslatedTerm<Said> {
  const widened = widen(pushNegationsDown(expression), dialect);
  const fitted = widened.plan === undefined ? undefined : fit(widened.plan, dialect);
  if (fitted === undefined || fitted.plans.length === 0) return { text, plans: [], isWider: false, dropped: [] };
  const dropped = [...widened.dropped, ...fitted.dropped].map((part) => printExpression(pullNegationUp(part)));
  const isWider = dropped.length > 0 || fitted.plans.some((plan) => saysWider(plan, dialect));
  return { text, plans: fitted.plans, isWider, dropped };
}

function saysWider<Said>(plan: Plan<Said>, dialect: QueryDialect<Said>): boolean {
  if (plan.kind === "atom") return dialect.widens?.includes(plan.atom.kind) === true;
  return plan.parts.some((part) => saysWider(part, dialect));
}

/** Puts terms into one request as long as it takes them. */
function join<Said>(plans: readonly Plan<Said>[], dialect: QueryDialect<Said>): Plan<Said>[] {
  const joined: Plan<Said>[] = [];
  for (const plan of plans) {
    const last = joined.at(-1);
    const both = last === undefined ? undefined : anyPart([last, plan]);
    if (both !== undefined && canBeSent(both, dialect)) joined[joined.length - 1] = both;
    else joined.push(plan);
  }
  return joined;
}

function canBeSent<Said>(plan: Plan<Said>, dialect: QueryDialect<Said>): boolean {
  if (!dialect.joinsTerms) return false;
  const isFlat = plan.kind !== "any" || plan.parts.every(({ kind }) => kind === "atom");
  return (isFlat || dialect.group !== undefined) && dialect.lengthOf(say(plan, dialect)) <= dialect.maxLength;
}
