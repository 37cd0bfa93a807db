import type { DemoArticle } from "./article.js";

type Condition = (article: DemoArticle) => boolean;

/** A query that NewsAPI would refuse. */
export class NewsapiQueryRefused extends Error {
  override readonly name = "NewsapiQueryRefused";
}

const CHARACTERS_MAX = 500;
const PIECES = /\s*([+-]?"[^"]*"|[()]|[^\s()"]+)/gy;

/**
 * Reads the `q` of NewsAPI: phrases, `+must`, `-not`, AND, OR, NOT and parentheses. AND binds tighter than OR; words with
 * nothing between them are alternatives that rank, so that a careful client writes AND.
 */
export function readNewsapiQuery(text: string): Condition {
  if (text.trim() === "") throw new NewsapiQueryRefused("The query is empty.");
  if ([...text].length > CHARACTERS_MAX) throw new NewsapiQueryRefused("The query is longer than 500 characters.");
  const reader = new QueryReader(piecesOf(text));
  const condition = reader.readAlternatives();
  reader.mustBeAtEnd();
  return condition;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  PIECES.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ""; end = PIECES.lastIndex) {
    const piece = PIECES.exec(text)?.[1];
    if (piece === undefined) throw new NewsapiQueryRefused(`The query cannot be read at ${end}.`);
    pieces.push(piece);
  }
  return pieces;
}

class QueryReader {
  private next = 0;

  constructor(private readonly pieces: readonly string[]) {}

  readAlternatives(): Condition {
    const alternatives = [this.readAll()];
    while (this.takes("OR")) alternatives.push(this.readAll());
    return (article) => alternatives.some((matches) => matches(article));
  }

  mustBeAtEnd(): void {
    const piece = this.pieces[this.next];
    if (piece !== undefined) throw new NewsapiQueryRefused(`The query has ${piece} where an operator must be.`);
  }

  private readAll(): Condition {
    const all = [this.readOne()];
    while (this.takes("AND")) all.push(this.readOne());
    return (article) => all.every((matches) => matches(article));
  }

  private readOne(): Condition {
    if (this.takes("NOT")) {
      const excluded = this.readOne();
      return (article) => !excluded(article);
    }
    const piece = this.pieces[this.next];
    if (piece === undefined || /^(?:AND|OR|\))$/.test(piece)) {
      throw new NewsapiQueryRefused("The query has an operator with nothing beside it.");
    }
    this.next += 1;
    if (piece !== "(") return conditionOf(piece);
    const group = this.readAlternatives();
    if (!this.takes(")")) throw new NewsapiQueryRefused("The query has an open parenthesis.");
    return group;
  }

  private takes(piece: string): boolean {
    if (this.pieces[this.next] !== piece) return false;
    this.next += 1;
    return true;
  }
}

function conditionOf(piece: string): Condition {
  const isExcluded = piece.startsWith("-");
  const wanted = wordsOf(piece.replace(/^[+-]/, ""));
  const finds: Condition = ({ title, description, content }) =>
    [title, description, content].some((text) => contains(wordsOf(text), wanted));
  return isExcluded ? (article) => !finds(article) : finds;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function contains(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((word, i) => words[start + i] === word));
}
