import {
  ENCODER_ENTITIES,
  ENCODER_TAG_COUNT,
  encoderBeginTag,
  type EntityType,
  entriesOf,
  type Gazetteer,
  tagText,
  type Token,
} from "@hourglass/analysis/training";
import type { Mention } from "../datasets.js";
import type { Silver } from "./silver.js";

/** A named span and its possible types; `first` and `last` are token indexes, both inclusive. */
export interface TypedSpan {
  readonly first: number;
  readonly last: number;
  readonly types: readonly EntityType[];
}

/** The evidence about the entities of a text: certain spans, and spans that may not be entities at all. */
export interface EntityEvidence {
  readonly sure: readonly TypedSpan[];
  readonly unsure: readonly TypedSpan[];
}

/**
 * The possible tags of each token: those of certain spans, those and "outside" for uncertain ones, "outside" elsewhere.
 */
export function allowedTags(count: number, { sure, unsure }: EntityEvidence): number[][] {
  const allowed: number[][] = Array.from({ length: count }, () => [OUTSIDE]);
  for (const span of unsure) {
    if (span.types.length === 0) for (let at = span.first; at <= span.last; at++) allowed[at] = [...ANY_TAG];
    else {
      markSpan(allowed, span, span.types);
      for (let at = span.first; at <= span.last; at++) allowed[at]?.unshift(OUTSIDE);
    }
  }
  for (const span of sure) markSpan(allowed, span, span.types);
  return allowed;
}

/** A text, its tokens, the silver labeler's entities and the hits of word lists. */
interface Evidence {
  readonly tokens: readonly Token[];
  readonly silver: Silver;
}

/**
 * The entities of a sentence with gold mentions. A mention includes every token that it overlaps; if it accepts several
 * types, word lists and the silver labeler choose. For types that the corpus does not mark, spans on which both agree
 * are certain.
 */
export function goldEntities(
  evidence: Evidence,
  { mentions, annotated }: { mentions: readonly Mention[]; annotated: readonly string[] },
): EntityEvidence {
  const { tokens, silver } = evidence;
  const gold = mentions
    .flatMap((mention) => spanOf(mention, tokens))
    .map((span) => ({ ...span, types: narrow(span, tokens, silver) }));
  const taken = new Set(gold.flatMap(({ first, last }) => range(first, last)));
  const isFree = ({ first, last }: { first: number; last: number }): boolean =>
    !range(first, last).some((at) => taken.has(at) || tokens[at]?.kind === "mention");
  const unmarked = (type: EntityType): boolean => type === "NORP" || !annotated.includes(type);
  const listed = listedSpans(tokens).filter((span) => isFree(span) && span.types.some(unmarked));
  // Only part of the data marks groups, and the silver labeler classifies peoples differently there.
  const soft = annotated.includes("NORP");
  const sure: TypedSpan[] = [];
  const unsure: TypedSpan[] = [];
  for (const span of listed) {
    const isSoft = soft && span.types.includes("NORP");
    if (isSure(tokens, span) && !isSoft) sure.push(span);
    else unsure.push(span);
  }
  for (const [first, last, type] of silver.ents) {
    const span = { first, last };
    if (!isEntityType(type) || annotated.includes(type) || !isFree(span) || !isNamed(tokens, span)) continue;
    if (range(first, last).some((at) => tokens[at]?.kind === "url") || (first === last && tokens[first]?.known))
      continue;
    if (!overlaps(listed, span)) unsure.push({ ...span, types: [type] });
  }
  return { sure: [...gold, ...sure], unsure };
}

/**
 * The tags that count as correct in development data: every type that a mention accepts; elsewhere "outside" and the
 * types that the corpus does not mark.
 */
export function acceptedTags(
  tokens: readonly Place[],
  { mentions, annotated }: { mentions: readonly Mention[]; annotated: readonly string[] },
): number[][] {
  const unmarked = ENCODER_ENTITIES.filter((type) => !annotated.includes(type)).map(encoderBeginTag);
  const outside = [OUTSIDE, ...unmarked.flatMap((tag) => [tag, tag + 1])];
  const accepted = tokens.map(() => [...outside]);
  for (const mention of mentions) for (const span of spanOf(mention, tokens)) markSpan(accepted, span, span.types);
  return accepted;
}

