import type { RawToken } from "./tokenizer.js";
import type { PartOfSpeech } from "./wink.js";

/** A text's tokens before their tags are final; the arrays are parallel. */
export interface Untagged {
  readonly raw: readonly RawToken[];
  readonly lowers: readonly string[];
  readonly known: readonly boolean[];
  readonly initials: readonly boolean[];
  readonly shouting: boolean;
}

/**
 * Corrects wink's tags where the kind of token, the neighbor of a clitic or the surrounding grammar is more reliable
 * than wink. Every rule was kept because it raised the noun-chunk score on the development set.
 */
export function correctTags(text: Untagged, tags: readonly PartOfSpeech[]): PartOfSpeech[] {
  const corrected: PartOfSpeech[] = [];
  for (let at = 0; at < tags.length; at++) corrected.push(ofKind(text, tags, at));
  for (let at = 0; at < corrected.length; at++) corrected[at] = inContext(text, corrected, at);
  return corrected;
}

const OF_KIND: Partial<Record<RawToken["kind"], PartOfSpeech>> = {
  url: "PROPN",
  email: "PROPN",
  mention: "PROPN",
  hashtag: "X",
  emoji: "SYM",
  emoticon: "SYM",
  symbol: "SYM",
  punctuation: "PUNCT",
};

/** Clitics, and spellings in posts that the dictionary tags by their meaning in edited text. */
const OF_WORD = new Map<string, PartOfSpeech>([
  ["n't", "PART"],
  ...["'re", "'ve", "'ll", "'d", "'m", "r", "aint", "dont", "cant", "wont", "didnt", "doesnt", "isnt", "wasnt"].map(
    aux,
  ),
  ...["im", "u", "ya", "ive", "youre", "hes", "shes", "thats", "whats", "theyre", "none", "ppl's"].map(pronoun),
  ...["gonna", "wanna", "gotta", "lets", "lemme", "gimme", "outta", "dunno", "tryna", "finna"].map(verb),
  ...["lol", "lmao", "lmfao", "omg", "haha", "hahaha", "yeah", "yea", "yay", "wow", "ugh", "pls", "plz", "please"].map(
    interjection,
  ),
  ...["hey", "hi", "hello", "thx", "ok", "okay", "yes", "nope", "yep", "eh", "aw", "aww", "oh", "ah"].map(interjection),
  ...["rt", "w", "b", "etc", "etc.", "via", "p.s."].map(other),
]);
const AFTER_SUBJECT = /^(?:i|you|he|she|it|we|they|there|that|this|what|who|where|how|here|let|when|why)$/;

function ofKind(text: Untagged, tags: readonly PartOfSpeech[], at: number): PartOfSpeech {
  const token = text.raw[at];
  const lower = text.lowers[at] ?? "";
  if (token === undefined) return "X";
  const fixed = OF_KIND[token.kind] ?? OF_WORD.get(lower);
  if (fixed) return fixed;
  if (token.kind === "number") return /(?:st|nd|rd|th)$/.test(lower) ? "ADJ" : "NUM";
  if (lower === "'s") return AFTER_SUBJECT.test(text.lowers[at - 1] ?? "") ? "AUX" : "PART";
  if (token.text === "US" && !text.shouting) return "PROPN";
  return ofWord(token.text, tags[at] ?? "X", text.known[at] === true);
}

function ofWord(word: string, tag: PartOfSpeech, known: boolean): PartOfSpeech {
  if (tag === "NOUN" && !known && /^\p{Lu}/u.test(word)) return "PROPN";
  return tag === "SPACE" || tag === "PUNCT" || tag === "SYM" ? "X" : tag;
}

const MODALS = new Set(
  "will would can could should may might must shall do does did n't ca wo to 'll gonna wanna".split(" "),
);
const BE = new Set(["'s", "'re", "'m", "is", "are", "am", "was", "were", "been", "im"]);
const LINKS = new Set(["and", "please", "or"]);
const AFTER_PAST: ReadonlySet<PartOfSpeech> = new Set(["DET", "PRON", "NUM", "PROPN"]);
const AFTER_VERB: ReadonlySet<PartOfSpeech> = new Set(["DET", "ADP", "ADV", "PRON"]);
const SUBJECTS = new Set(["i", "you", "we", "they", "he", "she", "who"]);
const POSSESSIVES = new Set(["my", "your", "his", "her", "its", "our", "their"]);
const OBJECTS = new Set(["me", "him", "them", "us", "it", "you"]);
const DAYS = new Set(["today", "tonight", "tomorrow", "yesterday"]);
const NOMINAL_ADJECTIVES = new Set(
  "future past top present public middle first second third last fair male female".split(" "),
);

