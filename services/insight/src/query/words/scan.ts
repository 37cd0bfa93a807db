import { withoutAffixes } from "./affixes.js";
import {
  classOf,
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
} from "./character-class.js";
import { codePointAt, widthOf, type CodeUnits } from "./code-units.js";
import { divideByDictionary } from "./dictionary-words.js";
import { mentionEnd, startsName, tagEnd } from "./names.js";
import { startsWebAddress, webAddressEnd } from "./web-address.js";

/** Receives what a text consists of, in its order, as ranges of the folded text. */
export interface WordSink {
  word(text: CodeUnits, start: number, end: number): void;
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
  const end = wordEnd(text, start);
  let first = start;
  let last = end;
  while (first < last && classOf(text.charCodeAt(first)) === UNDERSCORE) first += 1;
  while (last > first && classOf(text.charCodeAt(last - 1)) === UNDERSCORE) last -= 1;
  if (last > first) {
    const bare = withoutAffixes(text, { start: first, end: last });
    sink.word(text, bare.start, bare.end);
  }
  return end;
}

function wordEnd(text: CodeUnits, start: number): number {
  let end = start;
  let previous = OTHER;
  while (end < text.length) {
    const codePoint = codePointAt(text, end);
    const kind = classOf(codePoint);
    if (kind === LETTER || kind === DIGIT || kind === UNDERSCORE) previous = kind;
    else if (kind !== MARK && !joins(text, end, kind, previous)) return end;
    end += widthOf(codePoint);
  }
  return end;
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
