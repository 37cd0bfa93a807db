import { type Entity, listsOf, phraseOf } from "../../text/gazetteers.js";
import { withModel } from "./model-numbers.js";
import { withHead } from "./name-heads.js";
import { isNoName, withPlaceWords } from "./place-names.js";
import type { Token } from "../../text/tokens.js";
import { classesOf, has } from "./entity-rules.js";
import { isCapital, isCapitalized } from "./word-shapes.js";

/**
 * Moves the borders of entities to where names begin and end by their words, which taggers often miss; the entities are
 * in order and without overlap, before and after.
 */
export function correctBorders(tokens: readonly Token[], entities: readonly Entity[]): Entity[] {
  const corrected: Entity[] = [];
  for (const found of entities.flatMap((entity) => splitNames(tokens, withoutEnds(tokens, entity)))) {
    const entity = withPlaceWords(tokens, withModel(tokens, withHead(tokens, asPeople(tokens, found))));
    const before = corrected.at(-1);
    if (before && before.last >= entity.last) continue;
    // A longer name takes the part that was found before it: `Hotel` of `Hotel Astoria`.
    if (before && before.last >= entity.first) corrected.pop();
    if (isNoName(tokens, entity)) continue;
    if (before && isOneName(tokens, before, entity)) corrected[corrected.length - 1] = joined(before, entity);
    else if (!isForm(tokens, entity)) corrected.push(withForm(tokens, entity));
  }
  return corrected;
}

/** `Palestinian` is no place: a list has it as people, and none as anything else. */
function asPeople(tokens: readonly Token[], entity: Entity): Entity {
  if (entity.type !== "GPE") return entity;
  const lists = listsOf(phraseOf(tokens, entity.first, entity.last));
  return has(lists, "nationalities") && classesOf(lists).length === 0 ? { ...entity, type: "NORP" } : entity;
}

function joined(before: Entity, after: Entity): Entity {
  const isBody = before.type === "ORG" || after.type === "ORG";
  return { ...before, last: after.last, type: isBody ? "ORG" : before.type };
}

const FORMS = new Set("inc inc. corp corp. ltd ltd. llc plc gmbh l.p. l.l.c. co.".split(" "));

/** A legal form is no organization. */
function isForm(tokens: readonly Token[], { first, last }: Entity): boolean {
  return first === last && FORMS.has(tokens[first]?.lower ?? "");
}

/** `Google, Inc.` is one name. */
function withForm(tokens: readonly Token[], entity: Entity): Entity {
  if (entity.type !== "ORG") return entity;
  const at = tokens[entity.last + 1]?.text === "," ? entity.last + 2 : entity.last + 1;
  const form = tokens[at];
  return form && FORMS.has(form.lower) && !form.newLine ? { ...entity, last: at } : entity;
}

const TITLES = new Set(
  (
    "president aunt uncle sheikh doctor professor prof prof. mr mr. mrs mrs. ms ms. dr dr. drs. senator sen. governor gov. gen. minister chancellor " +
    "congressman congresswoman mayor secretary ambassador coach captain capt. sergeant sgt. sgt detective inspector officer"
  ).split(" "),
);
/** The first word of a title of two: `Prime Minister`. */
const TITLE_OPENERS = new Set("prime vice deputy foreign former head ex".split(" "));

/** Names of which a title is part: `Dr. Seuss`. */
const STAGE_NAMES = new Set(
  "seuss dre phil oz who strange doolittle bean robot t america marvel jack sparrow hook morgan".split(" "),
);

const PARTICLES = new Set("van von der den del della dela dos das bint abdel".split(" "));

/** A word in small letters before a name in capitals is what the person does: `telethon Kanye`. */
function isRole(token: Token, next: Token | undefined): boolean {
  if (!/^\p{Ll}{4,}$/u.test(token.text) || PARTICLES.has(token.text)) return false;
  if (has(listsOf(token.text), "first-names")) return false;
  return /^\p{Lu}/u.test(next?.text ?? "");
}

const DANGLING = new Set("and or of the a in at by for with".split(" "));

/** No name ends with a small word: `Sharknado and`. */
function withoutEnds(tokens: readonly Token[], entity: Entity): Entity {
  let { last } = entity;
  while (last > entity.first && DANGLING.has(tokens[last]?.text ?? "")) last--;
  return wholeTitle(tokens, withoutOpener(tokens, withoutHashtags(tokens, { ...entity, last })));
}

/** A hashtag is a name by itself: `Ohio State #Steelers` are two. */
function withoutHashtags(tokens: readonly Token[], entity: Entity): Entity {
  let { first, last } = entity;
  for (let at = first; at <= last; at++) {
    if (tokens[at]?.kind !== "hashtag" || first === last) continue;
    if (at === first) first++;
    else last = at - 1;
  }
  return { ...entity, first, last };
}

/** An adjective in small letters before capitals is no part of a name: `original Star Trek`. */
function isPlainAdjective(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return token?.pos === "ADJ" && /^\p{Ll}{4,}$/u.test(token.text) && token.known && isCapital(tokens[at + 1]);
}

const SMALL_WORDS = new Set("the a an of and in on to for from with at by about".split(" "));
const TITLE_REACH = 4;

