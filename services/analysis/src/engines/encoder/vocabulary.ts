import { createRequire } from "node:module";
import { cutUnspaced, type RawToken, tokenize } from "../../text/tokenizer.js";

/** The encoder's input for a text: the tokens of the text, each split into pieces of the encoder's vocabulary. */
export interface Pieces {
  readonly tokens: readonly RawToken[];
  /** Vocabulary ids of each token; at least one, at most `PIECES_PER_TOKEN_MAX`. */
  readonly ids: readonly (readonly number[])[];
  /** The shape of each token, one of `SHAPE`. */
  readonly shapes: readonly number[];
}

/** More pieces add nothing: such tokens are base64 or keyboard noise. */
export const PIECES_PER_TOKEN_MAX = 64;
/** Splits of earlier words are cached; the cache is emptied at this size. */
const CACHE_MAX = 50_000;

/** Contents of `tokenizer.json` in the Hugging Face format. */
type TokenizerJson = object;

/** The pieces at both ends of every input. */
export interface Frame {
  readonly start: number;
  readonly end: number;
}

/** The vocabulary of an encoder. */
export interface Vocabulary {
  readonly frame: Frame;
  /** Splits a text into pieces; linear in the text. */
  readonly cut: (text: string) => Pieces;
}

/** How an encoder spells words, and splits them. */
interface Spelling {
  /** The pieces at both ends, and the one for what is unknown. */
  readonly special: readonly [start: string, end: string, unknown: string];
  readonly tokens: (text: string) => RawToken[];
  readonly spell: (token: RawToken) => string;
  readonly open: (tokenizerJson: TokenizerJson) => Splitter;
}

interface Splitter {
  readonly idOf: (piece: string) => number | undefined;
  readonly split: (word: string) => number[];
}

/** The used part of @huggingface/tokenizers; its own types cannot be resolved in ECMAScript modules. */
interface Tokenizers {
  Tokenizer: new (tokenizerJson: TokenizerJson, config: object) => Tokenizer;
}
interface Tokenizer {
  token_to_id(piece: string): number | undefined;
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
}

const require = createRequire(import.meta.url);

/** English: pieces in lower case; those within a word are marked. */
const WORD_PIECE: Spelling = {
  special: ["[CLS]", "[SEP]", "[UNK]"],
  tokens: tokenize,
  spell: (token) => formOf(token),
  open: (tokenizerJson) => {
    const { Tokenizer } = require("@huggingface/tokenizers") as Tokenizers;
    const tokenizer = new Tokenizer(tokenizerJson, {});
    return {
      idOf: (piece) => tokenizer.token_to_id(piece),
      split: (word) => tokenizer.encode(word, { add_special_tokens: false }).ids,
    };
  },
};

/** Stands for a space before a piece. */
const SPACE = "▁";
/** Joiners and marks of direction, which SentencePiece reads as a space. */
const INVISIBLE = /^(?:[\u200b-\u200f\ufeff]|\ufe0f)+$/;

/** Many languages: pieces at the beginning of a word are marked, and scripts without spaces are cut into words. */
const UNIGRAM: Spelling = {
  special: ["<s>", "</s>", "<unk>"],
  tokens: (text) => cutUnspaced(tokenize(text)),
  spell: (token) => {
    if (INVISIBLE.test(token.text)) return SPACE;
    const form = `${token.spaced || token.start === 0 ? SPACE : ""}${formOf(token)}`;
    return form.normalize("NFKC").replaceAll(" ", SPACE);
  },
  open: (tokenizerJson) => createUnigram(tokenizerJson as UnigramJson),
};

