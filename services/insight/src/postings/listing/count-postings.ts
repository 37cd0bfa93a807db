import { setImmediate as nextTurn } from "node:timers/promises";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { CountPostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import { type Collections, findInsight } from "../../store/collections.js";
import type { InsightRecord } from "../../store/records.js";

/**
 * Counts the postings of a span of time that the watermarks include, and those whose first analysis has not ended. A
 * posting that is analysed again counts as analysed. Throws AppError `not-found` if an insight is unknown, another
 * company's or deleted.
 */
export type CountPostings = (
  request: CountPostingsRequest,
  companyId: number,
) => Promise<{ total: bigint; unanalysed: bigint }>;

/** About as many postings are counted in one turn of the event loop. */
const COUNTED_AT_ONCE = 5_000;

interface Span {
  start: number;
  end: number;
}

export function createCountPostings({ insights, postings }: Pick<Collections, "insights" | "postings">): CountPostings {
  return async ({ insights: asked, start, end }, companyId) => {
    const span = { start: start === undefined ? 0 : timestampMs(start), end: end === undefined ? 0 : timestampMs(end) };
    const watermarks = new Map(asked.map(({ id, watermark }) => [Number(id), Number(watermark)]));
    const counts = { total: 0, unanalysed: 0 };
    for (const [id, watermark] of watermarks) {
      const find = () => findInsight(insights, id, companyId);
      const counted = await countUpTo(watermark, { postings, find, span });
      counts.total += counted.total;
      counts.unanalysed += counted.unanalysed;
    }
    return { total: BigInt(counts.total), unanalysed: BigInt(counts.unanalysed) };
  };
}

/** No index has the batch, so it is a condition only where it excludes something. */
async function countUpTo(
  watermark: number,
  { postings, find, span }: { postings: Collections["postings"]; find: () => Promise<InsightRecord>; span: Span },
): Promise<{ total: number; unanalysed: number }> {
  const insight = await find();
  if (insight.batch <= watermark) {
    const counted = await count(postings, insight, { span });
    // Otherwise a posting was stored meanwhile, and may have been counted.
    if ((await find()).batch <= watermark) return counted;
  }
  return count(postings, insight, { span, watermark });
}

async function count(
  postings: Collections["postings"],
  { id: insightId, postings: stored }: InsightRecord,
  { span, watermark }: { span: Span; watermark?: number },
): Promise<{ total: number; unanalysed: number }> {
  const upTo = { insightId, ...(watermark !== undefined && { batch: { lte: watermark } }) };
  const counts = { total: 0, unanalysed: 0 };
  for (const within of slicesOf(span, stored)) {
    // In this order, a removal in between counts as waiting, which a later count corrects.
    const total = await postings.count({ ...upTo, postedAt: within });
    const analysed = await postings.count({ ...upTo, listedAt: within });
    counts.total += total;
    counts.unanalysed += Math.max(0, total - analysed);
    await nextTurn();
  }
  return counts;
}

/** Equal parts of the span, so that each has few postings if they are spread evenly. */
function* slicesOf({ start, end }: Span, stored: number): Generator<{ gte: number; lt: number }> {
  const slices = Math.max(1, Math.ceil(stored / COUNTED_AT_ONCE));
  const length = Math.max(1, Math.ceil((end - start) / slices));
  for (let from = start; from < end; from += length) yield { gte: from, lt: Math.min(end, from + length) };
}
