import { argmax } from "../../../text/classification.js";
import type { Token } from "../../../text/tokens.js";
import type { TokenScores } from "./encoder-tags.js";
import type { NounChunk } from "../noun-chunks.js";

/**
 * The noun chunks that the encoder predicts. Every noun has the reach of the smallest chunk around it; a noun with
 * another noun to its right in that chunk predicts the other noun's chunk, so only the last noun of each reach makes a
 * chunk.
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

/** Limits `steps` (negative to the left) to the text and the line. */
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
