import { fold } from "@hourglass/runtime/text";
import {
  classOf,
  codePointAt,
  type CodeUnits,
  DICTIONARY,
  DIGIT,
  EMOJI,
  HANGUL,
  LETTER,
  MARK,
  MID_EITHER,
  MID_LETTER,
  MID_NUMBER,
  OTHER,
  REGIONAL,
  UNDERSCORE,
  widthOf,
} from "./unicode.js";
import { isArabic, stemBeforeApostrophe, stemsBeforeParticles, stemsBehindArticle } from "./stems.js";

/**
 * The words of a text in its order, folded: what a query is compared with. An emoji is a word; web addresses and
 * punctuation are none; a possessive `'s` and an elided `l'` are removed. Takes time linear in the length.
 */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  const sink: WordSink = {
    word: (folded, start, end) => words.push(folded.slice(start, end)),
    tag: () => undefined,
    mention: () => undefined,
    stem: () => undefined,
  };
  scan(fold(text), sink);
  return words;
}

/** Receives what a text consists of, in its order, as ranges of the folded text. */
export interface WordSink {
  word(text: CodeUnits, start: number, end: number): void;
  /** A shorter form of the word before, without an ending, article or particle: the word is found by it, too. */
  stem(text: CodeUnits, start: number, end: number): void;
  /** The name after `#`; its words follow as words. */
  tag(text: CodeUnits, start: number, end: number): void;
  /** The name after `@`; its words follow as words. */
  mention(text: CodeUnits, start: number, end: number): void;
}

const HASH = 0x23;
const AT = 0x40;
const JOINER = 0x200d;

/**
 * Divides folded text into words by the rules of UAX #29, dictionary scripts by `Intl.Segmenter`, and reports tags and
 * mentions. Web addresses are skipped. Reads each character a bounded number of times.
 */
export function scan(text: CodeUnits, sink: WordSink): void {
  let index = 0;
  let endOfTag = -1;
  while (index < text.length) {
    const codePoint = codePointAt(text, index);
    const kind = classOf(codePoint);
    if (kind === OTHER) {
      if (codePoint === HASH && startsName(text, index, endOfTag)) endOfTag = tag(text, index + 1, sink);
      else if (codePoint === AT && startsName(text, index, -1)) mention(text, index + 1, sink);
      index += widthOf(codePoint);
    } else {
      index = wordOf(kind, text, index, sink);
    }
  }
}

/** Reports what begins at `start`; returns where it ends. */
function wordOf(kind: number, text: CodeUnits, start: number, sink: WordSink): number {
  switch (kind) {
    case LETTER:
    case DIGIT:
    case UNDERSCORE:
      return startsWebAddress(text, start) ? webAddressEnd(text, start) : word(text, start, sink);
    case HANGUL:
      return hangulRun(text, start, sink);
    case DICTIONARY:
      return dictionaryRun(text, start, sink);
    case EMOJI:
    case REGIONAL:
      return pictograph(text, start, sink);
    default:
      return start + widthOf(codePointAt(text, start));
  }
}

function tag(text: CodeUnits, start: number, sink: WordSink): number {
  const end = tagEnd(text, start);
  if (end > start) sink.tag(text, start, end);
  return end;
}

function mention(text: CodeUnits, start: number, sink: WordSink): void {
  const end = mentionEnd(text, start);
  if (end > start) sink.mention(text, start, end);
}

/** Reports the word at `start` without underscores around it, possessives and elided words. */
function word(text: CodeUnits, start: number, sink: WordSink): number {
  const { end, hasApostrophe } = wordEnd(text, start);
  let first = start;
  let last = end;
  while (first < last && classOf(text.charCodeAt(first)) === UNDERSCORE) first += 1;
  while (last > first && classOf(text.charCodeAt(last - 1)) === UNDERSCORE) last -= 1;
  if (last > first) {
    if (hasApostrophe) apostrophized(text, { start: first, end: last }, sink);
    else sink.word(text, first, last);
    if (isArabic(text.charCodeAt(first))) {
      stemsBehindArticle(text, { start: first, end: last }, (from, to) => sink.stem(text, from, to));
    }
  }
  return end;
}

/** Only words with apostrophes have what must be removed. */
function apostrophized(text: CodeUnits, range: WordRange, sink: WordSink): void {
  const bare = withoutAffixes(text, range);
  sink.word(text, bare.start, bare.end);
  stemBeforeApostrophe(text, bare, (from, to) => sink.stem(text, from, to));
}

/** What `wordEnd` found; one object for all words, since a text has many. */
const found = { end: 0, hasApostrophe: false };

