import * as z from "zod";
import { demoMark, maybe, maybeNumber, statedTime } from "../../schemas.js";

const text = z.string();
/** NewsAPI lists articles that were taken down as stubs with this title. */
const REMOVED = "[Removed]";

const articleSchema = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2048),
  title: text.min(1),
  publishedAt: statedTime,
  source: maybe(z.object({ id: maybe(text), name: maybe(text) })),
  author: maybe(text),
  description: maybe(text),
  urlToImage: maybe(z.url({ protocol: /^https?$/ }).max(2048)),
  /** Cut after 200 characters. */
  content: maybe(text),
  demo: demoMark,
});

const pageSchema = z.object({ status: z.literal("ok"), totalResults: maybeNumber, articles: z.array(z.unknown()) });

/** An article as NewsAPI states it. */
export type NewsapiArticle = z.output<typeof articleSchema>;

export interface NewsapiPage {
  /** How many results the search has; undefined if that is not stated. */
  readonly totalResults: number | undefined;
  readonly articles: readonly unknown[];
}

/** Undefined if the answer is no page of articles. */
export function readPage(body: unknown): NewsapiPage | undefined {
  const page = pageSchema.safeParse(body).data;
  return page && { totalResults: page.totalResults, articles: page.articles };
}

/** Undefined for an article without address, title or time. */
export function readArticle(item: unknown): NewsapiArticle | undefined {
  return articleSchema.safeParse(item).data;
}

const removedSchema = z.object({ title: z.literal(REMOVED) });

/** Whether a publisher has taken the article down: nothing of it is left. */
export function isRemoved(item: unknown): boolean {
  return removedSchema.safeParse(item).success;
}

const problemSchema = z.object({ status: z.literal("error"), code: maybe(text), message: maybe(text) });

/** What NewsAPI says about a request that it refuses. */
export function readProblem(body: unknown): {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
} {
  return problemSchema.safeParse(body).data ?? {};
}
