import { listsOf } from "../../text/gazetteers.js";
import { wink } from "../../text/wink.js";
import type { Box, PrintedLine } from "../../types.js";
import type { Instance } from "../../vision/detections.js";
import { brandKey, type BrandKind, type BrandList, type BrandSpelling, brandWords } from "./brands.js";

/** A line with more words beside the brand is a sentence about it rather than its sign. */
const WORDS_BESIDE_MAX = 4;
/** For brands that consist of ordinary words. */
const WORDS_BESIDE_PHRASE_MAX = 1;
/**
 * An ordinary word must stand alone and have this height, as a fraction of the picture: captions and labels are
 * smaller.
 */
const LARGE_PRINT = 0.07;
/** Lines of which the smaller has at least this fraction of the other's height may be parts of one text. */
const ALIKE = 0.7;
/** Lesser-known names must be read with this confidence: other words are misread as them. */
const LISTED_PROB_MIN = 0.9;
/** Shorter words are too easily confused with each other. */
const MISREAD_LENGTH_MIN = 7;
const MISREAD_SHARE = 0.2;

/** How often correctly read print is the brand's sign, by the kind of its spelling. */
const TRUST: Readonly<Record<BrandKind | "misread", number>> = {
  name: 0.97,
  listed: 0.85,
  phrase: 0.9,
  word: 0.6,
  letters: 0.75,
  misread: 0.8,
};

/** The brands whose names are printed, as often as they are; the place of each is that of the lines with its name. */
export const matchBrands = (lines: readonly PrintedLine[], brands: BrandList): Instance[] => [
  ...lines.flatMap((line) => {
    const isSign = isLargeAlone(line, lines);
    return hitsIn({ ...line, isSign }, brands).map(({ brand, prob }) => ({ value: brand, prob, box: line.box }));
  }),
  ...lines.slice(1).flatMap((line, at) => stackedNames(lines[at]!, line, brands)),
];

interface Hit {
  brand: string;
  prob: number;
}

/** A line that may have brands in it. */
interface Candidate extends PrintedLine {
  /** Whether it is large and no part of a longer text, so that even an ordinary word in it is meant as a name. */
  isSign: boolean;
}

/** Whether the line is large, and no line of similar height is next to it, as the others of a slogan are. */
const isLargeAlone = (line: PrintedLine, lines: readonly PrintedLine[]): boolean =>
  line.box.height >= LARGE_PRINT && !lines.some((other) => other !== line && continues(line.box, other.box));

const continues = (a: Box, b: Box): boolean => {
  const [less, more] = [Math.min(a.height, b.height), Math.max(a.height, b.height)];
  const apart = (start: number, end: number, otherStart: number, otherEnd: number): number =>
    Math.max(otherStart - end, start - otherEnd, 0);
  const down = apart(a.top, a.top + a.height, b.top, b.top + b.height);
  const across = apart(a.left, a.left + a.width, b.left, b.left + b.width);
  return less >= ALIKE * more && down < more && across < more;
};

/** E-mail addresses, whose domain is only the mail provider. */
const MAIL_ADDRESS = /[\w.+-]+@[\w.-]+/g;

const hitsIn = (line: Candidate, brands: BrandList): Hit[] => {
  const words = brandWords(line.text.replace(MAIL_ADDRESS, " "));
  const hits: Hit[] = [];
  for (let from = 0; from < words.length;) {
    const found = longestAt(words, from, line, brands);
    if (found !== undefined) hits.push({ brand: found.brand, prob: found.prob });
    from += found?.words ?? 1;
  }
  return hits;
};

/** The longest brand that starts at a word. */
const longestAt = (
  words: readonly string[],
  from: number,
  line: Candidate,
  brands: BrandList,
): (Hit & { words: number }) | undefined => {
  for (let count = Math.min(brands.wordsMax, words.length - from); count > 0; count--) {
    const part = words.slice(from, from + count);
    const key = part.join("");
    const beside = words.length - count;
    const exact = brands.byKey.get(key);
    if (exact !== undefined && !isChance(exact, part) && counts(exact, line, beside)) {
      return { brand: exact.brand, prob: line.prob * TRUST[exact.kind], words: count };
    }
    const meant = exact === undefined && beside <= WORDS_BESIDE_MAX ? misread(part, brands) : undefined;
    if (meant !== undefined) return { brand: meant.brand, prob: line.prob * TRUST.misread, words: count };
  }
  return undefined;
};

