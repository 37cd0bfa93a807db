import type { SummarizeRequest } from "@hourglass/proto/insight/v1/insight_service";
import { CompletenessTimeline, readCoverage } from "../coverage.js";
import type { Collections } from "../store/collections.js";
import type { BucketsDeps } from "./buckets.js";
import { compareVoices, countQuery } from "./overview.js";
import { MINUTE_MS } from "./periods.js";
import { findSpikes } from "./spikes.js";
import { nameAuthor, type SummaryInit, toSpikeReport, toSummary } from "./summary-messages.js";
import { readSummaryRequest } from "./summary-request.js";

/** The company that asks, and until when the summary is of use to it. */
interface Caller {
  companyId: number;
  signal: AbortSignal;
}

interface SummariesDeps extends Omit<BucketsDeps, "signal" | "collections"> {
  collections: BucketsDeps["collections"] & Pick<Collections, "insights" | "versions" | "searches">;
}

/** Summaries of insights. */
export class Summaries {
  constructor(private readonly deps: SummariesDeps) {}

  /**
   * Counts the analyzed postings of an insight in a span of time. Whatever was written before the call is counted. Throws
   * AppError `not-found` and `invalid`, and `unavailable` if the postings change too fast.
   */
  async summarize(request: SummarizeRequest, { companyId, signal }: Caller): Promise<{ summary: SummaryInit }> {
    const { store, collections, now } = this.deps;
    const deps = { store, collections, now, signal };
    const query = await readSummaryRequest({ collections, now: now() }, request, companyId);
    const overview = await countQuery(deps, query);
    // Summaries of one minute are the same as long as nothing is written.
    const minute = () => Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    const all = await readCoverage({ searches: collections.searches, now: minute }, query.insight, query.span);
    const coverage = all.filter(({ platform }) => query.platforms?.has(platform) ?? true);
    const name = (key: string) => nameAuthor(collections.postings, companyId, key);
    const summary = await toSummary({
      query,
      overview,
      nameAuthor: name,
      coverage,
      completeness: new CompletenessTimeline(coverage, new Set(overview.totals.platforms.keys())),
      voices: await compareVoices(deps, query, overview),
      spikes: await toSpikeReport(await findSpikes(deps, query), { terms: query.insight.terms, nameAuthor: name }),
    });
    return { summary };
  }
}
