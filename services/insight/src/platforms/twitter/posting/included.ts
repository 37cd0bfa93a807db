import type { XMedia, XPage, XPlace, XUser } from "../asking/answer.js";

/** What the posts of a page refer to, by id. */
export interface Included {
  readonly users: ReadonlyMap<string, XUser>;
  readonly places: ReadonlyMap<string, XPlace>;
  readonly media: ReadonlyMap<string, XMedia>;
}

export function includedIn({ includes }: Pick<XPage, "includes">): Included {
  return {
    users: byKey(includes?.users, ({ id }) => id),
    places: byKey(includes?.places, ({ id }) => id),
    media: byKey(includes?.media, ({ media_key }) => media_key),
  };
}

function byKey<T>(list: readonly T[] | undefined, keyOf: (value: T) => string): ReadonlyMap<string, T> {
  return new Map((list ?? []).map((value) => [keyOf(value), value]));
}
