import type { SummarizeRequest } from "@hourglass/proto/insight/v1/insight_service";
import { CompletenessTimeline, readCoverage } from "../coverage.js";
import { MINUTE_MS } from "../marks/periods.js";
import type { Collections } from "../records/collections.js";
import { toSpikeReport } from "./messages/spike-message.js";
import { toSummary, type SummaryInit } from "./messages/summary-message.js";
import { nameAuthor } from "./reading/author-names.js";
import { Buckets, type BucketsDeps } from "./reading/buckets.js";
import { countBuckets } from "./reading/count-buckets.js";
import { countPostings } from "./reading/count-postings.js";
import { KeptLists } from "./reading/kept-lists.js";
import type { Overview } from "./reading/overview.js";
import { type Question, readRequest } from "./reading/read-request.js";
import { compareVoices } from "./reading/share-of-voice.js";
import { findSpikes } from "./spikes/find-spikes.js";

/** Who asks, and until when an answer is of use. */
export interface Caller {
  companyId: number;
  signal: AbortSignal;
}

/**
 * Counts the analysed postings of an insight in a span of time. Whatever was written before the call is counted. Throws
 * AppError `not-found` and `invalid`, and `unavailable` if the postings change too fast.
 */
export type Summarize = (request: SummarizeRequest, caller: Caller) => Promise<{ summary: SummaryInit }>;

export interface SummarizeDeps extends Omit<BucketsDeps, "signal" | "collections"> {
  collections: BucketsDeps["collections"] & Pick<Collections, "insights" | "searches">;
}

export function createSummarize({ store, collections, now }: SummarizeDeps): Summarize {
  const kept = new KeptLists(now);
  return async (request, { companyId, signal }) => {
    const deps = { store, collections, now, signal };
    const question = await readRequest({ insights: collections.insights, now: now() }, request, companyId);
    const overview = await count(deps, question, kept);
    // Summaries of one minute are the same as long as nothing is written.
    const minute = () => Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    const coverage = await readCoverage(
      { searches: collections.searches, now: minute },
      question.insight,
      question.span,
    );
    const wanted = coverage.filter(({ platform }) => question.platforms?.has(platform) ?? true);
    const name = (key: string) => nameAuthor(collections.postings, companyId, key);
    const summary = await toSummary({
      question,
      overview,
      nameAuthor: name,
      coverage: wanted,
      completeness: new CompletenessTimeline(wanted, new Set(overview.totals.platforms.keys())),
      voices: await compareVoices(deps, question, overview),
      spikes: await toSpikeReport(await findSpikes(deps, question), {
        terms: question.insight.terms,
        nameAuthor: name,
      }),
    });
    return { summary };
  };
}

async function count(deps: BucketsDeps, question: Question, kept: KeptLists): Promise<Overview> {
  if (question.fits !== undefined) return countPostings(deps.collections, question, deps.signal);
  return countBuckets(await Buckets.open(deps, question.insight, question.span), question, kept);
}