/** Whether ordinary words just happen to have the letters of a less known name: "Select a file" is not Selecta. */
const isChance = ({ kind, spelling }: BrandSpelling, words: readonly string[]): boolean =>
  kind === "listed" && words.length !== brandWords(spelling).length && words.every(isMeaningful);

/** Whether a spelling counts as the brand's sign in this line. */
const counts = ({ kind, spelling }: BrandSpelling, line: Candidate, beside: number): boolean => {
  switch (kind) {
    case "name":
      return beside <= WORDS_BESIDE_MAX;
    case "listed":
      return beside <= WORDS_BESIDE_MAX && line.prob >= LISTED_PROB_MIN;
    case "phrase":
      return beside <= WORDS_BESIDE_PHRASE_MAX;
    case "word":
      return isDomain(line.text, spelling) || (beside === 0 && line.isSign && isBare(line.text));
    case "letters":
      return isDomain(line.text, spelling) || line.text.replace(/[\s.®™]/g, "") === spelling.toUpperCase();
  }
};

/** Signs have no full stop, comma or price after the word. */
const isBare = (text: string): boolean => /^[\p{L}\p{N}&'’\- ]+[®™]?$/u.test(text);

/** `target.com`: the brand's own address. */
const isDomain = (text: string, spelling: string): boolean =>
  new RegExp(`(?<![\\w@.-])(?:www\\.)?${brandKey(spelling).replace(/[^\p{L}\p{N}]/gu, "")}\\.com\\b`, "iu").test(text);

/** The only well-known name that a word is a misreading of; words with a meaning are never corrected. */
const misread = (words: readonly string[], brands: BrandList): BrandSpelling | undefined => {
  const key = words.join("");
  if (key.length < MISREAD_LENGTH_MIN || [key, ...words].some(isMeaningful)) return undefined;
  const slips = Math.floor(key.length * MISREAD_SHARE);
  const near: string[] = [];
  for (let length = key.length - slips; length <= key.length + slips; length++) {
    if (length < MISREAD_LENGTH_MIN) continue;
    const max = Math.min(slips, Math.floor(length * MISREAD_SHARE));
    near.push(...(brands.namesByLength.get(length) ?? []).filter((name) => editDistance(key, name, max) <= max));
  }
  return near.length === 1 ? brands.byKey.get(near[0]!) : undefined;
};

const isMeaningful = (word: string): boolean => wink().knows(word) || listsOf(word) !== 0;

/** A brand of several words printed below each other that fill both lines. */
const stackedNames = (upper: PrintedLine, lower: PrintedLine, brands: BrandList): Instance[] => {
  const [above, below] = [upper.box, lower.box];
  const gap = below.top - above.top - above.height;
  const isUnder = Math.abs(gap) < Math.max(above.height, below.height);
  const shared = Math.min(above.left + above.width, below.left + below.width) - Math.max(above.left, below.left);
  if (!isUnder || shared < Math.min(above.width, below.width) / 2) return [];
  const exact = brands.byKey.get(brandKey(`${upper.text} ${lower.text}`));
  if (exact === undefined || brandWords(exact.spelling).length < 2) return [];
  const prob = Math.min(upper.prob, lower.prob) * TRUST[exact.kind];
  return [{ value: exact.brand, prob, box: around(above, below) }];
};

const around = (a: Box, b: Box): Box => {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  const right = Math.max(a.left + a.width, b.left + b.width);
  const bottom = Math.max(a.top + a.height, b.top + b.height);
  return { left, top, width: right - left, height: bottom - top };
};

/** The Levenshtein distance of two words; `max + 1` if it is greater than `max`. */
export const editDistance = (a: string, b: string, max: number): number => {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, previous[column]! + 1, current[column - 1]! + 1));
    }
    if (Math.min(...current) > max) return max + 1;
    previous = current;
  }
  return previous[b.length]!;
};
