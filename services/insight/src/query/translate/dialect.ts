import type { Atom } from "../language/expression.js";

/**
 * What a platform's search can be asked. `Said` is a part of a request: a string, or whatever else the platform takes. A
 * method that answers undefined, or is missing, means that the platform cannot say this; it is then sent wider.
 */
export interface QueryDialect<Said> {
  /** A word of letters, digits and emoji, without signs; never AND, OR or NOT. */
  word(text: string): Said | undefined;
  /** Words in this order. The text may hold any character except quotes. */
  phrase(text: string): Said | undefined;
  tag(name: string): Said | undefined;
  mention(name: string): Said | undefined;
  prefix?(text: string): Said | undefined;
  /** Atoms that this dialect says wider than they are meant, such as a tag as a word. They are never excluded. */
  readonly widens?: readonly Atom["kind"][];
  /** Excludes what an atom says. */
  not?(atom: Said): Said;
  /** Requires two or more parts. */
  and(parts: readonly Said[]): Said;
  /** Requires one of two or more parts; must stay one part inside `and`. */
  or(parts: readonly Said[]): Said;
  /** Holds an `and` together inside an `or`. Missing: an `or` takes only single words, phrases, tags and mentions. */
  group?(said: Said): Said;
  /** Whether terms may share a request, as an `or`. */
  readonly joinsTerms: boolean;
  /** Longest request, in the unit of `lengthOf`. */
  readonly maxLength: number;
  lengthOf(said: Said): number;
}
