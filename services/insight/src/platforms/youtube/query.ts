import type { Query } from "../../query/ast.js";
import { type QueryDialect, translate, type Translation } from "../../query/translate.js";
import type { PlatformSearch } from "../connector.js";
import type { Place } from "../places.js";

/** A URL has 2,048 characters; other parameters and the address take the rest. */
const ENCODED_MAX = 1200;

/** YouTube's `q`: a space requires both, `|` binds tighter and stands between single words and phrases only. */
const YOUTUBE_DIALECT: QueryDialect<string> = {
  word: (text) => text,
  phrase: (text) => `"${text.replaceAll("\\", " ")}"`,
  tag: (name) => (name === "" ? undefined : `#${name}`),
  mention: (name) => (name === "" ? undefined : `"${name}"`),
  widens: ["mention"],
  not: (atom) => `-${atom}`,
  and: (parts) => parts.join(" "),
  or: (parts) => parts.join("|"),
  joinsTerms: true,
  maxLength: ENCODED_MAX,
  lengthOf: (said) => new URLSearchParams({ q: said }).toString().length,
};

/** The searches that YouTube is asked for a query. */
export function queriesFor(query: Query): Translation<string> {
  return translate(query, YOUTUBE_DIALECT);
}

/** One of the searches of a poll. */
export interface YoutubeSearch {
  /** In YouTube's own language. */
  readonly query: string;
  /** Undefined: everywhere. */
  readonly place: Place | undefined;
  /** For people; it also identifies the search from one poll to the next. */
  readonly label: string;
}

interface YoutubeSearches extends Omit<Translation<string>, "requests"> {
  readonly requests: readonly YoutubeSearch[];
}

/** The searches that YouTube is asked: each query at each place, because one search has one place. */
export function searchesFor({ query, places }: Pick<PlatformSearch, "query" | "places">): YoutubeSearches {
  const { requests: queries, ...translation } = queriesFor(query);
  if (places.known.length === 0) {
    return { ...translation, requests: queries.map((said) => ({ query: said, place: undefined, label: said })) };
  }
  const requests = queries.flatMap((said) =>
    places.known.map((place) => ({ query: said, place, label: `${said} (${place.label})` })),
  );
  return { ...translation, requests };
}

/** What the owner of a search should know. */
export function warningsOf(
  { requests, unsent }: YoutubeSearches,
  { places: { known }, preview }: Pick<PlatformSearch, "places" | "preview">,
): string[] {
  const hasPoint = known.some(({ kind }) => kind !== "country");
  const hasCountry = known.some(({ kind }) => kind === "country");
  return [
    ...unsent.map((term) => `YouTube cannot be asked for ${term}, so nothing is collected for it.`),
    ...(preview && requests.length > 1
      ? [`The preview asks YouTube the first of ${requests.length} searches only.`]
      : []),
    ...(hasPoint ? ["Around a place, YouTube finds only videos that state where they were recorded: few do."] : []),
    ...(hasCountry ? ["For a country, YouTube finds what may be watched there, wherever it was made."] : []),
  ];
}
