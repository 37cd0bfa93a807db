import { fold, foldName } from "@hourglass/runtime/text";
import type { Query } from "../query/ast.js";
import { type QueryDialect, translate } from "../query/translate.js";
import { tokenize } from "../query/tokenizer.js";
import type { PostingDraft } from "./posting-draft.js";

/** Hashtags of one search: 30 a week are all that an account of Instagram has for its searches, and each is a request. */
const HASHTAGS_MAX = 10;

/** The hashtags that a platform is asked for a query. */
export interface HashtagPlan {
  readonly hashtags: readonly Hashtag[];
  /** Hashtags that are too many. */
  readonly left: readonly string[];
  /** Terms, as the user wrote them, for which no hashtag can be asked. */
  readonly unsent: readonly string[];
}

/** The hashtags for a query: joined ones first, which find the least of what does not match. */
export function hashtagsFor(query: Query): HashtagPlan {
  const { requests, unsent } = translate(query, HASHTAG_DIALECT);
  const all = [...requests.flatMap(({ joined }) => joined), ...requests.flatMap(({ any }) => any)];
  const distinct = [...new Map(all.toReversed().map((hashtag) => [hashtag.name, hashtag])).values()].toReversed();
  const left = distinct.slice(HASHTAGS_MAX).map(({ name }) => name);
  return { hashtags: distinct.slice(0, HASHTAGS_MAX), left, unsent };
}

/** A posting with what a joined hashtag of it says in words, although the matcher could not divide it. */
export function withWords(posting: PostingDraft, { name, words }: Hashtag): PostingDraft {
  const isTagged = posting.tags?.some((tag) => foldName(tag) === fold(name)) === true;
  return words !== undefined && isTagged ? { ...posting, matchText: words } : posting;
}

/** A hashtag that a platform is asked for. */
export interface Hashtag {
  /** In lower case, without `#`. */
  readonly name: string;
  /** The words that it joins, such as `kestrel phone`; undefined if it is one word. */
  readonly words?: string;
}

/** What finds a part of a query by hashtags. */
interface HashtagSearch {
  /** Media that carry the words of the part as hashtags carry at least one of these. */
  readonly any: readonly Hashtag[];
  /** The whole part as one hashtag, in each of its alternatives; empty if it cannot be joined. */
  readonly joined: readonly Hashtag[];
}

/** A hashtag has letters, digits and underscores, and not digits only. */
const HASHTAG = /^(?=.*[^\d_])[\p{L}\p{N}\p{M}_]{1,100}$/u;
const JOINED_MAX = 4;

/**
 * Some platforms cannot be asked for words of texts, only for hashtags. Several words are asked for as one joined hashtag, and
 * by the rarest of them alone, whose media the matcher narrows. Exclusions are left to the matcher.
 */
const HASHTAG_DIALECT: QueryDialect<HashtagSearch> = {
  word: (text) => single(text),
  phrase: (text) => phrase(text),
  tag: (name) => {
    const hashtag = hashtagOf(name);
    // A tag is one already: joined with others it would no longer be what was asked for.
    return hashtag && { any: [hashtag], joined: [] };
  },
  mention: () => undefined,
  and: (parts) => ({ any: narrowest(parts), joined: join(parts) }),
  or: (parts) => ({ any: parts.flatMap(({ any }) => any), joined: parts.flatMap(({ joined }) => joined) }),
  group: (said) => said,
  joinsTerms: false,
  maxLength: Infinity,
  lengthOf: () => 0,
};

function single(text: string): HashtagSearch | undefined {
  const hashtag = hashtagOf(text);
  return hashtag && { any: [hashtag], joined: [hashtag] };
}

/** A phrase is found by its longest word. */
function phrase(text: string): HashtagSearch | undefined {
  const pieces = text.split(/[^\p{L}\p{N}\p{M}_]+/u).filter((piece) => piece !== "");
  const written = new Map(pieces.map((piece) => [tokenize(piece).join(" "), piece]));
  const words = tokenize(text).flatMap((word) => hashtagOf(written.get(word) ?? word) ?? []);
  const whole = hashtagOf(pieces.join(""), pieces.join(" "));
  const longest = words.reduce<Hashtag | undefined>(
    (best, word) => (best && lengthOf(best) >= lengthOf(word) ? best : word),
    undefined,
  );
  const any = longest ?? whole;
  return any && { any: [any], joined: whole === undefined ? [] : [whole] };
}

/** Media must have all parts, so one of them finds all: the one with the fewest hashtags, then the longest ones. */
function narrowest(parts: readonly HashtagSearch[]): readonly Hashtag[] {
  const shortest = ({ any }: HashtagSearch): number => Math.min(...any.map(lengthOf));
  const [first = []] = [...parts]
    .sort((a, b) => a.any.length - b.any.length || shortest(b) - shortest(a))
    .map(({ any }) => any);
  return first;
}

function join(parts: readonly HashtagSearch[]): readonly Hashtag[] {
  const alternatives = parts.reduce<Hashtag[]>(
    (before, { joined }) =>
      before.flatMap((start) => joined.map((end) => concatenated(start, end)).filter((each) => each !== undefined)),
    [{ name: "", words: "" }],
  );
  return alternatives.length > JOINED_MAX ? [] : alternatives;
}

function concatenated(a: Hashtag, b: Hashtag): Hashtag | undefined {
  return hashtagOf(a.name + b.name, `${a.words ?? a.name} ${b.words ?? b.name}`.trim());
}

function hashtagOf(text: string, words: string = text): Hashtag | undefined {
  const name = text.normalize("NFKC").toLowerCase();
  if (!HASHTAG.test(name)) return undefined;
  return words.includes(" ") ? { name, words } : { name };
}

function lengthOf({ name }: Hashtag): number {
  return [...name].length;
}
