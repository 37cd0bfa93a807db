import { bitOf, type EntityType, type Gazetteer, listsOf } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { wink } from "../../text/wink.js";
import type { Occurrence } from "./annotation.js";
import { isBrand, isCompany, isOrdinary, usualSpelling } from "./brand-names.js";
import { namedHashtag, wordsOfHashtag } from "./hashtag-words.js";
import { TIME, VAGUE, WEAK } from "./stop-words.js";

const LIST_TYPES: readonly (readonly [Gazetteer, EntityType])[] = [
  ["events", "EVENT"],
  ["laws", "LAW"],
  ["countries", "GPE"],
  ["persons", "PERSON"],
  ["nationalities", "NORP"],
  ["organizations", "ORG"],
  ["cities", "GPE"],
  ["regions", "GPE"],
  ["facilities", "FAC"],
  ["locations", "LOC"],
  ["products", "PRODUCT"],
  ["works", "WORK_OF_ART"],
];

/**
 * Hashtags as topics: entities if they match an entry of a word list or contain a name beside other words, otherwise
 * chunks. A name that modifies a noun is a topic beside the whole: `#NHSHeroes`; not in `#ThanksNHS`.
 */
export function hashtagOccurrences(tokens: readonly Token[]): Occurrence[] {
  return tokens.flatMap((token, at): Occurrence[] => {
    if (token.kind !== "hashtag") return [];
    const value = wordsOfHashtag(token.text);
    const words = value.toLowerCase().split(" ");
    if (value.length < 2 || value.length > LENGTH_MAX || words.every(isWeak)) return [];
    const span = { value, first: at, last: at, hashtag: true };
    const type = entityType(value, words);
    if (type) return [{ ...span, value: namedHashtag(token.text), type: "entity", tag: type }];
    const name = nameAmong(value.split(" "));
    const entity: Occurrence[] = name ? [{ ...span, value: name.value, type: "entity", tag: name.tag }] : [];
    const tag = headOf(value);
    if (!name && saysHow(words, tag)) return [];
    if (name && !(name.first === 0 && tag === "NOUN")) return entity;
    return [...entity, { ...span, type: "noun-chunk", tag }];
  });
}

const LENGTH_MAX = 60;

const NOUNS: ReadonlySet<string> = new Set(["NOUN", "PROPN"]);
/** Words with which hashtags begin that say something and name nothing: `#SoProud`, `#ItsComplicated`. */
const SAYING: ReadonlySet<string> = new Set(
  "i im i'm my its it's it your youre you we were he she they so not no am is are was just get take now never always dont cant wont".split(
    " ",
  ),
);

/** Whether a hashtag says how somebody feels, or what somebody does: `#proud`, `#NotWinning`; `#RefugeesWelcome` is a topic. */
function saysHow(words: readonly string[], tag: string): boolean {
  if (NOUNS.has(tag)) return false;
  const [first = ""] = words;
  return words.length === 1 ? wink().knows(first) && listsOf(first) === 0 : SAYING.has(first);
}

function isWeak(word: string): boolean {
  return VAGUE.has(word) || TIME.has(word) || WEAK.has(word) || !/\p{L}/u.test(word);
}

/** A single common word must be capitalized to be a name, for example `#apple`; `#london` is no common word. */
function entityType(value: string, words: readonly string[]): EntityType | undefined {
  const lists = listsOf(words.join(" ")) || listsOf(withoutYear(words).join(" "));
  if (lists === 0) return undefined;
  const common = words.length === 1 && wink().knows(words[0] ?? "");
  if (common && !/^\p{Lu}/u.test(value)) return undefined;
  return LIST_TYPES.find(([list]) => (lists & bitOf(list)) !== 0)?.[1];
}

/** `#WorldCup2014` is a world cup. */
function withoutYear(words: readonly string[]): readonly string[] {
  return words.length > 1 && /^(?:19|20)\d\d$/.test(words.at(-1) ?? "") ? words.slice(0, -1) : words;
}

const HEADS: ReadonlySet<string> = new Set(["NOUN", "PROPN", "ADJ", "VERB", "ADV", "INTJ"]);

/** The part of speech of the last word: words that are not in the dictionary are names. */
function headOf(value: string): string {
  const words = value.split(" ");
  const last = words.at(-1) ?? "";
  if (!wink().knows(last.toLowerCase())) return /^\p{Lu}/u.test(last) || words.length === 1 ? "PROPN" : "NOUN";
  const tag =
    wink()
      .tag(words.map((word) => word.toLowerCase()))
      .at(-1) ?? "NOUN";
  return HEADS.has(tag) ? tag : "NOUN";
}

/** A name among the words of a hashtag; `first` and `last` are indexes of words, both inclusive. */
interface NameInHashtag {
  readonly value: string;
  readonly tag: EntityType;
  readonly first: number;
  readonly last: number;
}

