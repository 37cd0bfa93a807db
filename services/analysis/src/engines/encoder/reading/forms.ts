import { createRequire } from "node:module";
import type { RawToken } from "../../../text/tokenizer.js";

/** Shapes of tokens, because the English vocabulary is lower-case. Passed to the encoder as token type. */
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

/** Maximum number of UTF-16 units of a word that are read. */
const CHARACTERS_MAX = 400;

const REPEATED = /(\p{L})\1{2,}/gu;
const HTML: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'" };

/** The string looked up in the vocabulary for a token. Training used the same: a change requires a new model. */
export const formOf = ({ kind, text }: RawToken): string => {
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

export const shapeOf = ({ kind, text }: RawToken): number => {
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

const require = createRequire(import.meta.url);
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
