import { LoopPace } from "@hourglass/runtime";
import type { Collections } from "../../records/collections.js";
import { addToLists } from "../counting/tally.js";
import { emptyOverview, type Overview } from "./overview.js";
import type { Question } from "./read-request.js";
import { stepOf } from "./steps.js";

/**
 * Counts the postings of a span themselves, in turns of the event loop and in memory that does not depend on their
 * number. It is how filters are answered that no bucket has counted. Rejects if the signal aborts.
 */
export async function countPostings(
  { postings }: Pick<Collections, "postings">,
  question: Question,
  signal: AbortSignal,
): Promise<Overview> {
  const { insight, span, interval, platforms, fits } = question;
  const overview = emptyOverview(question);
  const pace = new LoopPace();
  const listedAt = { gte: span.start, lt: span.end };
  for await (const posting of postings.stream({ insightId: insight.id, listedAt }, { sort: [["listedAt", 1]] })) {
    signal.throwIfAborted();
    await pace.step();
    if (platforms?.has(posting.platform) === false || fits?.(posting) === false) continue;
    overview.totals.add(posting);
    overview.series[stepOf(posting.postedAt, span, interval)]?.counts.add(posting);
    addToLists(overview.lists, posting);
  }
  return overview;
}
