import type { RawToken } from "./tokenizer.js";
import type { PartOfSpeech } from "./wink.js";

/** What is known of a text's tokens before their tags are final; the arrays run in parallel. */
export interface Untagged {
  readonly raw: readonly RawToken[];
  readonly lowers: readonly string[];
  readonly known: readonly boolean[];
  readonly initials: readonly boolean[];
  readonly shouting: boolean;
}

/**
 * Mends wink's tags where the kind of token, a clitic's neighbour or the grammar around a word decides better than
 * wink does. Every rule was kept because it raised the noun-chunk score on the development set.
 */
export function mendTags(text: Untagged, tags: readonly PartOfSpeech[]): PartOfSpeech[] {
  const mended: PartOfSpeech[] = [];
  for (let at = 0; at < tags.length; at++) mended.push(ofKind(text, tags, at));
  for (let at = 0; at < mended.length; at++) mended[at] = inContext(text, mended, at);
  return mended;
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

/** Clitics, and spellings of posts that the dictionary tags as what they are in print. */
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

function ofKind({ raw, lowers, known, shouting }: Untagged, tags: readonly PartOfSpeech[], at: number): PartOfSpeech {
  const token = raw[at];
  const lower = lowers[at] ?? "";
  if (token === undefined) return "X";
  const fixed = OF_KIND[token.kind] ?? OF_WORD.get(lower);
  if (fixed) return fixed;
  if (token.kind === "number") return /(?:st|nd|rd|th)$/.test(lower) ? "ADJ" : "NUM";
  if (lower === "'s") return AFTER_SUBJECT.test(lowers[at - 1] ?? "") ? "AUX" : "PART";
  if (token.text === "US" && !shouting) return "PROPN";
  const tag = tags[at] ?? "X";
  if (tag === "NOUN" && known[at] !== true && /^\p{Lu}/u.test(token.text)) return "PROPN";
  return tag === "SPACE" || tag === "PUNCT" || tag === "SYM" ? "X" : tag;
}

const MODALS = new Set(
  "will would can could should may might must shall do does did n't ca wo to 'll gonna wanna".split(" "),
);
const BE = new Set(["'s", "'re", "'m", "is", "are", "am", "was", "were", "been", "im"]);
const SUBJECTS = new Set(["i", "you", "we", "they", "he", "she", "who"]);
const POSSESSIVES = new Set(["my", "your", "his", "her", "its", "our", "their"]);
const OBJECTS = new Set(["me", "him", "them", "us", "it", "you"]);
const DAYS = new Set(["today", "tonight", "tomorrow", "yesterday"]);
const NOMINAL_ADJECTIVES = new Set(
  "future past top present public middle first second third last fair male female".split(" "),
);

/** The rules that look at the tags around a word; `mended` is final to its left and first-pass to its right. */
function inContext(text: Untagged, mended: readonly PartOfSpeech[], at: number): PartOfSpeech {
  const tag = mended[at] ?? "X";
  const before = at > 0 ? mended[at - 1] : undefined;
  const after = mended[at + 1];
  const lower = text.lowers[at] ?? "";
  switch (tag) {
    case "NOUN":
      return isVerbHere(text, at, after) ? "VERB" : tag;
    case "VERB":
      return isNounHere(text.lowers[at - 1], { before, after, lower }) ? "NOUN" : namePart(text, mended, at);
    case "ADJ":
      return isNounInPlaceOfAdjective(text, at, { before, after, lower }) ? "NOUN" : tag;
    case "ADV":
    case "ADP":
      return namePart(text, mended, at);
    default:
      return tag;
  }
}

function isVerbHere({ lowers, known, initials }: Untagged, at: number, after: PartOfSpeech | undefined): boolean {
  const before = lowers[at - 1] ?? "";
  const next = lowers[at + 1] ?? "";
  if (known[at] !== true || /(?:ion|ness|ment|ity)s?$/.test(lowers[at] ?? "")) return false;
  const lower = lowers[at] ?? "";
  if (/ing$/.test(lower) && (after === "DET" || BE.has(before))) return true;
  if (/[^e]ed$/.test(lower) && (after === "DET" || after === "PRON" || after === "NUM" || after === "PROPN"))
    return true;
  if (initials[at] === true && (after === "DET" || POSSESSIVES.has(next))) return true;
  if (MODALS.has(before) && after !== "NOUN" && after !== "AUX") return true;
  if (SUBJECTS.has(before) && (after === "DET" || after === "ADP" || after === "ADV" || after === "PRON")) return true;
  return OBJECTS.has(next) && (at === 0 || before === "and" || before === "please" || before === "or");
}

/** `the future of`, `the game tonight`: nothing is left for the adjective to describe. */
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

/** `the file`, `a dial`: between a determiner or adjective and no noun, a verb is a noun. */
function isNounHere(previous: string | undefined, { before, after, lower }: Around): boolean {
  if (before === "ADP" && previous !== "to")
    return !/(?:ed|ing|en)$/.test(lower) && after !== "NOUN" && after !== "PROPN";
  if (before !== "DET" && before !== "ADJ") return false;
  if (after === "NOUN" || after === "PROPN" || after === "ADJ") return false;
  return before === "DET" || !/(?:ed|ing)$/.test(lower);
}

/** `North Korea`, `Applied Semantics`: a capitalised word inside a sentence beside a name belongs to it. */
function namePart({ raw, initials, shouting }: Untagged, mended: readonly PartOfSpeech[], at: number): PartOfSpeech {
  const tag = mended[at] ?? "X";
  const text = raw[at]?.text ?? "";
  if (shouting || initials[at] === true || !/^\p{Lu}\p{Ll}/u.test(text)) return tag;
  const isName = (other: number): boolean => mended[other] === "PROPN" && /^\p{Lu}/u.test(raw[other]?.text ?? "");
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