/** Where a token is. */
type Place = Pick<Token, "start" | "end">;

function spanOf(mention: Mention, tokens: readonly Place[]): TypedSpan[] {
  const first = tokens.findIndex((token) => token.end > mention.start);
  const last = tokens.findLastIndex((token) => token.start < mention.end);
  return first < 0 || last < first ? [] : [{ first, last, types: mention.types.filter(isEntityType) }];
}

const FACILITY_HEAD =
  /^(?:airport|station|stadium|arena|bridge|towers?|museum|hotel|hospital|street|avenue|road|ave|rd|st|blvd|mall|cent(?:er|re)|theat(?:er|re)|hall|library|church|cathedral|temple|mosque|castle|palace|square|highway|tunnel|plaza|pub|bar|restaurant|cafe|club|zoo|gallery|prison|building|house|park|gardens?|school|university|college)$/;
const LOCATION_HEAD =
  /^(?:river|lakes?|mount|mountains?|ocean|sea|bay|islands?|isles?|desert|valley|coast|beach|peninsula|canyon|hills?|forest|gulf|falls|glacier|east|west|north|south|africa|europe|asia|antarctica)$/;

/** Chooses among several accepted types; keeps them all without evidence. */
function narrow(span: TypedSpan, tokens: readonly Token[], silver: Silver): readonly EntityType[] {
  const { first, last, types } = span;
  if (types.length < 2) return types;
  const lists = listsOf(tokens, first, last);
  const said = silver.ents.find(([from, to]) => from === first && to === last)?.[2] ?? "";
  if (types.includes("NORP")) return [lists.has("nationalities") || said === "NORP" ? "NORP" : "ORG"];
  // One corpus marks `Russian` as a place.
  const place = placeOf(lists) ?? (lists.has("nationalities") ? "NORP" : placeByWords(tokens, span));
  if (place) return [place];
  return isEntityType(said) && types.includes(said) ? [said] : types;
}

/** The type of a place by its words: its abbreviation, or its head. */
function placeByWords(tokens: readonly Token[], span: TypedSpan): EntityType | undefined {
  const { first, last } = span;
  const head = tokens[last]?.lower ?? "";
  if (/^(?:us|usa|uk|uae|bc|dc|nz|nyc)$/.test(lettersOf(tokens, span))) return "GPE";
  if (last > first && FACILITY_HEAD.test(head)) return "FAC";
  const isLocation = LOCATION_HEAD.test(head) || /^(?:lake|mount|mt\.?|cape|gulf)$/.test(tokens[first]?.lower ?? "");
  return isLocation ? "LOC" : undefined;
}

/** `us` for `U. S.` */
function lettersOf(tokens: readonly Token[], { first, last }: TypedSpan): string {
  const words = tokens.slice(first, last + 1).map(({ lower }) => lower);
  return words.join("").replaceAll(".", "");
}

function placeOf(lists: ReadonlySet<Gazetteer>): EntityType | undefined {
  if (lists.has("countries") || lists.has("regions") || lists.has("cities")) return "GPE";
  if (lists.has("locations")) return "LOC";
  return lists.has("facilities") ? "FAC" : undefined;
}

const TYPES_OF_LISTS: readonly (readonly [EntityType, readonly Gazetteer[]])[] = [
  ["NORP", ["nationalities"]],
  ["LANGUAGE", ["languages"]],
  ["EVENT", ["events"]],
  ["LAW", ["laws"]],
  ["PRODUCT", ["products"]],
  ["WORK_OF_ART", ["works"]],
  ["LOC", ["locations"]],
  ["FAC", ["facilities"]],
  ["GPE", ["countries", "regions", "cities"]],
  ["ORG", ["organizations"]],
  ["PERSON", ["persons", "first-names", "last-names"]],
];

