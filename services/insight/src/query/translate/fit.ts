import type { Atom, Expression } from "../language/expression.js";
import { tokenize } from "../words/tokenize.js";
import type { QueryDialect } from "./dialect.js";
import {
  allParts,
  anyPart,
  expressionOf,
  isExclusion,
  say,
  specificity,
  type Plan,
  type PlannedParts,
} from "./plan.js";

/** Plans that are short enough and together at least as wide as one that may not be. */
export interface Fitted<Said> {
  /** Empty if even the widest is too long. */
  readonly plans: readonly Plan<Said>[];
  /** What the plans leave out. */
  readonly dropped: readonly Expression[];
}

/** Divides alternatives over several requests, or leaves out requirements, until all fit into the longest request. */
export function fit<Said>(plan: Plan<Said>, dialect: QueryDialect<Said>): Fitted<Said> {
  if (dialect.lengthOf(say(plan, dialect)) <= dialect.maxLength) return { plans: [plan], dropped: [] };
  if (plan.kind === "atom") return fitAtom(plan.atom, dialect);
  return plan.kind === "any" ? divide(plan, dialect) : fitAll(plan, dialect);
}

function divide<Said>({ parts }: PlannedParts<Said>, dialect: QueryDialect<Said>): Fitted<Said> {
  const middle = Math.ceil(parts.length / 2);
  const halves = [parts.slice(0, middle), parts.slice(middle)].map((half) => fit(anyPart(half), dialect));
  const isSent = halves.every(({ plans }) => plans.length > 0);
  return {
    plans: isSent ? halves.flatMap(({ plans }) => plans) : [],
    dropped: halves.flatMap(({ dropped }) => dropped),
  };
}

/** Leaves out exclusions, from the last, then the requirement that finds the most. */
function fitAll<Said>({ parts }: PlannedParts<Said>, dialect: QueryDialect<Said>): Fitted<Said> {
  const exclusion = parts.findLast(isExclusion);
  const left = exclusion ?? parts.reduce((widest, part) => (specificity(part) < specificity(widest) ? part : widest));
  const rest = allParts(parts.filter((part) => part !== left));
  const fitted = fit(rest, dialect);
  if (fitted.plans.length > 0) return { plans: fitted.plans, dropped: [...fitted.dropped, expressionOf(left)] };
  // What seemed the rarest may be a word that is itself too long.
  if (exclusion !== undefined) return fitted;
  const fallback = fit(left, dialect);
  return { plans: fallback.plans, dropped: [...fallback.dropped, expressionOf(rest)] };
}

/** The beginning of a phrase is wider than the phrase. */
function fitAtom<Said>(atom: Atom, dialect: QueryDialect<Said>): Fitted<Said> {
  const words = atom.kind === "phrase" ? atom.text.split(/\s+/u) : [];
  for (let count = words.length - 1; count > 0; count -= 1) {
    const text = words.slice(0, count).join(" ");
    const said = tokenize(text).length === 0 ? undefined : dialect.phrase(text);
    if (said === undefined || dialect.lengthOf(said) > dialect.maxLength) continue;
    return { plans: [{ kind: "atom", atom: { kind: "phrase", text }, isExcluded: false, said }], dropped: [atom] };
  }
  return { plans: [], dropped: [] };
}
