import type { Json } from "@hourglass/runtime";
import type { AuthorDraft, PlaceDraft, PostingDraft } from "../posting-draft.js";
import { defined } from "../schemas.js";
import { tagsIn } from "../text.js";
import type { PageComment, PagePost, PostAttachment } from "./api.js";

/**
 * A post of a page as a posting; what Facebook does not state is absent. `page`: by what name it is followed; absent if the
 * post was asked for by its id.
 */
export function toPosting(post: PagePost, page?: string): PostingDraft {
  const attachments = post.attachments?.data ?? [];
  const text = post.message ?? attachedText(attachments);
  const media = attachments.flatMap(picturesOf);
  const place = placeOf(post);
  const author = authorOf(post.from, "page");
  return {
    socialId: post.id,
    ...defined({ url: post.permalink_url, text, type: post.status_type }),
    postedAt: post.created_time,
    ...namesOf(post.message, post.message_tags),
    ...(place !== undefined && { place }),
    ...(author !== undefined && { author }),
    counts: countsOf(post),
    ...(media.length > 0 && { media }),
    moreInfo: { ...(page !== undefined && { page }), ...aboutOf(post, attachments) },
  };
}

/** A comment on a post as a posting. The names of people are stated for pages that the token manages only. */
export function commentToPosting(comment: PageComment, post: PagePost, page: string): PostingDraft {
  const isByPage = comment.from?.id !== undefined && comment.from.id === post.from?.id;
  const { author, moreInfo, ...posting } = loneCommentToPosting(comment);
  return {
    ...posting,
    ...(author !== undefined && { author: { ...author, ...(isByPage && { type: "page" }) } }),
    moreInfo: { page, post_id: post.id, ...moreInfo },
  };
}

/** A comment that was asked for by its id, without what its post tells. */
export function loneCommentToPosting(comment: PageComment): PostingDraft {
  const author = authorOf(comment.from, undefined);
  const picture = comment.attachment?.media?.image?.src;
  return {
    socialId: comment.id,
    ...defined({ url: comment.permalink_url, text: comment.message }),
    postedAt: comment.created_time,
    type: "comment",
    ...namesOf(comment.message, comment.message_tags),
    ...(author !== undefined && { author }),
    counts: defined({ like_count: comment.like_count, comment_count: comment.comment_count }),
    ...(picture !== undefined && { media: [picture] }),
    moreInfo: defined({ parent_id: comment.parent?.id, link: comment.attachment?.url, demo: comment.demo }),
  };
}

/** What a post without a message shares. */
function attachedText(attachments: readonly PostAttachment[]): string | undefined {
  const texts = attachments.flatMap(({ title, description }) => [title ?? [], description ?? []].flat());
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function namesOf(text = "", tagged: PagePost["message_tags"]): Pick<PostingDraft, "taggedUsers" | "tags"> {
  const tags = tagsIn(text);
  const users = (tagged ?? []).map(({ name }) => name).filter((name) => !name.startsWith("#"));
  return { ...(users.length > 0 && { taggedUsers: users }), ...(tags.length > 0 && { tags }) };
}

function picturesOf({ media, subattachments }: PostAttachment): string[] {
  const pictures = [media, ...(subattachments?.data ?? []).map((each) => each.media)];
  return [...new Set(pictures.flatMap((each) => each?.image?.src ?? []))];
}

function placeOf({ place }: PagePost): PlaceDraft | undefined {
  if (place === undefined) return undefined;
  const { latitude, longitude, country } = place.location ?? {};
  const geo = latitude === undefined || longitude === undefined ? undefined : `${longitude},${latitude}`;
  return { type: "page", ...defined({ geo, fullName: place.name, countryName: country, id: place.id }) };
}

function authorOf(from: PagePost["from"], type: string | undefined): AuthorDraft | undefined {
  if (from === undefined) return undefined;
  return defined({ id: from.id, name: from.name, username: from.username, type });
}

/** Facebook leaves out the shares of a post that nobody has shared; all other counts are stated or unknown. */
function countsOf(post: PagePost): NonNullable<PostingDraft["counts"]> {
  return defined({
    share_count: post.shares === undefined ? 0 : post.shares?.count,
    comment_count: post.comments?.summary?.total_count,
    reaction_total_count: post.reactions?.summary.total_count,
    like_count: post.like?.summary.total_count,
    love_count: post.love?.summary.total_count,
    wow_count: post.wow?.summary.total_count,
    laugh_count: post.haha?.summary.total_count,
    sad_count: post.sad?.summary.total_count,
    angry_count: post.angry?.summary.total_count,
    support_count: post.care?.summary.total_count,
  });
}

function aboutOf(post: PagePost, attachments: readonly PostAttachment[]): Record<string, Json> {
  const shared = attachments.map(({ media_type: media, type, title, description, unshimmed_url: direct, url }) =>
    defined({ media_type: media, type, title, description, url: direct ?? url }),
  );
  const title = post.message === undefined ? undefined : attachments[0]?.title;
  const updated = post.updated_time === undefined ? undefined : new Date(post.updated_time).toISOString();
  return {
    ...defined({ title, updated_time: updated, demo: post.demo }),
    ...(shared.length > 0 && { attachments: shared }),
  };
}