/** Reads a vocabulary; it has a cache, so create one per thread. Throws if the file lacks the pieces of the frame. */
export const createVocabulary = (tokenizerJson: TokenizerJson): Vocabulary => {
  const spelling = isUnigram(tokenizerJson) ? UNIGRAM : WORD_PIECE;
  const { idOf, split } = spelling.open(tokenizerJson);
  const [start, end, unknown] = spelling.special.map(idOf);
  if (start === undefined || end === undefined || unknown === undefined) {
    throw new Error(`the encoder's vocabulary lacks one of ${spelling.special.join(" ")}`);
  }
  const cache = new Map<string, readonly number[]>();
  const idsOf = (word: string): readonly number[] => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const ids = split(word);
    const pieces = ids.length === 0 ? [unknown] : ids.slice(0, PIECES_PER_TOKEN_MAX);
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(word, pieces);
    return pieces;
  };
  return {
    frame: { start, end },
    cut: (text) => {
      const tokens = spelling.tokens(text);
      return { tokens, ids: tokens.map((token) => idsOf(spelling.spell(token))), shapes: tokens.map(shapeOf) };
    },
  };
};

const isUnigram = (tokenizerJson: TokenizerJson): boolean =>
  (tokenizerJson as { model?: { type?: string } }).model?.type === "Unigram";

/** The used part of a `tokenizer.json` with a Unigram model: pieces and their log-probabilities, by id. */
interface UnigramJson {
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

/** Shapes of tokens, because the English vocabulary is lower-case. Passed to the encoder as token type. */
export const SHAPE = {
  other: 0,
  small: 1,
  capitalized: 2,
  capitals: 3,
  mixed: 4,
  number: 5,
  address: 6,
  emoji: 7,
} as const;

/** Maximum number of UTF-16 units of a word that are read. */
const CHARACTERS_MAX = 400;

const REPEATED = /(\p{L})\1{2,}/gu;
const HTML: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'" };

/** The string looked up in the vocabulary for a token. Training used the same: a change requires a new model. */
const formOf = ({ kind, text }: RawToken): string => {
  switch (kind) {
    case "url":
      return "http";
    case "email":
      return "email";
    case "mention":
      return "@user";
    case "hashtag":
      return `# ${splitHashtag(text.slice(1, CHARACTERS_MAX))}`;
    case "emoji":
      return emojiName(text);
    case "symbol":
      return HTML[text] ?? text;
    default:
      return text.slice(0, CHARACTERS_MAX).replaceAll("’", "'").replace(REPEATED, "$1$1");
  }
};

/** `WorldCup2014` → `World Cup 2014`; runs of lower-case letters are left to the vocabulary. */
const splitHashtag = (body: string): string =>
  body
    .replaceAll("_", " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N}{2,})/gu, "$1 $2");

const shapeOf = ({ kind, text }: RawToken): number => {
  if (kind === "emoji" || kind === "emoticon") return SHAPE.emoji;
  if (kind === "url" || kind === "email" || kind === "mention" || kind === "hashtag") return SHAPE.address;
  if (kind === "number") return SHAPE.number;
  if (kind !== "word") return SHAPE.other;
  const [first = ""] = text;
  const upper = first !== first.toLowerCase();
  const rest = text.slice(first.length);
  if (rest === rest.toLowerCase()) return upper ? SHAPE.capitalized : SHAPE.small;
  return upper && rest === rest.toUpperCase() ? SHAPE.capitals : SHAPE.mixed;
};

let names: ReadonlyMap<string, string> | undefined;

/** The Unicode name of an emoji, without skin tone, gender and presentation. */
const emojiName = (emoji: string): string => {
  names ??= readNames();
  const known = names.get(emoji) ?? names.get(plainEmoji(emoji));
  return known ?? names.get([...plainEmoji(emoji)][0] ?? "") ?? "emoji";
};

const plainEmoji = (emoji: string): string => emoji.replace(/\uFE0F|\p{Emoji_Modifier}/gu, "");

const readNames = (): ReadonlyMap<string, string> => {
  const data = require("unicode-emoji-json") as Readonly<Record<string, { name: string }>>;
  return new Map(Object.entries(data).map(([emoji, { name }]) => [plainEmoji(emoji), name]));
};
