import type { RequestedField } from "./fields.js";
import { graphTime } from "./graph-time.js";
import type { DemoMedia } from "./media.js";

/** Fields that Instagram states for media of accounts only. */
const OF_ACCOUNTS = new Set(["username", "view_count", "media_product_type"]);

/** Media as the Graph API states them: the fields that the request names. */
export function mediaAnswer(
  media: DemoMedia,
  fields: readonly RequestedField[],
  by: "account" | "hashtag",
): Record<string, unknown> {
  const known = knownFields(media);
  const allowed = fields.filter(({ name }) => by === "account" || !OF_ACCOUNTS.has(name));
  const answer = allowed.map(({ name }) => [name, known[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(answer), id: media.id, demo: true, ...media.extra };
}

function knownFields({ id, at, account, caption, type, likes, comments }: DemoMedia): Record<string, unknown> {
  const file = `https://media.example.org/${id}.${type === "VIDEO" ? "mp4" : "jpg"}`;
  const child = { id: `${id}1`, media_type: "IMAGE", media_url: file };
  return {
    id,
    caption: caption === "" ? undefined : caption,
    media_type: type,
    media_product_type: "FEED",
    media_url: type === "CAROUSEL_ALBUM" ? undefined : file,
    permalink: `https://www.instagram.com/p/demo${id}/`,
    timestamp: graphTime(at),
    like_count: likes,
    comments_count: comments,
    view_count: type === "VIDEO" ? likes * 9 : undefined,
    username: account.username,
    children: type === "CAROUSEL_ALBUM" ? { data: [child] } : undefined,
  };
}
