import { argmax } from "../../text/argmax.js";
import type { Token } from "../../text/tokens.js";
import type { TokenScores } from "./encoder-tags.js";

/** A run of tokens that is a topic; both ends are inclusive. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/**
 * The tokens, those at the ends of chunks and names without the particles and endings that the language writes together
 * with them: `서울에` → `서울`, `بالجبهات` → `الجبهات`, `Türkiye'nin` → `Türkiye`.
 */
export function withoutParticles(
  tokens: readonly Token[],
  found: { readonly chunks: readonly Span[]; readonly names: readonly Span[] },
  { before, after }: Pick<TokenScores, "before" | "after">,
): readonly Token[] {
  if (after.every(({ length }) => length === 0)) return tokens;
  const cut = [...tokens];
  const shorten = (at: number, from: number, to: number): void => {
    const token = cut[at];
    if (!token || from + to === 0 || token.kind !== "word" || token.text.length <= from + to) return;
    const kept = (text: string): string => text.slice(from, text.length - to);
    cut[at] = {
      ...token,
      text: kept(token.text),
      lower: kept(token.lower),
      start: token.start + from,
      end: token.end - to,
    };
  };
  const ends = new Map<number, number>();
  for (const { last } of found.chunks) ends.set(last, argmax(after[last] ?? []));
  // Inside a chunk, words keep their endings, but a name there is a topic too.
  for (const { last } of found.names) {
    ends.set(last, Math.max(argmax(after[last] ?? []), endingOf(tokens[last]?.text ?? "")));
  }
  for (const first of new Set([...found.chunks, ...found.names].map((span) => span.first))) {
    shorten(first, argmax(before[first] ?? []), 0);
  }
  for (const [last, count] of ends) shorten(last, 0, count);
  return cut;
}

/** Endings after the apostrophe of a Turkish name, and Korean particles that end no name. */
const ENDING =
  /(?<=^\p{Script=Latin}{3,})['’]\p{Ll}{1,5}$|(?<=^\p{Script=Hangul}{2,})(?:에서|에게|에는|으로|까지|부터|을|를|는|에)$/u;

const endingOf = (name: string): number => ENDING.exec(name)?.[0].length ?? 0;
