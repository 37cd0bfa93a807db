import type { Query } from "../../query/language/expression.js";
import { translate } from "../../query/translate/translate.js";
import { type Hashtag, HASHTAG_DIALECT } from "./dialect.js";

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
