import { classOf, DICTIONARY, DIGIT, HANGUL, LETTER, MARK, UNDERSCORE } from "./character-class.js";
import { codePointAt, widthOf, type CodeUnits } from "./code-units.js";
import { fold } from "./fold.js";

const AMPERSAND = "&".charCodeAt(0);
const DOT = ".".charCodeAt(0);
const HYPHEN = "-".charCodeAt(0);

/**
 * Whether a `#` or `@` begins a name: it does not follow a word (`c#`, `name@host`) or `&` (an entity of HTML). Tags may
 * follow each other without a space: `endOfTag` is where the last one ended, or -1.
 */
export function startsName(text: CodeUnits, index: number, endOfTag: number): boolean {
  if (index === 0 || index === endOfTag) return true;
  const before = text.charCodeAt(index - 1);
  return before !== AMPERSAND && !isNameClass(classOf(before));
}

/** Where the tag that begins at `start` ends: letters, digits and underscores. */
export function tagEnd(text: CodeUnits, start: number): number {
  return nameEnd(text, start, isNameClass);
}

/**
 * Where the name that begins at `start` ends: letters, digits, underscores, dots and hyphens, but neither of the latter
 * at its ends. Text in East Asian scripts goes on after a name, and is no part of it.
 */
export function mentionEnd(text: CodeUnits, start: number): number {
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