/** Named spans on word lists, with their possible types; peoples and languages are distinguished. */
export function listedSpans(tokens: readonly Token[]): TypedSpan[] {
  return findListed(tokens)
    .filter((hit) => isNamed(tokens, hit))
    .map((hit) => ({ first: hit.first, last: hit.last, types: typesOf(tokens, hit) }));
}

function typesOf(tokens: readonly Token[], hit: ListHit): EntityType[] {
  const types = TYPES_OF_LISTS.filter(([, lists]) => lists.some((list) => hit.lists.has(list))).map(([type]) => type);
  const both = types.length === 2 && types.includes("NORP") && types.includes("LANGUAGE");
  return both ? [isLanguageHere(tokens, hit) ? "LANGUAGE" : "NORP"] : types;
}

const BEFORE_LANGUAGE =
  /^(?:in|into|speak(?:s|ing)?|spoken?|learn(?:s|ing)?|learned|study(?:ing)?|teach(?:es|ing)?|translated?|read|write|fluent|from)$/;
const AFTER_LANGUAGE =
  /^(?:languages?|lessons?|class(?:es)?|translation|subtitles|speakers?|words?|grammar|dictionary|accent|alphabet)$/;

function isLanguageHere(tokens: readonly Token[], { first, last }: ListHit): boolean {
  const after = tokens[last + 1];
  if (AFTER_LANGUAGE.test(after?.lower ?? "")) return true;
  const alone = after?.pos !== "NOUN" && after?.pos !== "PROPN" && after?.pos !== "ADJ";
  return alone && BEFORE_LANGUAGE.test(tokens[first - 1]?.lower ?? "");
}

/** Whether a span is capitalized like a name. */
function isNamed(tokens: readonly Token[], { first, last }: { first: number; last: number }): boolean {
  return (
    range(first, last).some((at) => /[\p{Lu}\d]/u.test(tokens[at]?.text ?? "")) && tokens[first]?.kind !== "number"
  );
}

const SMALL = new Set(["of", "the", "and", "in", "on", "a", "an", "to", "for", "with", "at", "by", "'s", "&"]);

/** Whether word lists alone can be trusted: one type, never a person, no dictionary word at the start of a sentence. */
function isSure(tokens: readonly Token[], { first, last, types }: TypedSpan): boolean {
  const token = tokens[first];
  if (types.length !== 1 || types[0] === "PERSON" || !token) return false;
  if (types[0] === "NORP") return !/^(?:black|blacks|white|whites|left|right|republic|indie)$/.test(token.lower);
  const plain = first === last && token.known;
  const short = first === last && token.text.length < 3;
  // A title of common words counts only if each word is capitalized like a name.
  const spelled = range(first, last).every((at) => {
    const word = tokens[at];
    return word === undefined || !word.known || SMALL.has(word.lower) || /^[\p{Lu}\d]/u.test(word.text);
  });
  return !plain && !short && spelled;
}

/** Whether any of the spans shares a token with another. */
function overlaps(spans: readonly TypedSpan[], { first, last }: { first: number; last: number }): boolean {
  return spans.some((span) => span.first <= last && first <= span.last);
}

/** The integers from `first` to `last`. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Types with little or no gold data: a text is useful for training if it contains one of them. */
const RARE_TYPES = new Set<EntityType>(["NORP", "LANGUAGE", "LAW", "EVENT", "FAC", "LOC", "WORK_OF_ART", "PRODUCT"]);

/**
 * The entities of a text without gold labels, or undefined if it contains no certain entity of a rare type. Spans are
 * certain if the silver labeler and word lists agree, or if the stricter criteria of either are met; the labels of
 * other names are left open.
 */
