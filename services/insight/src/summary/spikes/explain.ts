import type { Collections } from "../../records/collections.js";
import type { PlatformName } from "../../records/insight.js";
import type { PostingRecord } from "../../records/posting.js";
import type { ListKind } from "../../records/summary.js";
import { listedOf, propertiesOf } from "../counting/posting-values.js";
import { newLists } from "../counting/tally.js";
import type { ValueCounts } from "../counting/value-counts.js";
import { DAY_MS, type Span } from "../../marks/periods.js";
import type { Buckets } from "../reading/buckets.js";
import type { Metric } from "./judge-steps.js";

/** What a spike consists of. */
export interface Explanation {
  risen: Record<"topics" | "hashtags" | "authors" | "domains", Risen[]>;
  /** Postings that were read for the following. */
  examined: number;
  reposts: number;
  repeatedTexts: number;
  examples: PostingRecord[];
}

/** A value whose share of the postings is larger than it was before. */
export interface Risen {
  value: string;
  count: number;
  share: number;
  usualShare: number;
}

export interface Where {
  insightId: number;
  span: Span;
  platforms: ReadonlySet<PlatformName> | undefined;
  metric: Metric;
}

/** Time before a spike whose shares are the usual ones: every weekday once. */
const USUAL_MS = 7 * DAY_MS;
const RISEN_MAX = 5;
const RISEN_COUNT_MIN = 3;
export const EXAMINED_MAX = 500;
const EXAMPLES_MAX = 3;

const LINK_OR_MENTION = /https?:\/\/\S+|[@＠][\p{L}\p{N}_.-]+/giu;

/** Tells what rose in a spike against the week before. The buckets reach back so far. */
export async function explain(
  buckets: Buckets,
  { postings }: Pick<Collections, "postings">,
  where: Where,
): Promise<Explanation> {
  const { span, platforms } = where;
  const [now, before] = [newLists(), newLists()];
  const earlier = { start: span.start - USUAL_MS, end: span.start };
  await buckets.addLists(span, now, platforms);
  await buckets.addLists(earlier, before, platforms);
  const sizes = { now: await sizeOf(buckets, span, platforms), before: await sizeOf(buckets, earlier, platforms) };
  const of = (kind: ListKind) => risenIn(now[kind], before[kind], sizes);
  const risen = { topics: of("topics"), hashtags: of("hashtags"), authors: of("authors"), domains: of("domains") };
  return { risen, ...(await examine(postings, where, risen)) };
}

async function sizeOf(buckets: Buckets, span: Span, platforms: Where["platforms"]): Promise<number> {
  let size = 0;
  for await (const { parts } of buckets.read(span, "day")) {
    for (const part of parts) if (platforms?.has(part.platform) ?? true) size += part.postings;
  }
  return size;
}

function risenIn(now: ValueCounts, before: ValueCounts, sizes: { now: number; before: number }): Risen[] {
  const all = [...now].filter(([, count]) => count >= RISEN_COUNT_MIN);
  return all
    .map(([value, count]) => {
      const usualShare = sizes.before === 0 ? 0 : before.get(value) / sizes.before;
      return { value, count, share: count / sizes.now, usualShare };
    })
    .filter(({ share, usualShare }) => share > usualShare)
    .sort(
      (one, other) =>
        other.share - other.usualShare - (one.share - one.usualShare) || (one.value < other.value ? -1 : 1),
    )
    .slice(0, RISEN_MAX);
}

type Examined = Pick<Explanation, "examined" | "reposts" | "repeatedTexts" | "examples">;

/** Reads postings of the spike, as many as are read for one. */
async function examine(
  postings: Collections["postings"],
  { insightId, span, platforms, metric }: Where,
  risen: Explanation["risen"],
): Promise<Examined> {
  const found: Examined = { examined: 0, reposts: 0, repeatedTexts: 0, examples: [] };
  const texts = new Set<string>();
  const candidates: { posting: PostingRecord; fit: number }[] = [];
  const listedAt = { gte: span.start, lt: span.end };
  const options = { sort: [["listedAt", 1]], limit: EXAMINED_MAX } as const;
  for await (const posting of postings.stream({ insightId, listedAt }, options)) {
    if (platforms?.has(posting.platform) === false) continue;
    found.examined += 1;
    const text = bareText(posting);
    if (posting.content.type === "repost") found.reposts += 1;
    else if (texts.has(text)) found.repeatedTexts += 1;
    else if (metric === "postings" || propertiesOf(posting).polarity === "negative") {
      candidates.push({ posting, fit: fitOf(posting, risen) });
    }
    if (text !== "") texts.add(text);
  }
  const best = candidates.sort((one, other) => other.fit - one.fit).slice(0, EXAMPLES_MAX);
  return { ...found, examples: best.map(({ posting }) => posting) };
}

/** The text without links, mentions and case. */
function bareText({ content: { text = "" } }: PostingRecord): string {
  return text.replace(LINK_OR_MENTION, " ").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** How much of what rose is in a posting. */
function fitOf(posting: PostingRecord, { topics, hashtags, domains }: Explanation["risen"]): number {
  const listed = listedOf(posting);
  const has = (kind: "topics" | "hashtags" | "domains", values: readonly Risen[]) =>
    values.filter(({ value }) => listed[kind].includes(value)).length;
  return has("topics", topics) + has("hashtags", hashtags) + has("domains", domains);
}
