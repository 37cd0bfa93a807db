import type { Token } from "../../../text/tokens.js";
import type { Entity, EntityType } from "../../../text/entity.js";

/** Finds events and laws by the words they end or begin with: `Munich Film Festival`, `Clean Energy Act of 2021`. */
export function findPatterns(tokens: readonly Token[]): Entity[] {
  const found: Entity[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const entity = endingAt(tokens, at) ?? beginningAt(tokens, at);
    if (!entity) continue;
    found.push(entity);
    at = entity.last;
  }
  return found;
}

const HEADS = new Map<string, EntityType>([
  ...eventHeads("festival championship championships awards olympics marathon tournament expo playoffs grammys derby"),
  ...lawHeads("act amendment treaty accord accords protocol directive"),
]);
const OPENERS = new Map<string, EntityType>([
  ["battle of", "EVENT"],
  ["siege of", "EVENT"],
  ["treaty of", "LAW"],
]);
const LONGEST = 6;

function endingAt(tokens: readonly Token[], at: number): Entity | undefined {
  const type = HEADS.get(tokens[at]?.lower ?? "");
  if (!type || !isName(tokens[at])) return undefined;
  let first = at;
  while (at - first < LONGEST && isName(tokens[first - 1]) && isJoined(tokens, first)) first--;
  if (first === at) return undefined;
  return { first, last: withYear(tokens, at), type };
}

function beginningAt(tokens: readonly Token[], at: number): Entity | undefined {
  const opener = tokens[at];
  if (!opener || !isName(opener)) return undefined;
  if (opener.lower === "hurricane" && isName(tokens[at + 1])) return { first: at, last: at + 1, type: "EVENT" };
  const type = OPENERS.get(`${opener.lower} ${tokens[at + 1]?.lower ?? ""}`);
  if (!type || !isName(tokens[at + 2])) return undefined;
  return { first: at, last: at + 2, type };
}

/** `of 1964` belongs to an act. */
function withYear(tokens: readonly Token[], at: number): number {
  return tokens[at + 1]?.lower === "of" && /^[12]\d{3}$/.test(tokens[at + 2]?.text ?? "") ? at + 2 : at;
}

function isName(token: Token | undefined): boolean {
  if (token?.kind !== "word" || !/^\p{Lu}/u.test(token.text)) return false;
  return !(token.initial && token.pos !== "PROPN" && token.pos !== "NOUN" && token.pos !== "ADJ");
}

function isJoined(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.newLine === false;
}

function eventHeads(words: string): [string, EntityType][] {
  return words.split(" ").map((word) => [word, "EVENT"]);
}

function lawHeads(words: string): [string, EntityType][] {
  return words.split(" ").map((word) => [word, "LAW"]);
}
