import type { DemoPost } from "./post.js";

/** Names of the fields, which X has begun to change: `tweet` as in its examples, `post` as in its OpenAPI document. */
export type Naming = "tweet" | "post";

/** The answer to a search: `includes` as far as the request asks for it. */
export function searchAnswer(
  posts: readonly DemoPost[],
  { nextToken, expansions, naming }: { nextToken: string | undefined; expansions: ReadonlySet<string>; naming: Naming },
): Record<string, unknown> {
  const newest = posts.reduce<string | undefined>(
    (id, post) => (id === undefined || post.id > id ? post.id : id),
    undefined,
  );
  const oldest = posts.reduce<string | undefined>(
    (id, post) => (id === undefined || post.id < id ? post.id : id),
    undefined,
  );
  const token = nextToken === undefined ? {} : { next_token: nextToken };
  if (posts.length === 0) return { meta: { result_count: 0, ...token } };
  return {
    data: posts.map((post) => postAnswer(post, naming)),
    includes: includesOf(posts, expansions),
    meta: { newest_id: newest, oldest_id: oldest, result_count: posts.length, ...token },
  };
}

/** The answer to a request for posts by their ids: those that are missing are errors beside the others. */
export function lookUpAnswer(
  posts: readonly DemoPost[],
  { missing, expansions, naming }: { missing: readonly string[]; expansions: ReadonlySet<string>; naming: Naming },
): Record<string, unknown> {
  return {
    ...(posts.length > 0 && {
      data: posts.map((post) => postAnswer(post, naming)),
      includes: includesOf(posts, expansions),
    }),
    ...(missing.length > 0 && { errors: missing.map((id) => missingError(id)) }),
  };
}

function missingError(id: string): Record<string, string> {
  return {
    value: id,
    detail: `Could not find tweet with ids: [${id}].`,
    title: "Not Found Error",
    resource_type: "tweet",
    parameter: "ids",
    resource_id: id,
    type: "https://api.x.com/2/problems/resource-not-found",
  };
}

/** One post as X states it. */
export function postAnswer(post: DemoPost, naming: Naming): Record<string, unknown> {
  const named = (name: string): string => (naming === "post" ? name.replace("tweet", "post") : name);
  const { id, text, author, at, lang, history, kind, refersTo, place, likes, extra } = post;
  return {
    id,
    text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    author_id: author.id,
    created_at: new Date(at).toISOString(),
    lang,
    conversation_id: refersTo ?? id,
    [named("edit_history_tweet_ids")]: history,
    possibly_sensitive: false,
    public_metrics: {
      [naming === "post" ? "repost_count" : "retweet_count"]: Math.floor(likes / 4),
      reply_count: Math.floor(likes / 5),
      like_count: likes,
      quote_count: Math.floor(likes / 10),
      bookmark_count: 0,
      impression_count: likes * 70,
    },
    entities: entitiesOf(text),
    ...(place && { geo: geoOf(place) }),
    ...(refersTo !== undefined && { [named("referenced_tweets")]: [{ type: kind, id: refersTo }] }),
    demo: true,
    ...extra,
  };
}

function entitiesOf(text: string): Record<string, unknown> {
  const found = (sign: string) => [...text.matchAll(new RegExp(`${sign}([\\p{L}\\p{N}_]+)`, "gu"))];
  const place = ({ index, 0: { length } }: RegExpMatchArray) => ({ start: index, end: (index ?? 0) + length });
  return {
    hashtags: found("#").map((match) => ({ ...place(match), tag: match[1] })),
    mentions: found("@").map((match) => ({ ...place(match), username: match[1] })),
    urls: [],
  };
}

function geoOf({ id, longitude, latitude }: NonNullable<DemoPost["place"]>): Record<string, unknown> {
  return { place_id: id, coordinates: { type: "Point", coordinates: [longitude, latitude] } };
}

function includesOf(posts: readonly DemoPost[], expansions: ReadonlySet<string>): Record<string, unknown> {
  const authors = new Map(posts.map(({ author }) => [author.id, author]));
  const places = new Map(posts.flatMap(({ place }) => (place ? [[place.id, place] as const] : [])));
  return {
    ...(expansions.has("author_id") && {
      users: [...authors.values()].map((author) => ({ ...author, verified: false, verified_type: "none" })),
    }),
    ...(expansions.has("geo.place_id") &&
      places.size > 0 && {
        places: [...places.values()].map(({ id, fullName, country, countryCode, longitude, latitude }) => ({
          id,
          full_name: fullName,
          country,
          country_code: countryCode,
          place_type: "city",
          geo: {
            type: "Feature",
            bbox: [longitude - 0.1, latitude - 0.1, longitude + 0.1, latitude + 0.1],
            properties: {},
          },
        })),
      }),
  };
}
