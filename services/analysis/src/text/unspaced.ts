import type { RawToken } from "./tokenizer.js";

/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;

let segmenter: Intl.Segmenter | undefined;

/** Cuts the words of scripts that are written without spaces (Chinese, Japanese, Thai …) where ICU's dictionaries do. */
export const cutUnspaced = (tokens: RawToken[]): RawToken[] =>
  tokens.some(isUnspaced) ? tokens.flatMap((token) => (isUnspaced(token) ? cut(token) : [token])) : tokens;

const isUnspaced = ({ kind, text }: RawToken): boolean => kind === "word" && UNSPACED.test(text);

const cut = (token: RawToken): RawToken[] => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return Array.from(segmenter.segment(token.text), ({ segment, index }) => {
    const start = token.start + index;
    const place = { text: segment, start, end: start + segment.length, kind: token.kind };
    return index === 0 ? { ...token, ...place } : { ...place, spaced: false, newLine: false };
  });
};
