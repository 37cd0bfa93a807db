import { allOf, anyOf, type Atom, type Expression, printExpression, type Query, type Term } from "./ast.js";
import { tokenize } from "./tokenizer.js";

/** What is sent to a platform for a query. */
export interface Translation<Clause> {
  /** Together they find everything that the query matches and the platform can search for. */
  readonly requests: readonly Clause[];
  /** Whether the requests find more than the query matches, so that the matcher must filter the rest. */
  readonly narrowedLocally: boolean;
  /** The parts of the query that the requests leave out, as they would be written in a query. */
  readonly dropped: readonly string[];
  /** Terms, as the user wrote them, that no request contains: the dialect can express nothing of them. */
  readonly unsent: readonly string[];
}

/** A poll translates its query again with each page. */
const translations = new WeakMap<Query, WeakMap<object, Translation<unknown>>>();

/** Writes a query in a platform's dialect, never narrower than it is meant; only `unsent` terms are missing. */
export function translate<Clause>(query: Query, dialect: QueryDialect<Clause>): Translation<Clause> {
  const ofQuery = translations.get(query) ?? new WeakMap<object, Translation<unknown>>();
  const before = ofQuery.get(dialect) as Translation<Clause> | undefined;
  if (before !== undefined) return before;
  const translation = translated(query, dialect);
  translations.set(query, ofQuery.set(dialect, translation));
  return translation;
}

function translated<Clause>(query: Query, dialect: QueryDialect<Clause>): Translation<Clause> {
  const terms = query.terms.map((term) => translateTerm(term, dialect));
  const plans = join(
    terms.flatMap((term) => term.plans),
    dialect,
  );
  return {
    requests: [...new Set(plans.map((plan) => write(plan, dialect)))],
    narrowedLocally: terms.some(({ isWider }) => isWider),
    dropped: [...new Set(terms.flatMap(({ dropped }) => dropped))],
    unsent: terms.filter((term) => term.plans.length === 0).map(({ text }) => text),
  };
}

interface TranslatedTerm<Clause> {
  readonly text: string;
  readonly plans: readonly Plan<Clause>[];
  readonly isWider: boolean;
  readonly dropped: readonly string[];
}

function translateTerm<Clause>({ text, expression }: Term, dialect: QueryDialect<Clause>): TranslatedTerm<Clause> {
  const widened = widen(pushNegationsDown(expression), dialect);
  const fitted = widened.plan === undefined ? undefined : fit(widened.plan, dialect);
  if (fitted === undefined || fitted.plans.length === 0) return { text, plans: [], isWider: false, dropped: [] };
  const dropped = [...widened.dropped, ...fitted.dropped].map((part) => printExpression(pullNegationUp(part)));
  const isWider = dropped.length > 0 || fitted.plans.some((plan) => findsMore(plan, dialect));
  return { text, plans: fitted.plans, isWider, dropped };
}

function findsMore<Clause>(plan: Plan<Clause>, dialect: QueryDialect<Clause>): boolean {
  if (plan.kind === "atom") return dialect.widens?.includes(plan.atom.kind) === true;
  return plan.parts.some((part) => findsMore(part, dialect));
}

/** Puts terms into one request as long as it takes them. */
function join<Clause>(plans: readonly Plan<Clause>[], dialect: QueryDialect<Clause>): Plan<Clause>[] {
  const joined: Plan<Clause>[] = [];
  for (const plan of plans) {
    const last = joined.at(-1);
    const both = last === undefined ? undefined : anyPart([last, plan]);
    if (both !== undefined && canBeSent(both, dialect)) joined[joined.length - 1] = both;
    else joined.push(plan);
  }
  return joined;
}

function canBeSent<Clause>(plan: Plan<Clause>, dialect: QueryDialect<Clause>): boolean {
  if (!dialect.joinsTerms) return false;
  const isFlat = plan.kind !== "any" || plan.parts.every(({ kind }) => kind === "atom");
  return (isFlat || dialect.group !== undefined) && dialect.lengthOf(write(plan, dialect)) <= dialect.maxLength;
}

