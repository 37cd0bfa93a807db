import type { Buckets } from "./buckets.js";
import type { KeptLists } from "./kept-lists.js";
import { emptyOverview, type Overview } from "./overview.js";
import type { Question } from "./read-request.js";
import { stepOf } from "./steps.js";

/** Adds up the buckets of a span. */
export async function countBuckets(buckets: Buckets, question: Question, kept: KeptLists): Promise<Overview> {
  const { span, interval, platforms } = question;
  const overview = emptyOverview(question);
  for await (const { start, parts } of buckets.read(span, interval === "hour" ? "hour" : "day")) {
    const step = overview.series[stepOf(start, span, interval)];
    for (const part of parts) {
      if (platforms?.has(part.platform) === false) continue;
      overview.totals.addPart(part);
      step?.counts.addPart(part);
    }
  }
  overview.lists = await buckets.listsOf(span, platforms, { kept, empty: overview.lists });
  return overview;
}
