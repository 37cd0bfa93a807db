/** A topic at one place of the text, before repetitions are grouped. */
export interface Occurrence {
  readonly value: string;
  readonly type: "entity" | "noun-chunk";
  readonly tag: string;
  /** Index of the first and last token, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** Whether it comes from a hashtag, which covers one token. */
  readonly hashtag: boolean;
}
