import { type Condition, piecesOf, QueryReader, QueryRefused } from "../query/query-reader.js";
import { contains, wordsOf } from "../query/words.js";
import type { DemoThing } from "./thing.js";

/** What a query is about. */
type Searched = Pick<DemoThing, "title" | "text">;

const PIECES = /\s*("[^"]*"|[()]|-(?=\S)|[^\s()"]+)/gy;

/**
 * Reads a query as Reddit's documentation describes it: words are all required, `OR`, `NOT` or `-`, quoted phrases and
 * parentheses; a space binds tighter than OR. Fields such as `title:` are known, but this fake has no use for them.
 */
export function readQuery(text: string, charactersMax: number): Condition<Searched> {
  return new RedditQueryReader(piecesOf(text, PIECES, charactersMax)).read();
}

class RedditQueryReader extends QueryReader<Searched> {
  protected override readonly conjunction = "AND";

  protected conditionOf(piece: string): Condition<Searched> {
    if (piece === "NOT" || piece === "-") {
      const excluded = this.readOne();
      return (thing) => !excluded(thing);
    }
    if (/^[a-z_]+:/.test(piece)) throw new QueryRefused(`This fake does not know ${piece}.`);
    const wanted = wordsOf(piece);
    return ({ title, text }) => [title, text].some((part) => contains(wordsOf(part), wanted));
  }
}