/**
 * What a platform's search can express. `Clause` is a part of a request: a string, or whatever else the platform takes. A
 * method that returns undefined, or is missing, means that the platform cannot express this; it is then sent wider.
 */
export interface QueryDialect<Clause> {
  /** A word of letters, digits and emoji, without signs; never AND, OR or NOT. */
  word(text: string): Clause | undefined;
  /** Words in this order. The text may hold any character except quotes. */
  phrase(text: string): Clause | undefined;
  tag(name: string): Clause | undefined;
  mention(name: string): Clause | undefined;
  prefix?(text: string): Clause | undefined;
  /** Atoms that this dialect writes wider than they are meant, such as a tag as a word. They are never excluded. */
  readonly widens?: readonly Atom["kind"][];
  /** Excludes an atom. */
  not?(atom: Clause): Clause;
  /** Requires two or more parts. */
  and(parts: readonly Clause[]): Clause;
  /** Requires one of two or more parts; must stay one part inside `and`. */
  or(parts: readonly Clause[]): Clause;
  /** Holds an `and` together inside an `or`. Missing: an `or` takes only single words, phrases, tags and mentions. */
  group?(clause: Clause): Clause;
  /** Whether terms may share a request, as an `or`. */
  readonly joinsTerms: boolean;
  /** Longest request, in the unit of `lengthOf`. */
  readonly maxLength: number;
  lengthOf(clause: Clause): number;
}