/** Adverbs that look like adjectives, and are adjectives before a noun: `fast food`. */
const PLAIN_ADVERBS = new Set("fast hard early late daily weekly monthly live online low high deep long".split(" "));

/** The rules that depend on the tags around a word; `corrected` is final to its left and first-pass to its right. */
function inContext(text: Untagged, corrected: readonly PartOfSpeech[], at: number): PartOfSpeech {
  const tag = corrected[at] ?? "X";
  const before = at > 0 ? corrected[at - 1] : undefined;
  const after = corrected[at + 1];
  const lower = text.lowers[at] ?? "";
  switch (tag) {
    case "NOUN":
      return isVerbHere(text, at, after) ? "VERB" : tag;
    case "VERB":
      return isNounHere(text.lowers[at - 1], { before, after, lower }) ? "NOUN" : namePart(text, corrected, at);
    case "ADJ":
      return isNounInPlaceOfAdjective(text, at, { before, after, lower }) ? "NOUN" : tag;
    case "ADV":
      return after === "NOUN" && PLAIN_ADVERBS.has(lower) ? "ADJ" : namePart(text, corrected, at);
    case "ADP":
      return namePart(text, corrected, at);
    default:
      return tag;
  }
}

function isVerbHere({ lowers, known, initials }: Untagged, at: number, after: PartOfSpeech | undefined): boolean {
  const lower = lowers[at] ?? "";
  if (known[at] !== true || /(?:ion|ness|ment|ity)s?$/.test(lower)) return false;
  const before = lowers[at - 1] ?? "";
  if (isVerbByForm(lower, before, after)) return true;
  const next = lowers[at + 1] ?? "";
  if (initials[at] === true && (after === "DET" || POSSESSIVES.has(next))) return true;
  return isVerbAfter(before, after) || (OBJECTS.has(next) && (at === 0 || LINKS.has(before)));
}

/** `is reading`, `closing the shop`, `chased two cats`. */
function isVerbByForm(lower: string, before: string, after: PartOfSpeech | undefined): boolean {
  if (lower.endsWith("ing")) return after === "DET" || BE.has(before);
  return /[^e]ed$/.test(lower) && after !== undefined && AFTER_PAST.has(after);
}

/** `will call`, `they call on`. */
function isVerbAfter(before: string, after: PartOfSpeech | undefined): boolean {
  if (MODALS.has(before)) return after !== "NOUN" && after !== "AUX";
  return SUBJECTS.has(before) && after !== undefined && AFTER_VERB.has(after);
}

/** `the future of`, `the game tonight`: there is no noun that the adjective could modify. */
function isNounInPlaceOfAdjective({ lowers }: Untagged, at: number, { before, after, lower }: Around): boolean {
  if (before !== "DET") return false;
  if (DAYS.has(lowers[at + 1] ?? "")) return true;
  return NOMINAL_ADJECTIVES.has(lower) && (after === "ADP" || after === "PUNCT");
}

interface Around {
  before: PartOfSpeech | undefined;
  after: PartOfSpeech | undefined;
  lower: string;
}

/** `the file`, `a dial`: after a determiner or adjective and without a following noun, a verb is a noun. */
function isNounHere(previous: string | undefined, { before, after, lower }: Around): boolean {
  if (before === "ADP" && previous !== "to")
    return !/(?:ed|ing|en)$/.test(lower) && after !== "NOUN" && after !== "PROPN";
  if (before !== "DET" && before !== "ADJ") return false;
  if (after === "NOUN" || after === "PROPN" || after === "ADJ") return false;
  return before === "DET" || !/(?:ed|ing)$/.test(lower);
}

/** `North Korea`, `Applied Semantics`: a capitalized word inside a sentence next to a name belongs to it. */
function namePart({ raw, initials, shouting }: Untagged, corrected: readonly PartOfSpeech[], at: number): PartOfSpeech {
  const tag = corrected[at] ?? "X";
  const text = raw[at]?.text ?? "";
  if (shouting || initials[at] === true || !/^\p{Lu}\p{Ll}/u.test(text)) return tag;
  const isName = (other: number): boolean => corrected[other] === "PROPN" && /^\p{Lu}/u.test(raw[other]?.text ?? "");
  return isName(at + 1) || (tag === "VERB" && isName(at - 1)) ? "PROPN" : tag;
}

function aux(word: string): [string, PartOfSpeech] {
  return [word, "AUX"];
}

function pronoun(word: string): [string, PartOfSpeech] {
  return [word, "PRON"];
}

function verb(word: string): [string, PartOfSpeech] {
  return [word, "VERB"];
}

function interjection(word: string): [string, PartOfSpeech] {
  return [word, "INTJ"];
}

function other(word: string): [string, PartOfSpeech] {
  return [word, "X"];
}
