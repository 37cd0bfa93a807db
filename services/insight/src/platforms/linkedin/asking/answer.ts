import * as z from "zod";
import { count, demoMark, maybe, maybeCount, maybeList, maybeNumber } from "../../schemas.js";
import type { Count } from "../../posting-draft.js";

const text = z.string();
const words = maybe(text.min(1));
/** Milliseconds since the epoch that a date can hold. */
const time = z.number().int().nonnegative().max(8_640_000_000_000_000);

const postSchema = z.object({
  id: text.regex(/^urn:li:(share|ugcPost):\d{1,20}$/),
  createdAt: time,
  publishedAt: maybe(time),
  lastModifiedAt: maybe(time),
  author: maybe(text.regex(/^urn:li:\w+:\S{1,60}$/)),
  commentary: words,
  visibility: words,
  lifecycleState: words,
  lifecycleStateInfo: maybe(z.object({ isEditedByAuthor: maybe(z.boolean()) })),
  content: maybe(z.record(text, z.unknown())),
  reshareContext: maybe(z.object({ parent: words, root: words })),
  demo: demoMark,
});

/** What a post shows beside its text, as far as it is words. */
const contentSchema = z.object({
  article: maybe(z.object({ source: words, title: words, description: words })),
  media: maybe(z.object({ id: words, title: words, altText: words })),
  multiImage: maybe(z.object({ images: maybeList(z.object({ id: words, altText: words })) })),
  poll: maybe(z.object({ question: words, options: maybeList(z.object({ text, voteCount: maybeCount })) })),
  reference: maybe(z.object({ id: words })),
});

const pageSchema = z.object({
  elements: z.unknown().optional(),
  paging: maybe(
    z.object({
      start: maybeNumber,
      count: maybeNumber,
      total: maybeNumber,
      links: maybeList(z.object({ rel: text, href: words })),
    }),
  ),
});

const reactionSchema = z.object({ reactionType: text, count });

const metadataSchema = z.object({
  /** By kind, or as a list. */
  reactionSummaries: maybe(
    z
      .union([z.array(z.unknown()), z.record(text, z.unknown()).transform((map) => Object.values(map))])
      .transform((list) => list.flatMap((entry) => reactionSchema.safeParse(entry).data ?? [])),
  ),
  commentSummary: maybe(z.object({ count: maybeCount, commentCount: maybeCount })),
});

const batchSchema = z.object({ results: z.record(text, z.unknown()) });
const statisticsSchema = z.object({
  elements: maybeList(
    z.object({ share: words, ugcPost: words, totalShareStatistics: z.object({ shareCount: count }) }),
  ),
});
const namesSchema = z.object({ vanityName: words, localizedName: words });
const faultSchema = z.object({ message: text.min(1) });
const grantSchema = z.object({
  access_token: words,
  expires_in: z.number().positive().catch(0),
  error_description: words,
});

/** A post as LinkedIn states it. */
export type LinkedinPost = z.output<typeof postSchema>;
export type LinkedinContent = z.output<typeof contentSchema>;
export type LinkedinMetadata = z.output<typeof metadataSchema>;
export type LinkedinNames = z.output<typeof namesSchema>;
/** A page of posts, which are not read yet. */
export type PostsPage = z.output<typeof pageSchema>;

/** Undefined if the answer is no page of posts. */
export function readPostsPage(body: unknown): PostsPage | undefined {
  return pageSchema.safeParse(body).data;
}

/** Undefined for a post without id or time. */
export function readPost(item: unknown): LinkedinPost | undefined {
  return postSchema.safeParse(item).data;
}

export function readContent(content: unknown): LinkedinContent {
  return contentSchema.safeParse(content).data ?? {};
}

/** Reactions and comments by URN of the post. */
export function readMetadata(body: unknown): ReadonlyMap<string, LinkedinMetadata> {
  const results = batchSchema.safeParse(body).data?.results ?? {};
  return new Map(
    Object.entries(results).flatMap(([urn, entry]) => {
      const metadata = metadataSchema.safeParse(entry).data;
      return metadata === undefined ? [] : [[urn, metadata] as const];
    }),
  );
}

/** Shares by URN of the post. */
export function readStatistics(body: unknown): ReadonlyMap<string, Count> {
  const elements = statisticsSchema.safeParse(body).data?.elements ?? [];
  return new Map(
    elements.flatMap(({ share, ugcPost, totalShareStatistics: { shareCount } }) => {
      const urn = share ?? ugcPost;
      return urn === undefined ? [] : [[urn, shareCount] as const];
    }),
  );
}

export function readNames(body: unknown): LinkedinNames {
  return namesSchema.safeParse(body).data ?? {};
}

/** What LinkedIn says about a request that it refuses; undefined if nothing. */
export function readFault(body: unknown): string | undefined {
  return faultSchema.safeParse(body).data?.message;
}

/** What the answer to a request for a token says; without `access_token` it is a refusal. */
export function readGrant(body: unknown): z.output<typeof grantSchema> {
  return grantSchema.safeParse(body).data ?? { expires_in: 0 };
}
