import type { TextDocument } from "../types.js";
import { tokenize, type RawToken } from "./tokenizer.js";
import { correctTags, type Untagged } from "./tag-corrections.js";
import { wink, type PartOfSpeech, type Wink } from "./wink.js";

export type { PartOfSpeech } from "./wink.js";

/** A token with its part of speech. */
export interface Token extends RawToken {
  /** Lower case, with straight apostrophes. */
  readonly lower: string;
  readonly pos: PartOfSpeech;
  /** Whether a sentence (or a line) starts here. */
  readonly initial: boolean;
  /** Whether the English dictionary contains the word in lower case. */
  readonly known: boolean;
}

/** The tokens of a document with their parts of speech, computed once for all its analyzers. */
export function tokensOf(document: TextDocument): readonly Token[] {
  return document.once(TOKENS, tagText);
}

/** Tokenizes a text and tags its parts of speech; `tokensOf` for a text outside a document. */
export function tagText(text: string): readonly Token[] {
  const untagged = describe(tokenize(text));
  return withTags(untagged, correctTags(untagged, tagInRuns(wink(), wordsFor(untagged))));
}

/** Tokens with given parts of speech, in parallel arrays. */
export function tokensWithTags(raw: readonly RawToken[], tags: readonly PartOfSpeech[]): readonly Token[] {
  return withTags(describe(raw), tags);
}

function describe(raw: readonly RawToken[]): Untagged {
  const dictionary = wink();
  const lowers = raw.map((token) => token.text.toLowerCase().replaceAll("’", "'"));
  return {
    raw,
    lowers,
    known: lowers.map((lower) => dictionary.knows(lower)),
    initials: findInitials(raw),
    shouting: isShouting(raw),
  };
}

function withTags({ raw, lowers, known, initials }: Untagged, tags: readonly PartOfSpeech[]): readonly Token[] {
  return raw.map((token, at) => ({
    ...token,
    lower: lowers[at] ?? "",
    initial: initials[at] === true,
    known: known[at] === true,
    pos: tags[at] ?? "X",
  }));
}

function wordsFor({ raw, lowers, known, initials, shouting }: Untagged): string[] {
  return raw.map((token, at) => {
    const cased = !(initials[at] === true || shouting) || known[at] !== true;
    return wordFor(token, cased ? token.text.replaceAll("’", "'") : (lowers[at] ?? ""));
  });
}

const TOKENS = Symbol("tokens");
/** Words passed to wink at a time: its cost per word grows slowly with the length of a document. */
const RUN_LENGTH = 2_000;

function tagInRuns(tagger: Wink, words: readonly string[]): PartOfSpeech[] {
  if (words.length === 0) return [];
  const tags: PartOfSpeech[] = [];
  for (let from = 0; from < words.length; from += RUN_LENGTH) {
    for (const tag of tagger.tag(words.slice(from, from + RUN_LENGTH))) tags.push(tag);
  }
  return tags;
}

/**
 * The word passed to wink for a token: its own spelling if wink keeps that in one piece, otherwise a substitute of its
 * kind.
 */
function wordFor(token: RawToken, spelling: string): string {
  switch (token.kind) {
    case "word":
      return /^[\p{L}\p{M}']+$/u.test(spelling) ? spelling : spelling.replace(/[^\p{L}\p{M}]+/gu, "") || "x";
    case "number":
      return /^\d+$/.test(spelling) ? spelling : /(?:st|nd|rd|th)$/.test(spelling) ? "7th" : "70";
    case "mention":
      return "Someone";
    case "hashtag":
      return "Something";
    case "punctuation":
      return /^[.,;:!?()"'-]$/.test(token.text) ? token.text : "-";
    default:
      return ",";
  }
}

function findInitials(raw: readonly RawToken[]): boolean[] {
  let initial = true;
  return raw.map((token) => {
    const here = initial || token.newLine;
    if (token.kind === "word" || token.kind === "number") initial = false;
    if (here && (token.kind === "punctuation" || token.kind === "mention")) initial = true;
    if (/^(?:[.!?:;…]+|["“])$/.test(token.text) || token.kind === "emoji") initial = true;
    return here;
  });
}

/** In a text in all capitals, capitalization carries no information. */
function isShouting(raw: readonly RawToken[]): boolean {
  const words = raw.filter((token) => token.kind === "word" && token.text.length > 1);
  const upper = words.filter((token) => token.text === token.text.toUpperCase() && /\p{Lu}/u.test(token.text));
  return words.length > 3 && upper.length > words.length * 0.6;
}