/** The same meaning with exclusions only of words, phrases, tags and mentions (De Morgan). */
function pushNegationsDown(expression: Expression, isNegated = false): Expression {
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
function pullNegationUp(expression: Expression): Expression {
  if (expression.kind !== "or" || expression.operands.every(({ kind }) => kind !== "not")) return expression;
  return { kind: "not", operand: allOf(expression.operands.map((operand) => pushNegationsDown(operand, true))) };
}

/** The narrowest plan for an expression; undefined if all that the dialect can express is narrower. */
interface Widened<Clause> {
  readonly plan: Plan<Clause> | undefined;
  /** What the plan leaves out. */
  readonly dropped: readonly Expression[];
}

/** Leaves out of an expression what a dialect cannot express. Negations must have been pushed down. */
function widen<Clause>(expression: Expression, dialect: QueryDialect<Clause>): Widened<Clause> {
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

function planAtom<Clause>(atom: Atom, written: Expression, dialect: QueryDialect<Clause>): Widened<Clause> {
  const clause = writeAtom(atom, dialect);
  if (clause === undefined) return { plan: undefined, dropped: [written] };
  return { plan: { kind: "atom", atom, isExcluded: written !== atom, clause }, dropped: [] };
}

/** Excluding what is written wider would exclude too much. */
function widenNot<Clause>(written: Expression & { kind: "not" }, dialect: QueryDialect<Clause>): Widened<Clause> {
  const { operand } = written;
  const isAtom = operand.kind !== "not" && operand.kind !== "and" && operand.kind !== "or";
  if (!isAtom || dialect.not === undefined || dialect.widens?.includes(operand.kind) === true) {
    return { plan: undefined, dropped: [written] };
  }
  return planAtom(operand, written, dialect);
}

/** Without something that must occur, exclusions cannot be sent. */
function widenAnd<Clause>(operands: readonly Expression[], dialect: QueryDialect<Clause>): Widened<Clause> {
  const widened = operands.map((operand) => widen(operand, dialect));
  const plans = widened.flatMap(({ plan }) => (plan === undefined ? [] : [plan]));
  if (plans.every(isExclusion)) return { plan: undefined, dropped: operands };
  return { plan: allParts(plans), dropped: widened.flatMap(({ dropped }) => dropped) };
}

/** If one alternative cannot be sent, any posting may match. */
function widenOr<Clause>(expression: Expression & { kind: "or" }, dialect: QueryDialect<Clause>): Widened<Clause> {
  const widened = expression.operands.map((operand) => widenAlternative(operand, dialect));
  const plans = widened.flatMap(({ plan }) => (plan === undefined || isExclusion(plan) ? [] : [plan]));
  if (plans.length < widened.length) return { plan: undefined, dropped: [expression] };
  return { plan: anyPart(plans), dropped: widened.flatMap(({ dropped }) => dropped) };
}

/** Where alternatives must be single words, the rarest part of one stands for all of it. */
function widenAlternative<Clause>(operand: Expression, dialect: QueryDialect<Clause>): Widened<Clause> {
  const { plan, dropped } = widen(operand, dialect);
  if (plan?.kind !== "all" || dialect.group !== undefined) return { plan, dropped };
  const kept = rarest(plan.parts.filter((part) => !isExclusion(part)));
  return { plan: kept, dropped: [...dropped, operand] };
}

function rarest<Clause>(plans: readonly Plan<Clause>[]): Plan<Clause> | undefined {
  return plans.reduce<Plan<Clause> | undefined>(
    (best, plan) => (best === undefined || specificity(plan) > specificity(best) ? plan : best),
    undefined,
  );
}

/** Words that many platforms take as operators. */
const OPERATORS = new Set(["AND", "OR", "NOT", "NEAR"]);
const WORD_CHARACTERS = "\\p{L}\\p{N}\\p{M}\\p{Extended_Pictographic}\\p{Regional_Indicator}\\p{Emoji_Modifier}\\u200D";
const SIGNS_AROUND = new RegExp(`^[^${WORD_CHARACTERS}]+|[^${WORD_CHARACTERS}]+$`, "gu");
const SINGLE_WORD = new RegExp(`^[_${WORD_CHARACTERS}]+$`, "u");
const POSSESSIVE = /(?<=..)['’ʼ＇‘]s$/iu;

/** Writes an atom; what a user writes never becomes an operator of the platform. */
function writeAtom<Clause>(atom: Atom, dialect: QueryDialect<Clause>): Clause | undefined {
  switch (atom.kind) {
    case "word":
      return writeWord(atom.text, dialect);
    case "phrase":
      return dialect.phrase(atom.text);
    case "prefix":
      return dialect.prefix?.(bare(atom.text));
    case "tag":
      return dialect.tag(atom.name.replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, ""));
    case "mention":
      return dialect.mention(atom.name.replaceAll(/[^\p{L}\p{N}\p{M}_.@-]+/gu, ""));
  }
}

/** Writes the part of a word that is compared: `c` of `c++`, `kestrel` of `kestrel's`. */
function writeWord<Clause>(text: string, dialect: QueryDialect<Clause>): Clause | undefined {
  const word = bare(text).replace(POSSESSIVE, "");
  const isPlain = SINGLE_WORD.test(word) && !OPERATORS.has(word) && tokenize(word).length === 1;
  return isPlain ? dialect.word(word) : dialect.phrase(word);
}

function bare(text: string): string {
  return text.replaceAll(SIGNS_AROUND, "");
}

/** Plans that are short enough and together at least as wide as one that may not be. */
interface Fitted<Clause> {
  /** Empty if even the widest is too long. */
  readonly plans: readonly Plan<Clause>[];
  /** What the plans leave out. */
  readonly dropped: readonly Expression[];
}

/** Divides alternatives over several requests, or leaves out requirements, until all fit into the longest request. */
function fit<Clause>(plan: Plan<Clause>, dialect: QueryDialect<Clause>): Fitted<Clause> {
  if (dialect.lengthOf(write(plan, dialect)) <= dialect.maxLength) return { plans: [plan], dropped: [] };
  if (plan.kind === "atom") return fitAtom(plan.atom, dialect);
  return plan.kind === "any" ? divide(plan, dialect) : fitAll(plan, dialect);
}

function divide<Clause>({ parts }: PlannedParts<Clause>, dialect: QueryDialect<Clause>): Fitted<Clause> {
  const middle = Math.ceil(parts.length / 2);
  const halves = [parts.slice(0, middle), parts.slice(middle)].map((half) => fit(anyPart(half), dialect));
  const isSent = halves.every(({ plans }) => plans.length > 0);
  return {
    plans: isSent ? halves.flatMap(({ plans }) => plans) : [],
    dropped: halves.flatMap(({ dropped }) => dropped),
  };
}

/** Leaves out exclusions, from the last, then the requirement that finds the most. */
function fitAll<Clause>({ parts }: PlannedParts<Clause>, dialect: QueryDialect<Clause>): Fitted<Clause> {
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
function fitAtom<Clause>(atom: Atom, dialect: QueryDialect<Clause>): Fitted<Clause> {
  const words = atom.kind === "phrase" ? atom.text.split(/\s+/u) : [];
  for (let count = words.length - 1; count > 0; count -= 1) {
    const text = words.slice(0, count).join(" ");
    const clause = tokenize(text).length === 0 ? undefined : dialect.phrase(text);
    if (clause === undefined || dialect.lengthOf(clause) > dialect.maxLength) continue;
    return { plans: [{ kind: "atom", atom: { kind: "phrase", text }, isExcluded: false, clause }], dropped: [atom] };
  }
  return { plans: [], dropped: [] };
}

/** What is to be sent for a term: only what the dialect can express. */
type Plan<Clause> = PlannedAtom<Clause> | PlannedParts<Clause>;

interface PlannedAtom<Clause> {
  readonly kind: "atom";
  readonly atom: Atom;
  readonly isExcluded: boolean;
  readonly clause: Clause;
}

/** Two or more parts. Those of `any` are not excluded, and at least one of `all` is not. */
interface PlannedParts<Clause> {
  readonly kind: "all" | "any";
  readonly parts: readonly Plan<Clause>[];
}

/** All of one or more parts. */
function allParts<Clause>(parts: readonly Plan<Clause>[]): Plan<Clause> {
  return partsOf("all", parts);
}

/** Any of one or more parts. */
function anyPart<Clause>(parts: readonly Plan<Clause>[]): Plan<Clause> {
  return partsOf("any", parts);
}

function partsOf<Clause>(kind: "all" | "any", parts: readonly Plan<Clause>[]): Plan<Clause> {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind, parts: flat };
}

function isExclusion(plan: Plan<unknown>): boolean {
  return plan.kind === "atom" && plan.isExcluded;
}

/** Writes a plan as a request. */
function write<Clause>(plan: Plan<Clause>, dialect: QueryDialect<Clause>): Clause {
  if (plan.kind === "atom") return plan.isExcluded ? (dialect.not?.(plan.clause) ?? plan.clause) : plan.clause;
  if (plan.kind === "all") return dialect.and(plan.parts.map((part) => write(part, dialect)));
  return dialect.or(plan.parts.map((part) => writeAlternative(part, dialect)));
}

function writeAlternative<Clause>(plan: Plan<Clause>, dialect: QueryDialect<Clause>): Clause {
  const clause = write(plan, dialect);
  return plan.kind === "all" ? (dialect.group?.(clause) ?? clause) : clause;
}

/** The expression that a plan stands for. */
function expressionOf(plan: Plan<unknown>): Expression {
  if (plan.kind === "atom") return plan.isExcluded ? { kind: "not", operand: plan.atom } : plan.atom;
  const operands = plan.parts.map(expressionOf);
  return plan.kind === "all" ? allOf(operands) : anyOf(operands);
}

/** How little a plan finds, as a guess: long words are rarer than short ones, and alternatives add up. */
function specificity(plan: Plan<unknown>): number {
  if (plan.kind === "atom") return [...("text" in plan.atom ? plan.atom.text : plan.atom.name)].length;
  const ofParts = plan.parts.filter((part) => !isExclusion(part)).map(specificity);
  if (plan.kind === "all") return ofParts.reduce((sum, each) => sum + each, 0);
  return Math.min(...ofParts) / ofParts.length;
}