/** `All About the` before `Benjamins`: a small word joins what has capitals before it to the found part of a title. */
function wholeTitle(tokens: readonly Token[], entity: Entity): Entity {
  const { first: found, type } = entity;
  if (type !== "WORK_OF_ART" || !isCapital(tokens[found]) || !JOINING.has(tokens[found - 1]?.text ?? "")) return entity;
  let first = found;
  for (let at = found - 1; at >= Math.max(0, found - TITLE_REACH) && tokens[at + 1]?.newLine === false; at--) {
    const token = tokens[at];
    if (isCapitalized(token) && token?.initial === false && token.kind === "word" && listsOf(token.lower) === 0)
      first = at;
    else if (first < found || !JOINING.has(token?.text ?? "")) break;
  }
  return { ...entity, first };
}

const JOINING = new Set("the a an of".split(" "));

/** `President Bush` is Bush, and a small `the` belongs to the sentence. */
function withoutOpener(tokens: readonly Token[], entity: Entity): Entity {
  const { first, last, type } = entity;
  const token = tokens[first];
  if (first === last || token === undefined) return entity;
  if (token.text === "the" || isPlainAdjective(tokens, first)) return { ...entity, first: first + 1 };
  if (type === "PERSON" && isRole(token, tokens[first + 1])) return { ...entity, first: first + 1 };
  if (type !== "PERSON" || STAGE_NAMES.has(tokens[last]?.lower ?? "")) return entity;
  const opened = TITLE_OPENERS.has(token.lower) && TITLES.has(tokens[first + 1]?.lower ?? "") ? first + 1 : first;
  if (opened >= last || !TITLES.has(tokens[opened]?.lower ?? "")) return entity;
  return listsOf(phraseOf(tokens, first, last)) === 0 ? { ...entity, first: opened + 1 } : entity;
}

/** `Chelsea and Arsenal` are two names if lists have either, and none both together: `Marks and Spencer`. */
function splitNames(tokens: readonly Token[], entity: Entity): Entity[] {
  const { first, last, type } = entity;
  let and = first + 1;
  while (and < last && tokens[and]?.lower !== "and") and++;
  if (and >= last || type === "WORK_OF_ART" || listsOf(phraseOf(tokens, first, last)) !== 0)
    return splitPlaces(tokens, entity);
  const [left, right] = [listsOf(phraseOf(tokens, first, and - 1)), listsOf(phraseOf(tokens, and + 1, last))];
  if (left === 0 || right === 0) return splitPlaces(tokens, entity);
  return [
    { ...entity, last: and - 1 },
    { ...entity, first: and + 1 },
  ];
}

const PLACE_TOKENS_MAX = 6;

/** `San Francisco California`: a place and the larger one that it lies in. */
function splitPlaces(tokens: readonly Token[], entity: Entity): Entity[] {
  const { first, last, type } = entity;
  if (type !== "GPE" || last - first > PLACE_TOKENS_MAX || listsOf(phraseOf(tokens, first, last)) !== 0)
    return [entity];
  for (let at = first + 1; at <= last; at++) {
    const small = listsOf(phraseOf(tokens, first, at - 1));
    const large = listsOf(phraseOf(tokens, at, last));
    if ((has(small, "cities") || has(small, "regions")) && (has(large, "regions") || has(large, "countries"))) {
      return [
        { ...entity, last: at - 1 },
        { ...entity, first: at },
      ];
    }
  }
  return [entity];
}

const BODIES = new Set(
  (
    "university bank department ministry authority association school college institute office offices church board council court city " +
    "academy bureau house union federation society museum"
  ).split(" "),
);

/** Two neighbors that are one name: `J. M.` and `Huber`, `Housing Authority` of `New Orleans`, `US` `Navy Band`. */
function isOneName(tokens: readonly Token[], before: Entity, after: Entity): boolean {
  if (isTitleInTwo(tokens, before, after) || isHouseInTwo(tokens, before, after)) return true;
  if (before.last === after.first - 1) {
    return before.type === after.type ? isInitials(tokens, before) : isBodyOfPlace(tokens, before, after);
  }
  if (before.type !== "ORG" || before.last !== after.first - 2 || tokens[after.first - 1]?.lower !== "of") return false;
  return BODIES.has(tokens[before.last]?.lower ?? "");
}

/** `Man` and `U.N.C.L.E.`, with `From` between them. */
function isTitleInTwo(tokens: readonly Token[], before: Entity, after: Entity): boolean {
  if (before.type !== "WORK_OF_ART" || after.type !== "WORK_OF_ART" || before.last !== after.first - 2) return false;
  const between = tokens[after.first - 1];
  return isCapitalized(between) && SMALL_WORDS.has(between?.lower ?? "");
}

/** `Winspear` and `Opera House`: the words of the second are ordinary, and name no house alone. */
function isHouseInTwo(tokens: readonly Token[], before: Entity, after: Entity): boolean {
  if (before.type !== "FAC" || after.type !== "FAC" || before.last !== after.first - 1) return false;
  const words = tokens.slice(after.first, after.last + 1);
  return words.every(({ known, newLine, spaced }) => known && !newLine && spaced);
}

/** `US National Hurricane Center`: a place or people before a body of several words that is not known by itself. */
function isBodyOfPlace(tokens: readonly Token[], before: Entity, { first, last, type }: Entity): boolean {
  if (type !== "ORG" || (before.type !== "GPE" && before.type !== "NORP")) return false;
  if (!/^\p{Lu}/u.test(tokens[before.first]?.text ?? "") || tokens[first]?.newLine !== false) return false;
  return first < last && tokens[last]?.known === true && listsOf(phraseOf(tokens, first, last)) === 0;
}

function isInitials(tokens: readonly Token[], { first, last }: Entity): boolean {
  return tokens.slice(first, last + 1).every(({ text }) => /^(?:\p{Lu}\.)+$/u.test(text));
}
