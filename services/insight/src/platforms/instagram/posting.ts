import type { Json } from "@hourglass/runtime";
import type { AuthorDraft, PostingDraft } from "../posting-draft.js";
import { defined } from "../schemas.js";
import { mentionsIn, tagsIn } from "../text.js";
import type { Account, InstagramMedia } from "./api.js";

/** Media of an account as a posting; what Instagram does not state is absent. */
export function accountMediaToPosting(media: InstagramMedia, account: Account, name: string): PostingDraft {
  const { id, username, name: fullName } = account;
  const author: AuthorDraft = { ...defined({ id, username, name: fullName }), type: "business" };
  return { ...postingOf(media), author, moreInfo: { account: name, ...aboutOf(media) } };
}

/** Media of a hashtag as a posting. Instagram does not say who posted it, and nobody may find that out. */
export function hashtagMediaToPosting(media: InstagramMedia, hashtag: string): PostingDraft {
  return { ...postingOf(media), moreInfo: { hashtag, ...aboutOf(media) } };
}

function postingOf(media: InstagramMedia): PostingDraft {
  const { caption } = media;
  const files = [media.media_url, ...childrenOf(media).map((child) => child.media_url)].filter(
    (url) => url !== undefined,
  );
  return {
    socialId: media.id,
    ...defined({ url: media.permalink, text: caption, type: typeOf(media) }),
    postedAt: media.timestamp,
    ...(caption !== undefined && namesOf(caption)),
    counts: countsOf(media),
    ...(files.length > 0 && { media: files }),
  };
}

function typeOf({ media_product_type: product, media_type: type }: InstagramMedia): string | undefined {
  return product?.toLowerCase() === "reels" ? "reels" : type?.toLowerCase();
}

function namesOf(caption: string): Pick<PostingDraft, "tags" | "taggedUsers"> {
  const [tags, taggedUsers] = [tagsIn(caption), mentionsIn(caption)];
  return { ...(tags.length > 0 && { tags }), ...(taggedUsers.length > 0 && { taggedUsers }) };
}

/** Likes are left out where the owner hides them. */
function countsOf(media: InstagramMedia): NonNullable<PostingDraft["counts"]> {
  const views = media.view_count;
  return defined({
    like_count: media.like_count,
    comment_count: media.comments_count,
    view_count: views,
    video_view_count: media.media_type?.toLowerCase() === "video" ? views : undefined,
  });
}

function childrenOf({ children }: InstagramMedia) {
  return children?.data ?? [];
}

function aboutOf(media: InstagramMedia): Record<string, Json> {
  const children = childrenOf(media).map((child) => defined(child));
  return {
    ...defined({ media_url: media.media_url, demo: media.demo }),
    ...(children.length > 0 && { children }),
  };
}
