import { createRequire } from "node:module";
import { type RawToken, tokenize } from "../../../text/tokenizer.js";

/** The encoder's input for a text: the tokens of `tokenize`, each split into pieces of the encoder's vocabulary. */
export interface Pieces {
  readonly tokens: readonly RawToken[];
  /** Vocabulary ids of each token; at least one, at most `PIECES_PER_TOKEN_MAX`. */
  readonly ids: readonly (readonly number[])[];
  /** The shape of each token, one of `SHAPE`. */
  readonly shapes: readonly number[];
}

/** Shapes of tokens, because the vocabulary is lower-case. Passed to the encoder as token type. */
export const SHAPE = {
  other: 0,
  small: 1,
  capitalised: 2,
  capitals: 3,
  mixed: 4,
  number: 5,
  address: 6,
  emoji: 7,
} as const;

/** More pieces add nothing: such tokens are base64, keyboard noise, or a sentence in a script without spaces. */
export const PIECES_PER_TOKEN_MAX = 64;
/** Splits of earlier words are cached; the cache is emptied at this size. */
const CACHE_MAX = 50_000;
/** Maximum number of UTF-16 units of a word that are read. */
const CHARACTERS_MAX = 400;

/** Contents of `tokenizer.json` in the Hugging Face format. */
export type TokenizerJson = object;

/** The used part of @huggingface/tokenizers; its own types cannot be resolved in ECMAScript modules. */
interface Tokenizers {
  Tokenizer: new (tokenizerJson: TokenizerJson, config: object) => WordPiece;
}
interface WordPiece {
  token_to_id(piece: string): number | undefined;
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
}

const require = createRequire(import.meta.url);

/** Returns a function that splits texts into pieces; it has a cache, so create one per thread. Linear in the text. */
export const createPieces = (tokenizerJson: TokenizerJson): ((text: string) => Pieces) => {
  const { Tokenizer } = require("@huggingface/tokenizers") as Tokenizers;
  const tokenizer = new Tokenizer(tokenizerJson, {});
  const unknown = tokenizer.token_to_id("[UNK]") ?? 0;
  const cache = new Map<string, readonly number[]>();
  const cut = (form: string): readonly number[] => {
    const known = cache.get(form);
    if (known !== undefined) return known;
    const { ids } = tokenizer.encode(form, { add_special_tokens: false });
    const pieces = ids.length === 0 ? [unknown] : ids.slice(0, PIECES_PER_TOKEN_MAX);
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(form, pieces);
    return pieces;
  };
  return (text) => {
    const tokens = tokenize(text);
    return { tokens, ids: tokens.map((token) => cut(formOf(token))), shapes: tokens.map(shapeOf) };
  };
};

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
  if (rest === rest.toLowerCase()) return upper ? SHAPE.capitalised : SHAPE.small;
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
