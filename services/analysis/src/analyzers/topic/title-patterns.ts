import { type Entity, findHits, isIn } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { isCapital } from "./word-shapes.js";

/** Verbs whose objects are films, books and songs. */
const VERBS: ReadonlySet<string> = new Set(
  (
    "watch watched watching rewatch rewatched rewatching watches read reading reread rereading reads binge binged bingeing binging stream streaming streamed " +
    "listen listened listening hear heard finished finishing recommend adapted directed starring sang sing sings"
  ).split(" "),
);
/** Nouns that a title explains or that explain a title. */
const NOUNS: ReadonlySet<string> = new Set(
  (
    "film movie book novel song album single track episode series show poem play musical memoir trilogy sequel prequel documentary sitcom anime manga " +
    "podcast soundtrack called titled entitled novella ballad hit remake chapter"
  ).split(" "),
);
const BETWEEN: ReadonlySet<string> = new Set(
  "to the a an my his her their this that , : again just about finally is was by old new".split(" "),
);
/** Words in small letters inside titles; without quotes, `and` may join two of them. */
const SMALL: ReadonlySet<string> = new Set("of the and in a an to for on with at from by &".split(" "));
const QUOTES = /^["“”«»]$/;
const CLOSING = /^["”»]$/;
const WORDS_MAX = 9;
const REACH = 4;

/** Titles that the text shows to be titles: in quotes beside a word of media, or capitalized as titles are after a verb. */
export function findTitles(tokens: readonly Token[]): Entity[] {
  const found: Entity[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const title = QUOTES.test(tokens[at]?.text ?? "") ? quotedAt(tokens, at) : capitalizedAt(tokens, at);
    if (title === undefined) continue;
    found.push(title);
    at = title.last;
  }
  return found;
}

/** `the song "Let It Be"`, `"Let It Be" by the Beatles`. */
function quotedAt(tokens: readonly Token[], open: number): Entity | undefined {
  const first = open + 1;
  let last = first;
  while (last - first <= WORDS_MAX && tokens[last] !== undefined && !CLOSING.test(tokens[last]?.text ?? "")) last++;
  if (last - first > WORDS_MAX || last === first || tokens[last] === undefined) return undefined;
  const words = tokens.slice(first, last);
  if (!words.every((token, at) => isTitleWord(token, at)) || !isCapital(words[0])) return undefined;
  if (!isBesideMedia(tokens, open, last)) return undefined;
  return { first, last: last - 1, type: "WORK_OF_ART" };
}

function isBesideMedia(tokens: readonly Token[], open: number, close: number): boolean {
  if (tokens[close + 1]?.lower === "by" && isCapital(tokens[close + 2])) return true;
  if (NOUNS.has(tokens[close + 1]?.lower ?? "")) return true;
  return isAfterMedia(tokens, open);
}

function isAfterMedia(tokens: readonly Token[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - REACH); before--) {
    const lower = tokens[before]?.lower ?? "";
    if (VERBS.has(lower) || NOUNS.has(lower)) return true;
    if (!BETWEEN.has(lower)) return false;
  }
  return false;
}

/** `watched The Lord of the Rings`: capitals with small words between them, right behind the verb. */
function capitalizedAt(tokens: readonly Token[], first: number): Entity | undefined {
  if (!VERBS.has(tokens[first - 1]?.lower ?? "") && !isListening(tokens, first)) return undefined;
  if (!isCapital(tokens[first]) || tokens[first]?.newLine !== false) return undefined;
  let last = first;
  for (let at = first + 1; at < first + WORDS_MAX; at++) {
    const token = tokens[at];
    if (
      token === undefined ||
      token.newLine ||
      !(isCapital(token) || (SMALL.has(token.lower) && token.lower !== "and"))
    )
      break;
    if (isCapital(token)) last = at;
  }
  const words = tokens.slice(first, last + 1);
  const joined = words.some(({ text }) => SMALL.has(text)) || /^(?:The|A|An|One)$/.test(words[0]?.text ?? "");
  if (last === first || !joined || namesOthers(words)) return undefined;
  return { first, last, type: "WORK_OF_ART" };
}

function isListening(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.lower === "to" && /^listen(?:ed|ing)?$/.test(tokens[at - 2]?.lower ?? "");
}

/** `watched Arsenal and Chelsea`, `read The Guardian`: known people, places and organizations are no titles. */
function namesOthers(words: readonly Token[]): boolean {
  return findHits(words).some(
    (hit) =>
      isCapital(words[hit.first]) &&
      !isIn(hit, "works") &&
      (isIn(hit, "organizations") || isIn(hit, "cities") || isIn(hit, "countries") || isIn(hit, "persons")),
  );
}

function isTitleWord(token: Token, at: number): boolean {
  if (isCapital(token) || token.kind === "number") return true;
  return at > 0 && (SMALL.has(token.lower) || /^[':,!?&-]$|^'s$|^n't$/.test(token.lower));
}
