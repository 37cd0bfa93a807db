import type { Gazetteer, Token } from "@hourglass/analysis/topic";
import type { Mention } from "../../topic/rows.js";
import { findListed, type ListHit, listsOf } from "./gazetteer.js";
import type { Silver } from "./silver.js";
import { ANY_TAG, beginTag, ENTITY_TYPES, isRowType, markSpan, OUTSIDE, type RowType } from "./tags.js";

/** A named span and its possible types; `first` and `last` are token indexes, both inclusive. */
export interface TypedSpan {
  readonly first: number;
  readonly last: number;
  readonly types: readonly RowType[];
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

/** A text, its tokens, the silver labeller's entities and the hits of word lists. */
export interface Evidence {
  readonly tokens: readonly Token[];
  readonly silver: Silver;
}

/**
 * The entities of a sentence with gold mentions. A mention includes every token that it overlaps; if it accepts several
 * types, word lists and the silver labeller choose. For types that the corpus does not mark, spans on which both agree
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
  const unmarked = (type: RowType): boolean => type === "NORP" || !annotated.includes(type);
  const listed = listedSpans(tokens).filter((span) => isFree(span) && span.types.some(unmarked));
  // Only part of the data marks groups, and the silver labeller classifies peoples differently there.
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
    if (!isRowType(type) || annotated.includes(type) || !isFree(span) || !isNamed(tokens, span)) continue;
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
  const unmarked = ENTITY_TYPES.filter((type) => !annotated.includes(type)).map(beginTag);
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
  return first < 0 || last < first ? [] : [{ first, last, types: mention.types.filter(isRowType) }];
}

const FACILITY_HEAD =
  /^(?:airport|station|stadium|arena|bridge|towers?|museum|hotel|hospital|street|avenue|road|ave|rd|st|blvd|mall|cent(?:er|re)|theat(?:er|re)|hall|library|church|cathedral|temple|mosque|castle|palace|square|highway|tunnel|plaza|pub|bar|restaurant|cafe|club|zoo|gallery|prison|building|house|park|gardens?|school|university|college)$/;
const LOCATION_HEAD =
  /^(?:river|lakes?|mount|mountains?|ocean|sea|bay|islands?|isles?|desert|valley|coast|beach|peninsula|canyon|hills?|forest|gulf|falls|glacier|east|west|north|south|africa|europe|asia|antarctica)$/;

/** Chooses among several accepted types; keeps them all without evidence. */
function narrow(span: TypedSpan, tokens: readonly Token[], silver: Silver): readonly RowType[] {
  const { first, last, types } = span;
  if (types.length < 2) return types;
  const lists = listsOf(tokens, first, last);
  const said = silver.ents.find(([from, to]) => from === first && to === last)?.[2] ?? "";
  if (types.includes("NORP")) return [lists.has("nationalities") || said === "NORP" ? "NORP" : "ORG"];
  // One corpus marks `Russian` as a place.
  const place = placeOf(lists) ?? (lists.has("nationalities") ? "NORP" : placeByWords(tokens, span));
  if (place) return [place];
  return isRowType(said) && types.includes(said) ? [said] : types;
}

/** The type of a place by its words: its abbreviation, or its head. */
function placeByWords(tokens: readonly Token[], span: TypedSpan): RowType | undefined {
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

function placeOf(lists: ReadonlySet<Gazetteer>): RowType | undefined {
  if (lists.has("countries") || lists.has("regions") || lists.has("cities")) return "GPE";
  if (lists.has("locations")) return "LOC";
  return lists.has("facilities") ? "FAC" : undefined;
}

const TYPES_OF_LISTS: readonly (readonly [RowType, readonly Gazetteer[]])[] = [
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

function typesOf(tokens: readonly Token[], hit: ListHit): RowType[] {
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

/** Whether a span is capitalised like a name. */
export function isNamed(tokens: readonly Token[], { first, last }: { first: number; last: number }): boolean {
  return (
    range(first, last).some((at) => /[\p{Lu}\d]/u.test(tokens[at]?.text ?? "")) && tokens[first]?.kind !== "number"
  );
}

const SMALL = new Set(["of", "the", "and", "in", "on", "a", "an", "to", "for", "with", "at", "by", "'s", "&"]);

/** Whether word lists alone can be trusted: one type, never a person, no dictionary word at the start of a sentence. */
export function isSure(tokens: readonly Token[], { first, last, types }: TypedSpan): boolean {
  const token = tokens[first];
  if (types.length !== 1 || types[0] === "PERSON" || !token) return false;
  if (types[0] === "NORP") return !/^(?:black|blacks|white|whites|left|right|republic|indie)$/.test(token.lower);
  const plain = first === last && token.known;
  const short = first === last && token.text.length < 3;
  // A title of common words counts only if each word is capitalised like a name.
  const spelt = range(first, last).every((at) => {
    const word = tokens[at];
    return word === undefined || !word.known || SMALL.has(word.lower) || /^[\p{Lu}\d]/u.test(word.text);
  });
  return !plain && !short && spelt;
}

/** Whether any of the spans shares a token with another. */
export function overlaps(spans: readonly TypedSpan[], { first, last }: { first: number; last: number }): boolean {
  return spans.some((span) => span.first <= last && first <= span.last);
}

/** The integers from `first` to `last`. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
