import type { Token } from "../../../text/tokens.js";
import type { NounChunk } from "../noun-chunks.js";
import { BEARERS, FILLERS, OPENERS, TIME, VAGUE, WEAK } from "../lists/stop-topics.js";

/** Whether a chunk does not say what it is about: `last night`, `good thing`, `two people`, `no cap`, `of course`. */
export function isVague(tokens: readonly Token[], chunk: NounChunk): boolean {
  if (isFiller(tokens, chunk) || isIdiom(tokens, chunk)) return true;
  const { first, last, at } = chunk;
  const head = tokens[at ?? last]?.lower ?? "";
  if (first === last && BEARERS.has(head) && POINTERS.has(tokens[first - 1]?.lower ?? "")) return false;
  return tokens.slice(first, last + 1).every((token) => token.kind !== "word" || !isTopic(token, head));
}

/** Whether a word makes its chunk a topic. Beside a vague head, only some are enough. */
function isTopic({ lower, pos }: Token, head: string): boolean {
  if (VAGUE.has(lower) || TIME.has(lower) || WEAK.has(lower) || OPENERS.has(lower)) return false;
  if (!VAGUE.has(head) && !TIME.has(head)) return true;
  // A noun is, `coffee time`; an adjective only for people and places, `young people`.
  return pos === "NOUN" || pos === "PROPN" || (pos === "ADJ" && BEARERS.has(head));
}

/** `this place`, `the guy`: as definite as `the restaurant`. */
const POINTERS = new Set("the this that these those some many".split(" "));

const DETERMINERS = new Set("the a an my your his her its our their this that these those".split(" "));

/** `cap` in `no cap` and `that's cap`: alone, without the article or possessor of a noun. */
function isFiller(tokens: readonly Token[], { first, last }: NounChunk): boolean {
  if (first < last || !FILLERS.has(tokens[first]?.lower ?? "")) return false;
  const before = tokens[first - 1];
  return before?.pos !== "PART" && !DETERMINERS.has(before?.lower ?? "");
}

/** Nouns that say nothing behind a preposition: `of course`, `in that case`. */
const IDIOMS: ReadonlyMap<string, string> = new Map([
  ["course", "of"],
  ["order", "in"],
  ["case", "in"],
  ["general", "in"],
  ["instance", "for"],
]);

function isIdiom(tokens: readonly Token[], { first, last }: NounChunk): boolean {
  const preposition = IDIOMS.get(tokens[last]?.lower ?? "");
  if (preposition === undefined || first < last) return false;
  const before = OPENERS.has(tokens[first - 1]?.lower ?? "") ? first - 2 : first - 1;
  return tokens[before]?.lower === preposition;
}
