import type { Token } from "../../../text/tokens.js";
import { wink } from "../../../text/wink.js";
import type { Annotation } from "../annotation.js";
import type { Entity } from "../../../text/entity.js";
import type { NounChunk } from "../noun-chunks.js";
import type { Occurrence } from "./occurrence.js";
import { spelling } from "./spelling.js";
import { OPENERS, TIME, VAGUE, WEAK } from "../lists/stop-topics.js";

/**
 * The noun chunks of a text as topics: reduced to their core, without entities, vague chunks and chunks inside others.
 */
export function chunkOccurrences({ text, tokens, entities, chunks }: Annotation): Occurrence[] {
  const inside = entityAt(tokens.length, entities);
  const cut = chunks.flatMap((chunk) => cutChunk(tokens, chunk));
  return outermost(cut).flatMap((chunk) => {
    if (cutsEntity(chunk, inside)) return [];
    const value = readable(text, tokens, chunk);
    if (value === undefined || isVague(tokens, chunk)) return [];
    return [{ value, type: "noun-chunk", tag: chunk.head, first: chunk.first, last: chunk.last, hashtag: false }];
  });
}

const WORDS_MAX = 6;
const LENGTH_MAX = 80;

/** `my other friend's new car` → `new car`; empty for a chunk of determiners and pronouns only. */
function cutChunk(tokens: readonly Token[], { first, last, head, at }: NounChunk): NounChunk[] {
  const headAt = at ?? last;
  let begin = first;
  for (let index = first; index < headAt; index++) if (isPossessive(tokens, index)) begin = index + 1;
  while (begin <= headAt && isOpener(tokens[begin])) begin++;
  let end = last;
  while (end > headAt && !isReadable(tokens[end])) end--;
  if (begin > headAt || end - begin >= WORDS_MAX) return [];
  for (let index = begin; index <= end; index++) if (!isReadable(tokens[index])) return [];
  return [{ first: begin, last: end, head, at: headAt }];
}

/** The chunks that are not inside another: nested ones are one topic. */
function outermost(chunks: readonly NounChunk[]): NounChunk[] {
  const sorted = [...chunks].sort((a, b) => a.first - b.first || b.last - a.last);
  let reached = -1;
  return sorted.filter(({ last }) => {
    if (last <= reached) return false;
    reached = last;
    return true;
  });
}

function entityAt(length: number, entities: readonly Entity[]): readonly (Entity | undefined)[] {
  const inside = new Array<Entity | undefined>(length).fill(undefined);
  for (const entity of entities) for (let at = entity.first; at <= entity.last; at++) inside[at] = entity;
  return inside;
}

/** A chunk with the same head as an entity only adds adjectives to it, and one that cuts an entity in two misleads. */
function cutsEntity({ first, last, at }: NounChunk, inside: readonly (Entity | undefined)[]): boolean {
  if (inside[at ?? last] !== undefined) return true;
  return (inside[first]?.first ?? first) < first || (inside[last]?.last ?? last) > last;
}

function isPossessive(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower;
  return lower === "'s" || (lower === "'" && tokens[at]?.spaced === false);
}

function isOpener(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.pos === "DET" || token.pos === "PRON" || token.pos === "PUNCT" || token.kind === "symbol") return true;
  return OPENERS.has(token.lower);
}

/**
 * Words in Latin letters: in other scripts the dictionary knows no nouns, and whole sentences are taken for one word.
 */
function isReadable(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === "number" || /^[-–/,&]$/.test(token.text)) return true;
  return token.kind === "word" && /\p{Script=Latin}/u.test(token.text) && token.text.length <= 40;
}

/** Whether a chunk does not say what it is about: `last night`, `good thing`, `two people`. */
function isVague(tokens: readonly Token[], { first, last, at }: NounChunk): boolean {
  const head = tokens[at ?? last]?.lower ?? "";
  const weakHead = VAGUE.has(head) || TIME.has(head);
  for (let index = first; index <= last; index++) {
    const token = tokens[index];
    if (token?.kind !== "word") continue;
    const weak = VAGUE.has(token.lower) || TIME.has(token.lower) || WEAK.has(token.lower) || OPENERS.has(token.lower);
    // An adjective does not make a vague noun a topic; another noun does: `coffee time`.
    if (!weak && !(weakHead && token.pos !== "NOUN" && token.pos !== "PROPN")) return false;
  }
  return true;
}

/** The chunk as written, with elongated words shortened; undefined if it is noise. */
function readable(text: string, tokens: readonly Token[], { first, last }: NounChunk): string | undefined {
  const written = spelling(text, tokens, first, last);
  const value = /(\p{L})\1{2}/iu.test(written) ? shortened(written) : written;
  return value === undefined || isNoise(value) ? undefined : value;
}

/** `pizzaaaa` → `pizza` if that is in the dictionary; otherwise undefined. */
function shortened(value: string): string | undefined {
  const words = value.split(" ").map((word) => {
    if (!/(\p{L})\1{2}/iu.test(word)) return word;
    const doubled = word.replace(/(\p{L})\1{2,}/giu, "$1$1");
    const single = word.replace(/(\p{L})\1{2,}/giu, "$1");
    return [single, doubled].find((form) => form.length > 2 && wink().knows(form.toLowerCase()));
  });
  return words.every((word) => word !== undefined) ? words.join(" ") : undefined;
}

/** Single letters, fragments of words, and interjections: `re`, `haha`, `aww`. */
function isNoise(value: string): boolean {
  if (value.length < 2 || value.length > LENGTH_MAX || !/\p{L}/u.test(value) || /^\p{Ll}{2}$/u.test(value)) return true;
  return /^(?:(?:ha|he|hi|ja|lo|ah){2,}h?|a+w+|e+w+w*|o+h+|u+g+h+|h+m+|m+h*m+|a+r*g+h+|x+o+(?:x+o*)*)$/i.test(value);
}
