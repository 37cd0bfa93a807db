/** The used part of a `tokenizer.json` with a Unigram model: pieces and their log-probabilities, by id. */
export interface UnigramJson {
  readonly model: { readonly unk_id: number; readonly vocab: readonly (readonly [piece: string, score: number])[] };
}

/** An unknown character costs this much more than the least likely piece, as in SentencePiece. */
const UNKNOWN_PENALTY = 10;

/**
 * Returns a function that splits a word into the likeliest sequence of pieces (Viterbi), and a look-up of single pieces.
 * A vocabulary of 130,000 pieces takes 15 MB; @huggingface/tokenizers, which reads the same file, takes 90 MB for its tree
 * of maps and half a second to build it, per thread.
 */
export const createUnigram = ({ model: { vocab, unk_id: unknown } }: UnigramJson) => {
  const idOf = new Map(vocab.map(([piece], id) => [piece, id]));
  const scores = Float32Array.from(vocab, ([, score]) => score);
  const longest = vocab.reduce((most, [piece]) => Math.max(most, piece.length), 1);
  const unknownScore = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY;
  const split = (word: string): number[] => {
    // The best way to the end of each prefix: its score, its last piece, and where that begins.
    const best = new Float64Array(word.length + 1).fill(-Infinity);
    const last = new Int32Array(word.length + 1);
    const from = new Int32Array(word.length + 1);
    const offer = (start: number, end: number, id: number, score: number): void => {
      const total = (best[start] ?? 0) + score;
      if (total <= (best[end] ?? 0)) return;
      best[end] = total;
      last[end] = id;
      from[end] = start;
    };
    best[0] = 0;
    for (let start = 0; start < word.length; start++) {
      if (best[start] === -Infinity) continue;
      for (let end = start + 1; end <= Math.min(word.length, start + longest); end++) {
        const id = idOf.get(word.slice(start, end));
        if (id !== undefined) offer(start, end, id, scores[id] ?? 0);
      }
      offer(start, start + characterAt(word, start), unknown, unknownScore);
    }
    const ids: number[] = [];
    for (let end = word.length; end > 0; end = from[end] ?? 0) ids.push(last[end] ?? unknown);
    return ids.reverse();
  };
  return { split, idOf: (piece: string): number | undefined => idOf.get(piece) };
};

const characterAt = (word: string, at: number): number => ((word.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
