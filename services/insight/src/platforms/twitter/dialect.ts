import { queryLength } from "../text.js";
import type { QueryDialect } from "../../query/translate/dialect.js";
import { type Translation, translate } from "../../query/translate/translate.js";
import type { PlatformSearch } from "../connector.js";
import { placeClauses } from "./place-clauses.js";

/** X leaves reposts out of what it finds; this also serves where it does not. */
const WITHOUT_REPOSTS = " -is:retweet";
const CHARACTERS_MAX = 512;
/** Places take at most this many characters of a search, and leave the others to the keywords. */
const PLACES_MAX = 200;
/** Parentheses around alternatives. */
const AROUND = "()".length;
/** A URL has 2,048 characters; other parameters and the address take the rest. */
const ENCODED_MAX = 1150;
const USER_NAME = /^\w{1,15}$/;
/** X takes no tag of digits only. */
const TAG = /^(?=.*[^\d_])[\p{L}\p{N}\p{M}_]{1,100}$/u;

/** X's search operators. A space binds tighter than OR, so every OR stands in parentheses. */
export const X_DIALECT: QueryDialect<string> = {
  word: (text) => text,
  phrase: (text) => `"${text.replaceAll("\\", " ")}"`,
  tag: (name) => (TAG.test(name) ? `#${name}` : undefined),
  mention: (name) => (USER_NAME.test(name) ? `@${name}` : undefined),
  not: (atom) => `-${atom}`,
  and: (parts) => parts.join(" "),
  or: (parts) => `(${parts.join(" OR ")})`,
  group: (said) => `(${said})`,
  joinsTerms: true,
  maxLength: CHARACTERS_MAX - WITHOUT_REPOSTS.length - AROUND,
  lengthOf: (said) => queryLength(said, { charactersMax: CHARACTERS_MAX, encodedMax: ENCODED_MAX }),
};

/** The searches that X is asked for keywords and places. */
export function queriesFor({ query, places }: Pick<PlatformSearch, "query" | "places">): Translation<string> {
  const lengthOf = (said: string): number => X_DIALECT.lengthOf(said);
  const clauses = placeClauses(places.known, { maxLength: PLACES_MAX, lengthOf });
  const endings = clauses.length === 0 ? [""] : clauses.map((clause) => ` ${clause}`);
  const translation = translate(query, {
    ...X_DIALECT,
    maxLength: X_DIALECT.maxLength - Math.max(...endings.map(lengthOf)),
  });
  const requests = translation.requests.flatMap((request) =>
    endings.map((ending) => `${request}${ending}${WITHOUT_REPOSTS}`),
  );
  return { ...translation, requests };
}
