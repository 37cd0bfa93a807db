import type { DemoOrganisationPost } from "./organisation-post.js";

/** A post as LinkedIn states it. */
export function postAnswer(post: DemoOrganisationPost): Record<string, unknown> {
  const { id, postedAt, at, organisation, text, extra } = post;
  return {
    id,
    author: `urn:li:organization:${organisation}`,
    commentary: text,
    visibility: "PUBLIC",
    lifecycleState: "PUBLISHED",
    lifecycleStateInfo: { isEditedByAuthor: at > postedAt },
    isReshareDisabledByAuthor: false,
    createdAt: postedAt,
    publishedAt: postedAt,
    lastModifiedAt: at,
    distribution: { feedDistribution: "MAIN_FEED", thirdPartyDistributionChannels: [] },
    demo: true,
    ...extra,
  };
}

/** Reactions to a post and comments on it. */
export function metadataAnswer({ id, likes }: DemoOrganisationPost): Record<string, unknown> {
  const counts = { LIKE: likes, PRAISE: Math.floor(likes / 8), ENTERTAINMENT: 1 };
  const summaries = Object.entries(counts).map(([kind, count]) => [kind, { reactionType: kind, count }]);
  return {
    entity: id,
    commentsState: "OPEN",
    reactionSummaries: Object.fromEntries(summaries) as unknown,
    commentSummary: { count: Math.floor(likes / 5), topLevelCount: Math.floor(likes / 6) },
  };
}

/** How often a post was shared, beside what else LinkedIn counts. */
export function statisticsAnswer({ id, organisation, likes, shares }: DemoOrganisationPost): Record<string, unknown> {
  const kind = id.startsWith("urn:li:share:") ? "share" : "ugcPost";
  return {
    [kind]: id,
    organizationalEntity: `urn:li:organization:${organisation}`,
    totalShareStatistics: { shareCount: shares, likeCount: likes, impressionCount: likes * 70, clickCount: likes },
  };
}
