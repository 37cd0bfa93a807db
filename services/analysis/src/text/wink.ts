import { createRequire } from "node:module";

/** Universal part-of-speech tags, as wink-nlp gives them. */
export type PartOfSpeech =
  | "ADJ"
  | "ADP"
  | "ADV"
  | "AUX"
  | "CCONJ"
  | "DET"
  | "INTJ"
  | "NOUN"
  | "NUM"
  | "PART"
  | "PRON"
  | "PROPN"
  | "PUNCT"
  | "SCONJ"
  | "SYM"
  | "VERB"
  | "X"
  | "SPACE";

/**
 * wink-nlp with its English model, loaded on first use: it costs 50 ms and 40 MB that an idle process does not need.
 */
export interface Wink {
  /** Tags words, one token each; the result has the same length. */
  tag(words: readonly string[]): PartOfSpeech[];
  /** Whether the English dictionary (of common words, without names) contains the word as written. */
  knows(word: string): boolean;
}

/** The used part of wink-nlp; its own types bind helpers to `this`, which they do not need. */
interface Nlp {
  readonly its: { readonly pos: unknown; readonly value: unknown };
  readDoc(text: string): { tokens(): { out(helper: unknown): string[] } };
}

/** The used part of the English model. */
interface Model {
  core(): unknown;
}

/** Returns the single instance of the process. */
export function wink(): Wink {
  instance ??= load();
  return instance;
}

/** wink keeps every word it has ever seen; a new instance after this many words bounds its memory. */
const WORDS_PER_INSTANCE = 1_000_000;

let instance: Wink | undefined;

function load(): Wink {
  const require = createRequire(import.meta.url);
  const create = require("wink-nlp") as (model: Model, pipe: string[]) => Nlp;
  const model = require("wink-eng-lite-web-model") as Model;
  const dictionary = readDictionary(model);
  let nlp = create(model, ["pos"]);
  let words = 0;
  return {
    knows: (word) => dictionary.has(word),
    tag: (tokens) => {
      words += tokens.length;
      if (words > WORDS_PER_INSTANCE) {
        nlp = create(model, ["pos"]);
        words = 0;
      }
      return tagWith(nlp, tokens);
    },
  };
}

/** wink splits some words of its dictionary in two (`cant`, `gonna`): the first part's tag is used for the word. */
function tagWith(nlp: Nlp, words: readonly string[]): PartOfSpeech[] {
  const { its } = nlp;
  const tokens = nlp.readDoc(words.join(" ")).tokens();
  // wink declares the outputs of helpers as plain strings.
  const tags = tokens.out(its.pos) as PartOfSpeech[];
  if (tags.length === words.length) return tags;
  const pieces = tokens.out(its.value);
  let at = 0;
  return words.map((word) => {
    const tag = tags[at] ?? "X";
    let length = 0;
    while (length < word.length && at < pieces.length) length += pieces[at++]?.length ?? 0;
    return tag;
  });
}

/** The word list is in the model's core, which the package's types leave open. */
function readDictionary(model: Model): ReadonlySet<string> {
  const words = listOf(propertyOf(propertyOf(propertyOf(model.core(), "features"), "lexeme"), "list"));
  if (words.length === 0) throw new Error("The wink-nlp English model holds no word list; check its version");
  return new Set(words);
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
