/** A topic at one place of the text, before repeats are put together. */
export interface Occurrence {
  readonly value: string;
  readonly type: "entity" | "noun-chunk";
  readonly tag: string;
  /** Index of its first and last token, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** Whether it is the text of a hashtag, which covers one token. */
  readonly hashtag: boolean;
}
