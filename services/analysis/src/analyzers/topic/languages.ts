import type { DetectedLanguage } from "../../analyzer.js";
import type { Token } from "../../text/tokens.js";
import type { Annotation } from "./annotation.js";
import type { Entity } from "../../text/entity.js";
import { bitOf, listsOf, phraseOf } from "../../text/gazetteers.js";

/** The part of an annotation that can be trusted in a language: the engines are made for English. */
export function trustedIn(
  { code }: DetectedLanguage,
  annotation: Annotation,
): { annotation: Annotation; chunks: boolean } {
  if (code === "en") return { annotation, chunks: true };
  const { tokens, entities } = annotation;
  if (code === "und") return { annotation, chunks: readsEnglish(tokens) };
  const sure = entities.filter((entity) => isSureAnywhere(tokens, entity));
  return { annotation: { ...annotation, entities: sure }, chunks: false };
}

/** A tagger's confidence that holds in other languages, too. */
const SURE_PROB = 0.9;

/** Names on word lists, people with a known first name, and entities of which the tagger is sure. */
function isSureAnywhere(tokens: readonly Token[], { first, last, prob }: Entity): boolean {
  const token = tokens[first];
  if (!token || token.kind === "hashtag" || !/^\p{Lu}/u.test(token.text)) return token?.kind === "hashtag";
  if (prob !== undefined && prob >= SURE_PROB) return true;
  const lists = listsOf(phraseOf(tokens, first, last));
  const given = bitOf("first-names") | bitOf("last-names");
  if ((lists & ~given) !== 0) return true;
  return (
    first < last && (listsOf(token.lower) & bitOf("first-names")) !== 0 && /^\p{Lu}/u.test(tokens[last]?.text ?? "")
  );
}

/** English function words that other languages in Latin script do not share. */
const GRAMMAR = new Set(
  (
    "the and of to is are was were be been has have had that this these those with for from by at you your he she it its we " +
    "they them their my not but what who which when how why will would can could should do does did n't 's 'm 're just " +
    "about out up all so if or as there here"
  ).split(" "),
);
/** A language cannot be recognised by fewer words. */
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
