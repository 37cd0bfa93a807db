import type { Query } from "../../../query/ast.js";
import { translate, type Translation } from "../../../query/translate.js";
import { wordSearch } from "../../word-search.js";

/** NewsAPI does not require words that have no operator between them, so every AND is written. */
const NEWSAPI_DIALECT = wordSearch({
  word: /^[\p{L}\p{M}\p{N}_]+$/u,
  and: " AND ",
  // A URL has 2,048 characters; other parameters and the address take the rest.
  limits: { charactersMax: 500, encodedMax: 1700 },
});

/** The searches that NewsAPI is sent for a query. */
export function queriesFor(query: Query): Translation<string> {
  return translate(query, NEWSAPI_DIALECT);
}
