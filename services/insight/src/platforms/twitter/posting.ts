import type { Json } from "@hourglass/runtime";
import type { PlaceDraft, PostingDraft } from "../posting-draft.js";
import { defined } from "../schemas.js";
import type { XMedia, XPage, XPlace, XPost, XUser } from "./api.js";

/** Codes by which X says that a post has no language, such as one of emoji only. */
const NO_LANGUAGE = /^(und|zxx|art|q[a-z]{2})$/;
const TYPES: Readonly<Record<string, string>> = {
  retweeted: "repost",
  reposted: "repost",
  quoted: "quote",
  replied_to: "reply",
};

/** A post of X as a posting; what X does not state is absent. */
export function toPosting(post: XPost, included: Included): PostingDraft {
  const note = post.note_tweet ?? post.note_post;
  const media = mediaOf(post, included);
  const files = media.flatMap(({ url, preview_image_url: preview }) => url ?? preview ?? []);
  const place = placeOf(post, included);
  return {
    socialId: post.id,
    ...authorshipOf(post, included),
    postedAt: post.created_at,
    text: decoded(note?.text ?? post.text),
    type: typeOf(post),
    ...languageOf(post),
    ...namesOf(note?.entities ?? post.entities),
    ...(place !== undefined && { place }),
    counts: countsOf(post),
    ...(files.length > 0 && { media: files }),
    moreInfo: { ...aboutOf(post), ...linksOf(post, media, included) },
  };
}

/** The address holds the author's name only if X states it. */
function authorshipOf({ id, author_id: authorId }: XPost, { users }: Included): Pick<PostingDraft, "url" | "author"> {
  const user = authorId === undefined ? undefined : users.get(authorId);
  const url = `https://x.com/${user?.username ?? "i/web"}/status/${id}`;
  if (authorId === undefined) return { url };
  return {
    url,
    author: { id: authorId, ...defined({ username: user?.username, name: user?.name, type: user?.verified_type }) },
  };
}

function languageOf({ lang }: XPost): Pick<PostingDraft, "language"> {
  return lang === undefined || NO_LANGUAGE.test(lang) ? {} : { language: lang };
}

function namesOf(entities: XPost["entities"]): Pick<PostingDraft, "taggedUsers" | "tags"> {
  const { mentions, hashtags } = entities ?? {};
  return {
    ...(mentions && { taggedUsers: mentions.map(({ username }) => username) }),
    ...(hashtags && { tags: hashtags.map(({ tag }) => tag) }),
  };
}

/** X escapes these three and no others. */
function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** A repost is one whatever else it refers to, and an answer that quotes is an answer. */
function typeOf(post: XPost): string {
  const types = referencesOf(post).map(({ type }) => TYPES[type]);
  return ["repost", "reply", "quote"].find((type) => types.includes(type)) ?? "post";
}

function referencesOf(post: XPost): readonly { type: string; id: string }[] {
  return post.referenced_tweets ?? post.referenced_posts ?? [];
}

function placeOf({ geo }: XPost, { places }: Included): PlaceDraft | undefined {
  const { place_id: id, coordinates } = geo ?? {};
  if (id === undefined && coordinates === undefined) return undefined;
  const place = id === undefined ? undefined : places.get(id);
  return defined({
    geo: coordinates?.coordinates.join(","),
    type: place?.place_type,
    fullName: place?.full_name,
    countryCode: place?.country_code,
    countryName: place?.country,
    id,
  });
}

function countsOf({ public_metrics: metrics = {} }: XPost): NonNullable<PostingDraft["counts"]> {
  return defined({
    share_count: metrics.retweet_count ?? metrics.repost_count,
    share_with_comment_count: metrics.quote_count,
    like_count: metrics.like_count,
    comment_count: metrics.reply_count,
    view_count: metrics.impression_count,
  });
}

function mediaOf({ attachments }: XPost, { media }: Included): readonly XMedia[] {
  return (attachments?.media_keys ?? []).flatMap((key) => media.get(key) ?? []);
}

function aboutOf(post: XPost): Record<string, Json> {
  const history = post.edit_history_tweet_ids ?? post.edit_history_post_ids ?? [];
  return defined({
    conversation_id: post.conversation_id,
    possibly_sensitive: post.possibly_sensitive,
    bookmark_count: post.public_metrics?.bookmark_count,
    edit_history: history.length < 2 ? undefined : history,
    demo: post.demo,
  });
}

function linksOf(post: XPost, media: readonly XMedia[], { places }: Included): Record<string, Json> {
  const urls = (post.note_tweet ?? post.note_post)?.entities?.urls ?? post.entities?.urls ?? [];
  const references = referencesOf(post);
  const box = post.geo?.place_id === undefined ? undefined : places.get(post.geo.place_id)?.geo?.bbox;
  return {
    ...(urls.length > 0 && { urls: urls.map(({ url, expanded_url: whole }) => whole ?? url) }),
    ...(media.length > 0 && { media: media.map(defined) }),
    ...(references.length > 0 && { references: references.map(({ type, id }) => ({ type, id })) }),
    ...(box && { place_bbox: box }),
  };
}

/** What the posts of a page refer to, by id. */
interface Included {
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