function wordEnd(text: CodeUnits, start: number): Readonly<typeof found> {
  let end = start;
  let previous = OTHER;
  found.hasApostrophe = false;
  while (end < text.length) {
    const codePoint = codePointAt(text, end);
    const kind = classOf(codePoint);
    if (kind === LETTER || kind === DIGIT || kind === UNDERSCORE) previous = kind;
    else if (kind !== MARK) {
      if (!joins(text, end, kind, previous)) break;
      found.hasApostrophe ||= codePoint === APOSTROPHE;
    }
    end += widthOf(codePoint);
  }
  found.end = end;
  return found;
}

/** Whether the character stands between two letters or two digits that it joins. */
function joins(text: CodeUnits, index: number, kind: number, previous: number): boolean {
  const forLetters = kind === MID_LETTER || kind === MID_EITHER;
  const forDigits = kind === MID_NUMBER || kind === MID_EITHER;
  const possible = (forLetters && previous === LETTER) || (forDigits && previous === DIGIT);
  return possible && index + 1 < text.length && classOf(codePointAt(text, index + 1)) === previous;
}

function hangulRun(text: CodeUnits, start: number, sink: WordSink): number {
  const end = runEnd(text, start, HANGUL);
  sink.word(text, start, end);
  stemsBeforeParticles(text, { start, end }, (from, to) => sink.stem(text, from, to));
  return end;
}

function dictionaryRun(text: CodeUnits, start: number, sink: WordSink): number {
  const end = runEnd(text, start, DICTIONARY);
  divideByDictionary(text.slice(start, end), (first, last) => sink.word(text, start + first, start + last));
  return end;
}

/** Where the characters of one class and their marks end. */
function runEnd(text: CodeUnits, start: number, runOf: number): number {
  let end = start;
  while (end < text.length) {
    const codePoint = codePointAt(text, end);
    const kind = classOf(codePoint);
    if (kind !== runOf && kind !== MARK) return end;
    end += widthOf(codePoint);
  }
  return end;
}

/** Reports an emoji as a word: one character, several with joiners between them, or the two letters of a flag. */
function pictograph(text: CodeUnits, start: number, sink: WordSink): number {
  const first = codePointAt(text, start);
  let end = start + widthOf(first);
  if (classOf(first) === REGIONAL) {
    if (end < text.length && classOf(codePointAt(text, end)) === REGIONAL) end += 2;
  } else {
    while (end + 1 < text.length && text.charCodeAt(end) === JOINER) {
      const next = codePointAt(text, end + 1);
      if (classOf(next) !== EMOJI) break;
      end += 1 + widthOf(next);
    }
  }
  sink.word(text, start, end);
  return end;
}

const APOSTROPHE = 0x27;
const LETTER_S = 0x73;

/** Where a word stands in a folded text. */
interface WordRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What Romance languages write before a vowel without its own, folded: articles, prepositions with an article, pronouns
 * and conjunctions.
 */
const ELIDED: ReadonlySet<string> = new Set([
  ...["c", "d", "j", "l", "m", "n", "s", "t", "v", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"],
  ...["gl", "un", "all", "coll", "dall", "dell", "nell", "sull", "quell", "quest"],
]);
const ELIDED_UNITS_MAX = Math.max(...Array.from(ELIDED, ({ length }) => length));

/**
 * The word without possessives at its end (`kestrel's`) and without elided words before it (`l'iphone`), so that the word
 * alone is compared. What remains has neither.
 */
function withoutAffixes(text: CodeUnits, { start, end }: WordRange): WordRange {
  let last = end;
  while (last - start > 2 && isPossessive(text, last)) last -= 2;
  let first = start;
  for (let next = afterElision(text, { start, end: last }); next > first;) {
    first = next;
    next = afterElision(text, { start: first, end: last });
  }
  return { start: first, end: last };
}

function isPossessive(text: CodeUnits, end: number): boolean {
  return text.charCodeAt(end - 1) === LETTER_S && text.charCodeAt(end - 2) === APOSTROPHE;
}

/** Where the word continues after an elided one; its start if there is none. */
function afterElision(text: CodeUnits, { start, end }: WordRange): number {
  const latest = Math.min(start + ELIDED_UNITS_MAX, end - 2);
  for (let index = start + 1; index <= latest; index += 1) {
    if (text.charCodeAt(index) !== APOSTROPHE) continue;
    return ELIDED.has(text.slice(start, index)) ? index + 1 : start;
  }
  return start;
}

/** Characters given to Intl.Segmenter at once: its time is quadratic, 15 s for 100,000 characters. */
const CHUNK = 1024;
/** At the end of a chunk that is no end of the run, words may be cut off; they are divided again in the next. */
const TAIL = 32;

let segmenter: Intl.Segmenter | undefined;

/** Reports the words of a run of scripts without spaces, as ranges of it. Takes time linear in its length. */
function divideByDictionary(run: string, report: (start: number, end: number) => void): void {
  // Made on first use: loading the dictionaries takes time.
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  let start = 0;
  while (start < run.length) {
    const chunk = run.slice(start, start + CHUNK);
    const isLast = start + chunk.length === run.length;
    const limit = isLast ? chunk.length : chunk.length - TAIL;
    let done = 0;
    for (const { index, segment, isWordLike } of segmenter.segment(chunk)) {
      if (index > 0 && index + segment.length > limit) break;
      done = index + segment.length;
      if (isWordLike === true) report(start + index, start + done);
    }
    start += done;
  }
}

const BEGINNINGS = ["http://", "https://", "www."];
/** Addresses in texts without spaces end where East Asian text continues. */
const EAST_ASIAN = 0x2e80;
const ENDS = new Set(Array.from(`"<>|\\^\`{}[]`, (char) => char.charCodeAt(0)));
const OPEN = "(".charCodeAt(0);
const CLOSE = ")".charCodeAt(0);

/** Whether a web address begins here; `start` must be the start of a word. */
function startsWebAddress(text: CodeUnits, start: number): boolean {
  return BEGINNINGS.some((beginning) => startsWith(text, start, beginning));
}

/** Where the web address that begins at `start` ends. */
function webAddressEnd(text: CodeUnits, start: number): number {
  let open = 0;
  for (let index = start; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit <= 0x20 || unit >= EAST_ASIAN || ENDS.has(unit)) return index;
    if (unit === OPEN) open += 1;
    if (unit === CLOSE && open-- === 0) return index;
  }
  return text.length;
}

