import type { MessageInitShape } from "@bufbuild/protobuf";
import type { BreakdownSchema, PostingCountsSchema } from "@hourglass/proto/insight/v1/summary";
import type { Property } from "../../records/summary.js";
import { byFrequency } from "../counting/value-counts.js";
import type { Counts } from "../counting/tally.js";

/** Values of a property that are told apart: all sentiments, and postings without one. */
const VALUES_MAX = 21;

/** The message of counts. */
export function toPostingCounts(counts: Counts): MessageInitShape<typeof PostingCountsSchema> {
  const of = (property: Property) => toBreakdown(counts.properties[property], counts.postings);
  return {
    postings: BigInt(counts.postings),
    platforms: toBreakdown(counts.platforms, counts.postings),
    sentiments: of("sentiment"),
    polarities: of("polarity"),
    intentions: of("intention"),
    spam: of("spam"),
    languages: of("language"),
    countries: of("country"),
    types: of("type"),
    engagement: [...counts.engagement]
      .sort(([name], [other]) => (name < other ? -1 : 1))
      .map(([name, { sum, postings }]) => ({ name, sum: sum.toString(), postings: BigInt(postings) })),
  };
}

function toBreakdown(counts: Iterable<[string, number]>, postings: number): MessageInitShape<typeof BreakdownSchema> {
  const shown = [...counts].sort(byFrequency).slice(0, VALUES_MAX);
  const other = shown.reduce((left, [, count]) => left - count, postings);
  return {
    values: shown.map(([value, count]) => ({ ...(value !== "" && { value }), count: BigInt(count) })),
    other: BigInt(other),
  };
}
