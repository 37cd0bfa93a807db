import { conditionOf, type Condition } from "./condition.js";
import type { Atom, Expression, Query } from "../language/expression.js";
import { PhraseAutomaton, Phrases } from "./phrase-automaton.js";
import { PrefixTree } from "./prefix-tree.js";
import { Vocabulary } from "./vocabulary.js";
import { mentionKey, tagKey } from "../words/names.js";
import { tokenize } from "../words/tokenize.js";

/** A query in the form in which texts are searched for it. Each atom has a slot that says whether it occurred. */
export interface CompiledQuery {
  readonly terms: readonly { readonly text: string; readonly condition: Condition }[];
  readonly vocabulary: Vocabulary;
  /** The slots of words and phrases are its states. */
  readonly phrases: PhraseAutomaton;
  readonly prefixes: PrefixTree | undefined;
  readonly tags: ReadonlyMap<string, number>;
  readonly mentions: ReadonlyMap<string, number>;
  readonly slotCount: number;
}

/** Prepares the search for a query. */
export function compile({ terms }: Query): CompiledQuery {
  const atoms = terms.flatMap(({ expression }) => atomsOf(expression));
  const { vocabulary, phrases, slots } = compilePhrases(atoms);
  const automaton = new PhraseAutomaton(phrases, vocabulary.size);
  const numbering = { next: automaton.stateCount };
  const prefixes = numberKeys(atoms, "prefix", numbering);
  const tags = numberKeys(atoms, "tag", numbering);
  const mentions = numberKeys(atoms, "mention", numbering);
  const named = { prefix: prefixes, tag: tags, mention: mentions };
  const slotOf = (atom: Atom): number =>
    (atom.kind === "word" || atom.kind === "phrase" ? slots.get(atom) : named[atom.kind].get(keyOf(atom))) ?? 0;
  return {
    terms: terms.map(({ text, expression }) => ({ text, condition: conditionOf(expression, slotOf) })),
    vocabulary,
    phrases: automaton,
    prefixes: prefixTree(prefixes),
    tags,
    mentions,
    slotCount: numbering.next,
  };
}

function atomsOf(expression: Expression): Atom[] {
  if (expression.kind === "not") return atomsOf(expression.operand);
  if (expression.kind === "and" || expression.kind === "or") return expression.operands.flatMap(atomsOf);
  return [expression];
}

function compilePhrases(atoms: readonly Atom[]): {
  vocabulary: Vocabulary;
  phrases: Phrases;
  slots: ReadonlyMap<Atom, number>;
} {
  const vocabulary = new Vocabulary();
  const phrases = new Phrases();
  const slots = new Map<Atom, number>();
  for (const atom of atoms) {
    if (atom.kind !== "word" && atom.kind !== "phrase") continue;
    slots.set(atom, phrases.add(tokenize(atom.text).map((word) => vocabulary.add(word))));
  }
  return { vocabulary, phrases, slots };
}

/** Gives each prefix, tag or mention a slot. */
function numberKeys(atoms: readonly Atom[], kind: Atom["kind"], numbering: { next: number }): Map<string, number> {
  const keys = new Set(atoms.filter((atom) => atom.kind === kind).map(keyOf));
  return new Map([...keys].map((key) => [key, numbering.next++]));
}

function keyOf(atom: Atom): string {
  if (atom.kind === "tag") return tagKey(atom.name);
  if (atom.kind === "mention") return mentionKey(atom.name);
  return tokenize(atom.text)[0] ?? "";
}

function prefixTree(prefixes: ReadonlyMap<string, number>): PrefixTree | undefined {
  if (prefixes.size === 0) return undefined;
  const tree = new PrefixTree();
  for (const [prefix, slot] of prefixes) tree.add(prefix, slot);
  return tree;
}
