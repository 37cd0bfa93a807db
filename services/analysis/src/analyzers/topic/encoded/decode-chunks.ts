import { argmax } from "../../../text/classification.js";
import type { Token } from "../../../text/tokens.js";
import type { TokenScores } from "./encoder-tags.js";
import type { NounChunk } from "../noun-chunks.js";

/**
 * The noun chunks that the encoder names. Every noun says how far the smallest chunk around it reaches; a noun with another
 * noun to its right in that chunk names the chunk of the other, so that only the last noun of each reach makes a chunk.
 */
export function decodeChunks(tokens: readonly Token[], { left, right }: TokenScores): NounChunk[] {
  const found = new Set<number>();
  return tokens.flatMap((token, at): NounChunk[] => {
    if (!isNoun(token)) return [];
    const after = reach(tokens, at, argmax(right[at] ?? []));
    for (let next = at + 1; next <= at + after; next++) if (isNoun(tokens[next])) return [];
    const first = at - reach(tokens, at, -argmax(left[at] ?? []));
    const key = first * (tokens.length + 1) + at + after;
    if (found.has(key)) return [];
    found.add(key);
    return [{ first, last: at + after, head: token.pos, at }];
  });
}

/** As many of the `steps` (to the left when negative) as stay inside the text and the line. */
function reach(tokens: readonly Token[], at: number, steps: number): number {
  const direction = Math.sign(steps);
  let taken = 0;
  while (taken < Math.abs(steps)) {
    const next = at + direction * (taken + 1);
    const crossed = tokens[direction < 0 ? next + 1 : next];
    if (tokens[next] === undefined || crossed?.newLine === true) break;
    taken++;
  }
  return taken;
}

function isNoun(token: Token | undefined): boolean {
  return token?.pos === "NOUN" || token?.pos === "PROPN";
}