function startsWith(text: CodeUnits, start: number, beginning: string): boolean {
  if (start + beginning.length > text.length) return false;
  for (let index = 0; index < beginning.length; index += 1) {
    if (text.charCodeAt(start + index) !== beginning.charCodeAt(index)) return false;
  }
  return true;
}

const AMPERSAND = "&".charCodeAt(0);
const DOT = ".".charCodeAt(0);
const HYPHEN = "-".charCodeAt(0);

/**
 * Whether a `#` or `@` begins a name: it does not follow a word (`c#`, `name@host`) or `&` (an entity of HTML). Tags may
 * follow each other without a space: `endOfTag` is where the last one ended, or -1.
 */
function startsName(text: CodeUnits, index: number, endOfTag: number): boolean {
  if (index === 0 || index === endOfTag) return true;
  const before = text.charCodeAt(index - 1);
  return before !== AMPERSAND && !isNameClass(classOf(before));
}

/** Where the tag that begins at `start` ends: letters, digits and underscores. */
function tagEnd(text: CodeUnits, start: number): number {
  return nameEnd(text, start, isNameClass);
}

/**
 * Where the name that begins at `start` ends: letters, digits, underscores, dots and hyphens, but neither of the latter
 * at its ends. Text in East Asian scripts that follows a name is no part of it.
 */
function mentionEnd(text: CodeUnits, start: number): number {
  if (start < text.length && isInner(text.charCodeAt(start))) return start;
  let end = nameEnd(text, start, isMentionCharacter);
  while (end > start && isInner(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** The form in which tags are compared: only what a tag can hold. Empty if nothing is left. */
export function tagKey(name: string): string {
  return [...fold(name)].filter((char) => isNameClass(classified(char)[0])).join("");
}

/** The form in which names of mentions are compared; `@` stays inside `name@host`. Empty if nothing is left. */
export function mentionKey(name: string): string {
  const kept = [...fold(name)].filter((char) => char === "@" || isMentionCharacter(...classified(char)));
  const isName = (char: string): boolean => isNameClass(classified(char)[0]);
  return kept.slice(kept.findIndex(isName), kept.findLastIndex(isName) + 1).join("");
}

function classified(char: string): [kind: number, codePoint: number] {
  const codePoint = char.codePointAt(0)!;
  return [classOf(codePoint), codePoint];
}

function nameEnd(text: CodeUnits, start: number, belongs: (kind: number, codePoint: number) => boolean): number {
  let end = start;
  while (end < text.length) {
    const codePoint = codePointAt(text, end);
    if (!belongs(classOf(codePoint), codePoint)) return end;
    end += widthOf(codePoint);
  }
  return end;
}

function isNameClass(kind: number): boolean {
  return isMentionClass(kind) || kind === DICTIONARY || kind === HANGUL;
}

function isMentionClass(kind: number): boolean {
  return kind === LETTER || kind === DIGIT || kind === MARK || kind === UNDERSCORE;
}

function isMentionCharacter(kind: number, codePoint: number): boolean {
  return isInner(codePoint) || isMentionClass(kind);
}

function isInner(codePoint: number): boolean {
  return codePoint === DOT || codePoint === HYPHEN;
}
