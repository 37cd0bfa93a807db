import type { Token } from "../../text/tokens.js";
import { bitOf, type Gazetteer, listsOf, spacedEntry } from "../../text/gazetteers.js";
import { isBrand, isCompany, isOrdinary, usualSpelling } from "./brand-names.js";
import type { Occurrence } from "./annotation.js";

/**
 * Brands in the handles of their accounts: `@AmazonHelp` is about Amazon. A handle of a known brand alone or with words
 * of an account for customers (`Help`, `UK`, `News`); other handles belong to people, and give no topic.
 */
export function handleOccurrences(tokens: readonly Token[]): Occurrence[] {
  return tokens.flatMap((token, at): Occurrence[] => {
    const brand = token.kind === "mention" ? brandOf(token.text.slice(1)) : undefined;
    return brand ? [{ ...brand, type: "entity", first: at, last: at, hashtag: false }] : [];
  });
}

/** Words that only a company's account has: they make the company meant even where its name is an ordinary word. */
const SERVICE = new Set(
  (
    "help helps helpdesk support supports care cares customercare customersupport customerservice custserv service services assist " +
    "assistance ask"
  ).split(" "),
);
const OTHERS = new Set(
  (
    "uk us usa gb ie ireland canada india australia nz africa europe eu germany france official hq news newsroom press media team " +
    "online store stores shop global world group inc corp careers jobs app tv sport sports music business tweets"
  ).split(" "),
);

interface Brand {
  readonly value: string;
  readonly tag: "ORG" | "PRODUCT";
}

function brandOf(handle: string): Brand | undefined {
  // People put underscores around names that are taken.
  if (/^_|_$|__/.test(handle)) return undefined;
  const words = wordsOf(handle);
  const { entry, added } = words.length > 1 ? peelWords(words) : peelLetters(handle.toLowerCase());
  if (entry === undefined || !isMeant(handle, entry, added)) return undefined;
  return { value: usualSpelling(entry), tag: has(entry, "organizations") ? "ORG" : "PRODUCT" };
}

function wordsOf(handle: string): string[] {
  return handle
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, "_")
    .toLowerCase()
    .split("_");
}

interface Peeled {
  readonly entry: string | undefined;
  /** The words of an account beside the entry. */
  readonly added: readonly string[];
}

/** The longest run of words that is a brand with only words of an account after it, or `ask` before it. */
function peelWords(words: readonly string[]): Peeled {
  const first = words[0] === "ask" ? 1 : 0;
  for (let end = words.length; end > first; end--) {
    const entry = entryOf(words.slice(first, end).join(""));
    if (entry !== undefined) return { entry, added: [...words.slice(0, first), ...words.slice(end)] };
    if (!isAccountWord(words[end - 1])) break;
  }
  return { entry: undefined, added: [] };
}

/** A handle without capitals has no borders between its words: one word of an account may stand at its end. */
function peelLetters(handle: string): Peeled {
  const whole = entryOf(handle);
  if (whole !== undefined) return { entry: whole, added: [] };
  for (const ending of [...SERVICE, ...OTHERS]) {
    const entry = handle.endsWith(ending) ? entryOf(handle.slice(0, -ending.length)) : undefined;
    if (entry !== undefined) return { entry, added: [ending] };
  }
  return { entry: undefined, added: [] };
}

function isAccountWord(word: string | undefined): boolean {
  return word !== undefined && (SERVICE.has(word) || OTHERS.has(word));
}

/** The organization or product with these letters, as its list has it. */
function entryOf(letters: string): string | undefined {
  return [letters, spacedEntry(letters)].find(
    (entry) => entry !== undefined && has(entry, "organizations", "products"),
  );
}

function has(entry: string, ...lists: Gazetteer[]): boolean {
  const bits = listsOf(entry);
  return lists.some((list) => (bits & bitOf(list)) !== 0);
}

const LETTERS_MIN = 3;
/** Ordinary words together are a name only if they have many letters: `@bankofamerica`, not `@takethat`. */
const PHRASE_MIN = 10;

/** Whether a handle means the brand, and not an ordinary word or a person or place of that name. */
function isMeant(handle: string, entry: string, added: readonly string[]): boolean {
  if (isBrand(entry)) return entry.length >= LETTERS_MIN || added.length > 0;
  const isPerson = has(entry, "first-names", "last-names", "persons");
  const isPlace = has(entry, "cities", "regions", "countries", "locations");
  const ordinary = isOrdinary(entry) && (!entry.includes(" ") || entry.length < PHRASE_MIN);
  if (!isPerson && !isPlace && !ordinary) return entry.length >= LETTERS_MIN || added.length > 0;
  const hasBorders = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_/u.test(handle);
  const isService = added.some((word) => SERVICE.has(word));
  if (!isCompany(entry)) return isService && hasBorders;
  if (added.length === 0) return /^\p{Lu}/u.test(handle) || (!isPerson && !ordinary);
  return isService || hasBorders;
}