export function silverEntities(evidence: Evidence, isNews: boolean): EntityEvidence | undefined {
  const { tokens, silver } = evidence;
  if (isShouting(tokens)) return undefined;
  const listed = listedSpans(tokens);
  const said = silver.ents.flatMap(([from, to, type]): TypedSpan[] => {
    const { first, last } = trim(tokens, from, to);
    return isEntityType(type) && isNamed(tokens, { first, last }) ? [{ first, last, types: [type] }] : [];
  });
  const agreed = said
    .filter((span) => isAgreed(tokens, span) || (isNews && isPlainName(tokens, span)))
    .filter((span) => !isPartOfName(tokens, span));
  const trusted = listed.filter((span) => isSure(tokens, span) && !overlaps(agreed, span) && !reachesPast(said, span));
  const sure = [...agreed, ...trusted]
    .map((span) => withNumber(tokens, span))
    .filter(({ first, last }) => !range(first, last).some((at) => isHandle(tokens[at])));
  if (!sure.some(({ types }) => types.some((type) => RARE_TYPES.has(type)))) return undefined;
  return { sure, unsure: [...doubtful(tokens, [...said, ...listed]), ...unexplained(tokens)] };
}

/** Articles, possessive endings and marks around a name do not belong to it. */
function trim(tokens: readonly Token[], from: number, to: number): { first: number; last: number } {
  let [first, last] = [from, to];
  while (first < last && /^(?:the|a|an|\p{P}+)$/u.test(tokens[first]?.lower ?? "")) first++;
  while (first < last && /^(?:'s|[\p{P}\p{S}]+)$/u.test(tokens[last]?.lower ?? "")) last--;
  return { first, last };
}

/** `Daniel Patrick` before `Moynihan`: another capitalized word is next to a person or an organization. */
function isPartOfName(tokens: readonly Token[], { first, last, types: [type] }: TypedSpan): boolean {
  if (type !== "PERSON" && type !== "ORG") return false;
  const before = tokens[first - 1];
  const after = tokens[last + 1];
  const isName = (token?: Token): boolean =>
    token?.kind === "word" && /^\p{Lu}/u.test(token.text) && token.text !== "I";
  return (isName(before) && before?.initial !== true) || (isName(after) && after?.newLine === false);
}

/** `Galaxy Note 5`, `iPhone 6s`: a number after a product or a work belongs to its name. */
function withNumber(tokens: readonly Token[], span: TypedSpan): TypedSpan {
  const next = tokens[span.last + 1];
  const counts = span.types[0] === "PRODUCT" || span.types[0] === "WORK_OF_ART";
  return counts && next?.spaced && /^\d{1,3}[a-z]?$/i.test(next.text) ? { ...span, last: span.last + 1 } : span;
}

const isHandle = (token: Token | undefined): boolean => token?.kind === "mention" || token?.kind === "url";

function isShouting(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind, text }) => kind === "word" && text.length > 2);
  return words.filter(({ text }) => /^\p{Lu}+$/u.test(text)).length > words.length / 3;
}

/** Whether word lists contain the span under the labeler's type. */
function isAgreed(tokens: readonly Token[], span: TypedSpan): boolean {
  const [type] = span.types;
  const listed = listedSpans(tokens.slice(span.first, span.last + 1));
  const whole = listed.find(({ first, last }) => first === 0 && last === span.last - span.first);
  if (type === "PERSON") {
    const lists = listsOf(tokens, span.first, span.first);
    return whole?.types.includes("PERSON") === true || (span.last > span.first && lists.has("first-names"));
  }
  return type !== undefined && whole?.types.includes(type) === true;
}

/** In edited prose, the labeler can be trusted with names of several capitalized words. */
function isPlainName(tokens: readonly Token[], { first, last, types: [type] }: TypedSpan): boolean {
  const capitals = range(first, last).filter((at) => /^\p{Lu}\p{Ll}/u.test(tokens[at]?.text ?? "")).length;
  if (type === "GPE" || type === "NORP") return capitals > 0;
  return (type === "PERSON" || type === "ORG") && capitals > 1 && capitals >= last - first;
}

/** `American` in `American Airlines`: the labeler found a longer name. */
function reachesPast(said: readonly TypedSpan[], { first, last }: TypedSpan): boolean {
  return said.some((span) => span.first <= last && first <= span.last && span.last - span.first > last - first);
}

