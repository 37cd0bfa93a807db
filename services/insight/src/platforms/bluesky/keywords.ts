import type { Query } from "../../query/language/expression.js";

/** The keywords of a query as its owner wrote them: printed in another form they might be too long to be read again. */
export function keywordsOf({ terms }: Query): string {
  return terms.map(({ text }) => text).join(", ");
}
