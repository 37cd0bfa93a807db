/** Whether a query finds an item. */
export type Condition<Item> = (item: Item) => boolean;

/** A query that the platform would refuse. */
export class QueryRefused extends Error {
  override readonly name = "QueryRefused";
}

/** The pieces of a query, each the only group of a sticky pattern. Throws QueryRefused if the query is empty or too long. */
export function piecesOf(text: string, pattern: RegExp, charactersMax: number): string[] {
  if (text.trim() === "") throw new QueryRefused("The query is empty.");
  if ([...text].length > charactersMax) throw new QueryRefused(`The query is longer than ${charactersMax} characters.`);
  const pieces: string[] = [];
  pattern.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ""; end = pattern.lastIndex) {
    const piece = pattern.exec(text)?.[1];
    if (piece === undefined) throw new QueryRefused(`The query cannot be read at ${end}.`);
    pieces.push(piece);
  }
  return pieces;
}

/** Reads a query in which conditions are all required, `OR` separates alternatives and parentheses group. */
export abstract class QueryReader<Item> {
  /** A word that joins conditions which are required anyway; undefined: there is none. */
  protected readonly conjunction: string | undefined;
  private next = 0;

  constructor(private readonly pieces: readonly string[]) {}

  /** Reads the whole query. Throws QueryRefused. */
  read(): Condition<Item> {
    const condition = this.readAlternatives();
    if (this.next < this.pieces.length) throw new QueryRefused(`The query has a ${this.pieces[this.next]} too many.`);
    return condition;
  }

  /** What a piece asks for that is no parenthesis; one that is about the next condition reads that too. */
  protected abstract conditionOf(piece: string): Condition<Item>;

  protected readOne(): Condition<Item> {
    const piece = this.pieces[this.next];
    this.next += 1;
    if (piece === undefined || piece === ")") throw new QueryRefused("The query ends where a word is expected.");
    if (piece !== "(") return this.conditionOf(piece);
    const group = this.readAlternatives();
    if (this.pieces[this.next] !== ")") throw new QueryRefused("The query has an open parenthesis.");
    this.next += 1;
    return group;
  }

  private readAlternatives(): Condition<Item> {
    const alternatives = [this.readAll()];
    while (this.pieces[this.next] === "OR") {
      this.next += 1;
      alternatives.push(this.readAll());
    }
    return (item) => alternatives.some((matches) => matches(item));
  }

  private readAll(): Condition<Item> {
    const all: Condition<Item>[] = [];
    for (let piece = this.pieces[this.next]; piece !== undefined && piece !== "OR" && piece !== ")";) {
      if (piece === this.conjunction) this.next += 1;
      else all.push(this.readOne());
      piece = this.pieces[this.next];
    }
    if (all.length === 0) throw new QueryRefused("The query has an OR or a parenthesis with nothing beside it.");
    return (item) => all.every((matches) => matches(item));
  }
}

/** A text without accents and capitals. */
export function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** The words of a text; a tag is its word. */
export function wordsOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Whether the words of a phrase stand side by side among these. */
export function contains(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((word, i) => words[start + i] === word));
}