/** Names that only one of the two finds: their tags are left open. */
function doubtful(tokens: readonly Token[], spans: readonly TypedSpan[]): TypedSpan[] {
  return spans
    .filter(({ first, last }) => first < last || tokens[first]?.known !== true || !tokens[first].initial)
    .map(({ first, last }) => ({ first, last, types: [] }));
}

/** Words capitalized like names that neither finds. */
function unexplained(tokens: readonly Token[]): TypedSpan[] {
  return tokens.flatMap(({ kind, text, known, initial }, at): TypedSpan[] => {
    const isName = kind === "hashtag" || (kind === "word" && /^\p{Lu}/u.test(text) && text !== "I" && !initial);
    return isName && !(known && text.length < 4) ? [{ first: at, last: at, types: [] }] : [];
  });
}

/** Tag of a token outside all entities; type `t` has the begin tag `1 + 2t` and the inside tag `2 + 2t`. */
export const OUTSIDE = 0;

/** Every entity tag: the possible tags of a token without evidence. */
export const ANY_TAG: readonly number[] = Array.from({ length: ENCODER_TAG_COUNT }, (_, tag) => tag);

/** Whether a name is that of an entity type of the interface. */
const isEntityType = (name: string): name is EntityType => (ENCODER_ENTITIES as readonly string[]).includes(name);

/** Gives the tokens from `first` to `last` the tags of any of the types. */
function markSpan(
  allowed: (readonly number[])[],
  { first, last }: { first: number; last: number },
  types: readonly EntityType[],
): void {
  const begins = types.map(encoderBeginTag);
  const insides = begins.map((tag) => tag + 1);
  for (let at = first; at <= last; at++) allowed[at] = at === first ? begins : insides;
}

/** The word lists that distinguish types of entities. */
const LISTS = [
  "first-names",
  "last-names",
  "persons",
  "countries",
  "regions",
  "cities",
  "locations",
  "facilities",
  "organizations",
  "nationalities",
  "languages",
  "events",
  "laws",
  "products",
  "works",
] as const satisfies readonly Gazetteer[];

/** A run of tokens on word lists; `first` and `last` are token indexes, both inclusive. */
interface ListHit {
  readonly first: number;
  readonly last: number;
  readonly lists: ReadonlySet<Gazetteer>;
}

/** Finds the longest listed phrases, from left to right and without overlap. */
export function findListed(tokens: readonly Token[]): ListHit[] {
  const hits: ListHit[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const hit = longestAt(tokens, at);
    if (!hit) continue;
    hits.push(hit);
    at = hit.last;
  }
  return hits;
}

/** The lists that contain the tokens from `first` to `last`, both inclusive. */
function listsOf(tokens: readonly Token[], first: number, last: number): ReadonlySet<Gazetteer> {
  return phrases().get(phraseOf(tokens, first, last)) ?? NONE;
}

const NONE: ReadonlySet<Gazetteer> = new Set();
const LONGEST = 8;

function longestAt(tokens: readonly Token[], at: number): ListHit | undefined {
  for (let last = Math.min(at + LONGEST, tokens.length) - 1; last >= at; last--) {
    const lists = listsOf(tokens, at, last);
    if (lists.size > 0) return { first: at, last, lists };
  }
  return undefined;
}

function phraseOf(tokens: readonly Token[], first: number, last: number): string {
  return tokens
    .slice(first, last + 1)
    .map(({ lower, kind }) => (kind === "hashtag" ? lower.slice(1) : lower))
    .join(" ");
}

let loaded: Map<string, Set<Gazetteer>> | undefined;

function phrases(): ReadonlyMap<string, ReadonlySet<Gazetteer>> {
  loaded ??= load();
  return loaded;
}

function load(): Map<string, Set<Gazetteer>> {
  const found = new Map<string, Set<Gazetteer>>();
  for (const list of LISTS) {
    for (const entry of entriesOf(list)) {
      const phrase = /^[a-z]+(?: [a-z]+)*$/.test(entry)
        ? entry
        : tagText(entry)
            .map(({ lower }) => lower)
            .join(" ");
      const lists = found.get(phrase) ?? new Set();
      found.set(phrase, lists.add(list));
    }
  }
  return found;
}
