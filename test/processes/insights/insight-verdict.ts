import type { FeedServer } from "../../support/feed-server.js";
import type { InsightClient, PostingAnswer } from "./insight-client.js";
import { findLeftovers } from "./leftovers.js";
import type { OpenedStore } from "./open-store.js";
import type { PromisedInsight } from "./promised-insight.js";

const PREVIEW_MAX = 25;
const AGAIN_MS = 300;
const GIVEN_UP = "interrupted, too often";
/** Time without deaths in which the requests of each feed are counted. */
const CALM_MS = 4000;

/** The outcome of all insights. `lost`, `twice` and `broken` must be empty. */
export interface InsightVerdict {
  insights: number;
  deleted: number;
  postings: number;
  /** Most requests of one feed in each interval of the calm after the last death, by all insights together. */
  fetchesPerInterval: number;
  /** Postings that were published or imported and are not listed. */
  lost: string[];
  twice: string[];
  broken: string[];
}

export interface Court {
  client: InsightClient;
  insights: readonly PromisedInsight[];
  feeds: FeedServer;
  feedPaths: readonly string[];
  store: OpenedStore;
  intervalMs: number;
  giveUpAt: number;
}

/** Waits until all is collected and analyzed, and all that is deleted is erased; then reads everything again. */
export async function reachInsightVerdict(court: Court): Promise<InsightVerdict> {
  const { client, insights, store, giveUpAt } = court;
  const lasting = insights.filter(({ isDeleted }) => !isDeleted);
  const deleted = insights.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
  const missing = await Promise.all(lasting.map((insight) => awaitAll(client, insight, giveUpAt)));
  const leftovers = await awaitErasure(store, { deleted, giveUpAt });
  const fetchesPerInterval = await countFetches(court);
  const verdict: InsightVerdict = {
    insights: insights.length,
    deleted: deleted.length,
    postings: 0,
    fetchesPerInterval,
    lost: missing.flat(),
    twice: [],
    broken: leftovers,
  };
  for (const insight of lasting) await judge(client, insight, verdict);
  return verdict;
}

/** Returns what is missing if it gives up. */
async function awaitAll(client: InsightClient, insight: PromisedInsight, giveUpAt: number): Promise<string[]> {
  for (;;) {
    const missing = await findMissing(client, insight);
    if (missing.length === 0 || performance.now() > giveUpAt) return missing;
    await pause(AGAIN_MS);
  }
}

async function findMissing(client: InsightClient, insight: PromisedInsight): Promise<string[]> {
  const answer = await client.read(insight);
  if (answer === undefined) return [`insight ${insight.id}`];
  const listed = new Map((await client.postings(insight)).map((posting) => [posting.social_id, posting.text_of_post]));
  const missing = insight.wanted.preview
    ? [...(answer.status === "completed" ? [] : [`the preview ${insight.id} is ${answer.status}`])]
    : [...insight.expected].filter(([id, text]) => listed.get(id) !== text).map(([id]) => `${insight.id}: ${id}`);
  return answer.unanalysed_count === 0
    ? missing
    : [...missing, `${answer.unanalysed_count} analyses of insight ${insight.id}`];
}

async function awaitErasure(
  store: OpenedStore,
  { deleted, giveUpAt }: { deleted: readonly number[]; giveUpAt: number },
): Promise<string[]> {
  for (;;) {
    const left = await findLeftovers(store, deleted);
    if (left.length === 0 || performance.now() > giveUpAt) return left;
    await pause(AGAIN_MS);
  }
}

async function countFetches({ feeds, feedPaths, intervalMs }: Court): Promise<number> {
  const from = Date.now();
  await pause(CALM_MS);
  const intervals = (Date.now() - from) / intervalMs;
  const counts = feedPaths.map((path) => feeds.timesOf(path).filter((time) => time >= from).length);
  return Math.max(...counts) / intervals;
}

async function judge(client: InsightClient, insight: PromisedInsight, verdict: InsightVerdict): Promise<void> {
  const answer = await client.read(insight);
  const postings = await client.postings(insight);
  const { id, expected, knownAtCreation, wanted } = insight;
  const broken = (sentence: string) => verdict.broken.push(`insight ${id} ${sentence}`);
  verdict.postings += postings.length;
  for (const social of repeated(postings)) verdict.twice.push(`${id}: ${social}`);
  for (const { social_id, intentions, more_info: info } of postings) {
    if (!expected.has(social_id)) broken(`holds ${social_id}, which it must not`);
    const errors = Object.values(info?.errors ?? {});
    // What died with its process too often is given up, and says so; on a slow machine that happens.
    if (intentions === null && !errors.some((error) => error.includes(GIVEN_UP))) {
      broken(`has not analyzed ${social_id}: ${errors.join(" ")}`);
    }
  }
  if (answer?.posting_count !== postings.length) broken(`counts ${answer?.posting_count} of ${postings.length}`);
  const counted = await client.counted(insight);
  if (counted !== postings.length) broken(`has ${postings.length} postings, and its summaries count ${counted}`);
  if (wanted.preview !== true) return;
  if (postings.length < Math.min(PREVIEW_MAX, knownAtCreation) || postings.length > PREVIEW_MAX) {
    broken(`is a preview with ${postings.length} postings of ${knownAtCreation}`);
  }
}

function repeated(postings: readonly PostingAnswer[]): string[] {
  const ids = postings.map(({ social_id }) => social_id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
