import type { DetectedLanguage } from "../../types.js";
import { bitOf, type Entity, type EntityType, type Gazetteer, listsOf, phraseOf } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import type { Annotation } from "./annotation.js";
import { isBrand } from "./brand-names.js";

/** The certainty with which an engine's entities are trusted in a language that is not English. */
export interface Trust {
  readonly sure: number;
  /** In scripts without capitals, where nothing but the engine tells a name. */
  readonly sureCaseless: number;
  /** For names on a word list of their type; also for engines that state no certainty. */
  readonly listed: number;
  /** Whether the engine finds noun chunks in these languages. */
  readonly chunks: boolean;
}

/** Of an engine made for English, whose certainty elsewhere means little. */
const ENGLISH_ONLY: Trust = { sure: 0.9, sureCaseless: 0.9, listed: 0, chunks: false };
/** Of the multilingual encoder; chosen on the development sentences of `topic-ner-more` in seven languages. */
export const MULTILINGUAL: Trust = { sure: 0.35, sureCaseless: 0.4, listed: 0.2, chunks: true };

/** How the noun chunks of a text are read: as English ones, as those of any language, or not at all. */
export type ChunkReading = "english" | "any" | "none";

/** The part of an annotation that can be trusted in a language. */
export function trustedIn(
  { code }: DetectedLanguage,
  annotation: Annotation,
  trust: Trust = ENGLISH_ONLY,
): { annotation: Annotation; chunks: ChunkReading } {
  if (code === "en") return { annotation, chunks: "english" };
  const { tokens, entities } = annotation;
  if (code === "und") return { annotation, chunks: readsEnglish(tokens) ? "english" : "none" };
  const sure = entities.filter((entity) => isSureAnywhere(tokens, entity, trust));
  return { annotation: { ...annotation, entities: sure }, chunks: trust.chunks ? "any" : "none" };
}

/** Hashtags, names of which the engine is sure, and those on a list; names are capitalized in scripts with capitals. */
function isSureAnywhere(tokens: readonly Token[], entity: Entity, trust: Trust): boolean {
  const token = tokens[entity.first];
  if (!token || token.kind === "hashtag") return token !== undefined;
  const capital = /^\p{Lu}/u.test(token.text);
  const isLaw = entity.type === "LAW" && /^[§\d]/.test(token.text);
  if (!capital && !isLaw && !/^\p{Lo}/u.test(token.text)) return false;
  const { prob } = entity;
  if (prob !== undefined && prob >= (capital ? trust.sure : trust.sureCaseless)) return true;
  const listed = isListed(tokens, entity);
  // A single word may mean something else in the language: `Total`, `Essen`.
  if (listed && (entity.first < entity.last || isBrand(token.lower))) return true;
  return (prob ?? 1) >= trust.listed && (listed || isFullName(tokens, entity));
}

const LISTS: Readonly<Record<EntityType, readonly Gazetteer[]>> = {
  PERSON: ["persons"],
  NORP: ["nationalities"],
  FAC: ["facilities"],
  ORG: ["organizations"],
  GPE: ["countries", "regions", "cities"],
  LOC: ["locations", "countries", "regions"],
  PRODUCT: ["products"],
  EVENT: ["events"],
  WORK_OF_ART: ["works"],
  LAW: ["laws"],
  LANGUAGE: ["languages"],
};

/** Whether a word list of its type contains a name. */
function isListed(tokens: readonly Token[], { first, last, type }: Entity): boolean {
  const lists = listsOf(phraseOf(tokens, first, last));
  return LISTS[type].some((list) => (lists & bitOf(list)) !== 0);
}

/** A known first name and another one. */
function isFullName(tokens: readonly Token[], { first, last, type }: Entity): boolean {
  const given = listsOf(tokens[first]?.lower ?? "") & bitOf("first-names");
  return type === "PERSON" && first < last && given !== 0 && /^\p{Lu}/u.test(tokens[last]?.text ?? "");
}

/** English function words that other languages in Latin script do not share. */
const GRAMMAR = new Set(
  (
    "the and of to is are was were be been has have had that this these those with for from by at you your he she it its we " +
    "they them their my not but what who which when how why will would can could should do does did n't 's 'm 're just " +
    "about out up all so if or as there here"
  ).split(" "),
);
/** A language cannot be recognized by fewer words. */
const LANGUAGE_WORDS_MIN = 8;
const GRAMMAR_SHARE_MIN = 0.08;
const KNOWN_SHARE_MIN = 0.7;

/** Whether a text of undetermined language (`und`) looks like English, or is too short to tell. */
function readsEnglish(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === "word");
  if (words.length < LANGUAGE_WORDS_MIN) return true;
  const grammar = words.filter(({ lower }) => GRAMMAR.has(lower)).length;
  const known = words.filter((word) => word.known).length;
  return grammar >= words.length * GRAMMAR_SHARE_MIN || known >= words.length * KNOWN_SHARE_MIN;
}
