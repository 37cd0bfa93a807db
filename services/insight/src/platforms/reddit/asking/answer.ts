import * as z from "zod";
import { demoMark, maybe, maybeCount, maybeScore } from "../../schemas.js";

const text = z.string();
/** Seconds since the epoch that a date can hold. */
const SECONDS_MAX = 8.64e12;

const common = {
  created_utc: z.number().min(0).max(SECONDS_MAX),
  author: maybe(text),
  author_fullname: maybe(text),
  distinguished: maybe(text),
  /** May be below zero. */
  score: maybeScore,
  ups: maybeScore,
  /** The score is not shown yet. */
  score_hidden: maybe(z.boolean()),
  permalink: maybe(text.startsWith("/")),
  subreddit: maybe(text),
  over_18: maybe(z.boolean()),
  demo: demoMark,
};

const pictureSchema = maybe(z.object({ s: maybe(z.object({ u: maybe(z.url()), gif: maybe(z.url()) })) }));

const submissionSchema = z.object({
  ...common,
  name: text.regex(/^t3_[a-z0-9]{1,16}$/),
  title: text,
  selftext: maybe(text),
  url: maybe(text),
  domain: maybe(text),
  is_self: maybe(z.boolean()),
  is_video: maybe(z.boolean()),
  is_gallery: maybe(z.boolean()),
  post_hint: maybe(text),
  poll_data: maybe(z.object({})),
  crosspost_parent: maybe(text),
  media_metadata: maybe(z.record(z.string(), pictureSchema)),
  media: maybe(z.object({ reddit_video: maybe(z.object({ fallback_url: maybe(z.url()) })) })),
  upvote_ratio: maybe(z.number()),
  num_comments: maybeCount,
  num_crossposts: maybeCount,
  link_flair_text: maybe(text),
  removed_by_category: maybe(text),
});

const commentSchema = z.object({
  ...common,
  name: text.regex(/^t1_[a-z0-9]{1,16}$/),
  body: text,
  link_id: maybe(text),
  parent_id: maybe(text),
});

const thingSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("t3"), data: submissionSchema }),
  z.object({ kind: z.literal("t1"), data: commentSchema }),
]);

const listingSchema = z.object({
  kind: z.literal("Listing"),
  data: z.object({ after: maybe(text.min(1).nullable()), children: z.array(z.unknown()) }),
});

export type RedditSubmission = z.output<typeof submissionSchema>;
export type RedditComment = z.output<typeof commentSchema>;
/** A submission or a comment as Reddit states it. */
export type RedditThing = z.output<typeof thingSchema>;

export interface RedditListing {
  /** Fullname after which the next page begins; null: there is none. */
  readonly after: string | null;
  readonly children: readonly unknown[];
}

/** Undefined if the answer is no listing. */
export function readListing(body: unknown): RedditListing | undefined {
  const listing = listingSchema.safeParse(body).data?.data;
  return listing && { after: listing.after ?? null, children: listing.children };
}

/** Undefined for a thing of another kind, or without name, time or text. */
export function readThing(item: unknown): RedditThing | undefined {
  return thingSchema.safeParse(item).data;
}

const tokenSchema = z.object({ access_token: text.min(1), expires_in: z.number().positive() });

/** A token and for how many seconds it is valid; undefined if the answer holds none. */
export function readToken(body: unknown): z.output<typeof tokenSchema> | undefined {
  return tokenSchema.safeParse(body).data;
}

const problemSchema = z.object({
  message: maybe(text),
  reason: maybe(text),
  error: maybe(z.union([text, z.number()])),
});

/** What Reddit says about a request that it refuses. */
export function readProblem(body: unknown): z.output<typeof problemSchema> {
  return problemSchema.safeParse(body).data ?? {};
}
