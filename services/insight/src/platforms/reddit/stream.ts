/** What a poll reads page by page: a search of all submissions, or what is new in some subreddits. */
export interface Stream {
  readonly kind: "search" | "submissions" | "comments";
  /** The query, or the names of the subreddits with `+` between. */
  readonly of: string;
}

/** The key of a stream in a cursor. */
export function keyOf({ kind, of }: Stream): string {
  return `${kind} ${of}`;
}

/** A stream as people read it. */
export function nameOf({ kind, of }: Stream): string {
  return kind === "search" ? of : `r/${of}/${kind === "comments" ? "comments" : "new"}`;
}

/** A stream of several subreddits as one for each of them. */
export function divided({ kind, of }: Stream): readonly Stream[] {
  return of.split("+").map((name) => ({ kind, of: name }));
}
