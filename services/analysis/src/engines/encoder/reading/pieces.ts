import { createRequire } from "node:module";
import { cutUnspaced } from "../../../text/unspaced.js";
import { type RawToken, tokenize } from "../../../text/tokenizer.js";
import { formOf, shapeOf } from "./forms.js";
import { createUnigram, type UnigramJson } from "./unigram.js";

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
export type TokenizerJson = object;

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
  spell: formOf,
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
