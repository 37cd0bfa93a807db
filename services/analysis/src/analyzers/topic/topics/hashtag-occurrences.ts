import type { Token } from "../../../text/tokens.js";
import { wink } from "../../../text/wink.js";
import type { EntityType } from "../../../text/entity.js";
import { bitOf, type Gazetteer, listsOf } from "../../../text/gazetteers.js";
import { namedHashtag, wordsOfHashtag } from "./hashtags.js";
import { nameAmong } from "./names-in-hashtags.js";
import type { Occurrence } from "./occurrence.js";
import { TIME, VAGUE, WEAK } from "../lists/stop-topics.js";

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
    if (name && !(name.first === 0 && tag === "NOUN")) return entity;
    return [...entity, { ...span, type: "noun-chunk", tag }];
  });
}

const LENGTH_MAX = 60;

function isWeak(word: string): boolean {
  return VAGUE.has(word) || TIME.has(word) || WEAK.has(word) || !/\p{L}/u.test(word);
}

/** A single common word must be capitalised to be a name, for example `#apple`; `#london` is no common word. */
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