const NAME_TYPES: readonly (readonly [Gazetteer, EntityType])[] = [
  ["organizations", "ORG"],
  ["persons", "PERSON"],
  ["countries", "GPE"],
  ["cities", "GPE"],
  ["regions", "GPE"],
  ["products", "PRODUCT"],
  ["works", "WORK_OF_ART"],
];

/** Finds the longest name beside other words of a hashtag: `Boycott Nestle`, `Thanks NHS`; undefined if there is none. */
function nameAmong(words: readonly string[]): NameInHashtag | undefined {
  const lower = words.map((word) => word.toLowerCase());
  for (let length = words.length - 1; length > 0; length--) {
    for (let first = words.length - length; first >= 0; first--) {
      const last = first + length - 1;
      const tag = typeOf(words, lower, { first, last });
      if (tag) return { value: usualSpelling(lower.slice(first, last + 1).join(" ")), tag, first, last };
    }
  }
  return undefined;
}

/** Words beside which even an ordinary word is the company: `Boycott Target`, `Thanks Apple`. */
const TO_COMPANIES = new Set("boycott cancel delete ban quit ditch dump thanks thank you dear shame on fix".split(" "));
/** Words beside which a first name alone is a person. */
const TO_PEOPLE = new Set(
  (
    "justice for free rip rest in peace pray happy birthday we love stay strong get well soon thank you thanks welcome back team " +
    "bring home congrats congratulations vote arrest fire impeach"
  ).split(" "),
);
/** Names of countries that are also ordinary words or first names. */
const SHARED_COUNTRIES = new Set("turkey chad jordan georgia jersey guinea china cuba holland chile us".split(" "));

/** Places that are meant more often than the people of that name. */
const MEANT_PLACES = new Set(
  (
    "alberta america atlanta austin brooklyn dallas denver florida geneva houston israel kenya leicester london milan missouri montana " +
    "orlando paris richmond sheffield valencia verona washington"
  ).split(" "),
);

const PLATFORMS = new Set("instagram twitter facebook tiktok youtube reddit tumblr pinterest".split(" "));

interface Span {
  readonly first: number;
  readonly last: number;
}

function typeOf(words: readonly string[], lower: readonly string[], { first, last }: Span): EntityType | undefined {
  const others = lower.filter((_, at) => at < first || at > last);
  const own = lower.slice(first, last + 1);
  const entry = own.join(" ");
  const beside = (set: ReadonlySet<string>): boolean => others.every((word) => set.has(word));
  if (beside(TO_PEOPLE) && isPerson(own)) return "PERSON";
  if (beside(TO_COMPANIES) && isOrganization(entry)) return "ORG";
  // `#dogsofinstagram` is about dogs.
  if (PLATFORMS.has(entry) && lower[first - 1] === "of") return undefined;
  const lists = listsOf(entry);
  if (!isClear(words.slice(first, last + 1).join(" "), entry, lists)) return undefined;
  return NAME_TYPES.find(([list]) => (lists & bitOf(list)) !== 0)?.[1];
}

const PERSONAL = bitOf("first-names") | bitOf("last-names");
const PLACES = bitOf("countries") | bitOf("cities") | bitOf("regions");
/** A single word of few letters is too often part of another. */
const LETTERS_MIN = 4;
const ACRONYM_MIN = 3;
/** Shorter titles are phrases of speech, too. */
const TITLE_WORDS_MIN = 3;

/** Whether a name is one in any company: no ordinary word, no personal name, no fragment of a word. */
function isClear(written: string, entry: string, lists: number): boolean {
  const isAcronym = /^\p{Lu}+$/u.test(written) || (isBrand(entry) && !wink().knows(entry));
  if (entry.length < (isAcronym ? ACRONYM_MIN : LETTERS_MIN)) return false;
  if (lists === bitOf("works")) return entry.split(" ").length >= TITLE_WORDS_MIN;
  if (isBrand(entry) || MEANT_PLACES.has(entry)) return true;
  if ((lists & bitOf("countries")) !== 0 && !SHARED_COUNTRIES.has(entry)) return true;
  if ((lists & PERSONAL) !== 0) return false;
  return ((lists & PLACES) !== 0 && entry.includes(" ")) || !isOrdinary(entry);
}

function isOrganization(entry: string): boolean {
  return isCompany(entry) || (entry.length >= ACRONYM_MIN && isIn(entry, "organizations") && !isOrdinary(entry));
}

/** A first name that is no ordinary word, alone or before a last name: `britney`, `george floyd`. */
function isPerson([first = "", last, ...more]: readonly string[]): boolean {
  if (!isIn(first, "first-names") || more.length > 0) return false;
  if (last !== undefined) return isIn(last, "last-names") || !wink().knows(last);
  return first.length >= LETTERS_MIN && !wink().knows(first) && !MEANT_PLACES.has(first) && !isBrand(first);
}

function isIn(entry: string, list: Gazetteer): boolean {
  return (listsOf(entry) & bitOf(list)) !== 0;
}
