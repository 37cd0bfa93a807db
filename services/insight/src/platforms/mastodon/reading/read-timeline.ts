import { headerOf, type JsonResponse } from "../../http-json.js";
import { readEach } from "../../schemas.js";
import type { SourceAt, SourcePage } from "../../sources.js";
import { withWords } from "../../hashtags.js";
import { PlatformError } from "../../connector.js";
import type { MastodonServer } from "../asking/mastodon-server.js";
import { nextMaxId } from "../asking/next-page.js";
import { type MastodonStatus, readStatus } from "../posting/status.js";
import { toPosting } from "../posting/to-posting.js";
import type { TagTimeline } from "../sources.js";

/** Servers give no more a page. */
export const PAGE_STATUSES = 40;
/** Pages of one timeline in a poll. */
const PAGES_MAX = 20;
/** What other servers posted arrives late, and stands in the timeline at the time of its posting. */
const LATE_MS = 30 * 60_000;

export interface TimelineQuestion {
  readonly tag: string;
  readonly limit: number;
  /** Only postings before this one. */
  readonly maxId?: string | null;
}

/** Asks a server for a page of a tag timeline, newest first. Throws as `MastodonServer.ask`. */
export function askTimeline(
  server: MastodonServer,
  { tag, limit, maxId = null }: TimelineQuestion,
  signal: AbortSignal,
): Promise<JsonResponse> {
  const parameters = { limit: String(limit), ...(maxId !== null && { max_id: maxId }) };
  return server.ask(`/api/v1/timelines/tag/${encodeURIComponent(tag)}`, parameters, signal);
}

/**
 * Reads one page of a tag timeline. Its order is that of the times of posting, so it is read from its newest posting to
 * before the last poll, and not on from the last known one: what arrives late stands behind that.
 */
export async function readTimelinePage(
  { server, hashtag }: TagTimeline,
  at: SourceAt,
  signal: AbortSignal,
): Promise<SourcePage> {
  const question = { tag: hashtag.name, limit: PAGE_STATUSES, maxId: at.after };
  const response = await askTimeline(server, question, signal);
  if (!Array.isArray(response.body)) {
    throw new PlatformError("temporary", `${server.host} returns no timeline. It will be retried.`);
  }
  const { items, skipped } = readEach(response.body, readStatus);
  const from = Math.max(at.since, (at.readUntil ?? 0) - LATE_MS);
  const wanted = items.filter((status) => status.created_at >= from);
  return {
    postings: wanted.map((status) => withWords(toPosting(status, server.host), hashtag)),
    skipped,
    requests: 1,
    ...pageAfter(response, { items, wanted, at, from }),
  };
}

interface Read {
  readonly items: readonly MastodonStatus[];
  readonly wanted: readonly MastodonStatus[];
  readonly at: SourceAt;
  /** Oldest wanted time, in milliseconds since the epoch. */
  readonly from: number;
}

/** Where the timeline continues; after too many pages it does not, and what is older than the last page is a gap. */
function pageAfter(response: JsonResponse, { items, wanted, at, from }: Read): Pick<SourcePage, "after" | "gaps"> {
  // A server that states no links may return fewer postings than it is asked for, so only an empty page is the last one.
  const last = headerOf(response, "link") === "" ? items.at(-1)?.id : undefined;
  const next = wanted.length === 0 ? undefined : (nextMaxId(response) ?? last);
  if (next === undefined) return { after: null };
  if (at.pages + 1 < PAGES_MAX) return { after: next };
  const oldest = Math.min(...wanted.map((status) => status.created_at));
  return { after: null, ...(oldest > from && { gaps: [{ from, to: oldest, reason: "page_limit" }] }) };
}
