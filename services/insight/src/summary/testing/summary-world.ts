import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { SummarizeRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { type Summary, SummarySchema } from "@hourglass/proto/insight/v1/summary";
import type { Store } from "@hourglass/runtime";
import { endWork } from "../../postings/analyze.js";
import { noResults, type PostingResults } from "../../postings/content-analysis.js";
import { COMPANY, type PostingsWorld } from "../../postings/testing/postings-world.js";
import type { InsightRecord, PostingRecord } from "../../store/records.js";
import { recountDirty } from "../rollup.js";
import { Summaries } from "../summarize.js";

/** 00:00 UTC of a day of `2026-10`, the month of the postings of `draft`. */
export function day(number: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(Date.UTC(2026, 9, number) / 1000), nanos: 0 };
}

/** The whole span of the first 200 drafts. */
export const OCTOBER = { start: day(1), end: day(11) };

/** One of each world, as of a process: it caches lists from one summary to the next. */
const SUMMARIES = new WeakMap<PostingsWorld, Summaries>();

function summariesOf(world: PostingsWorld): Summaries {
  const summaries = SUMMARIES.get(world) ?? new Summaries(world);
  SUMMARIES.set(world, summaries);
  return summaries;
}

/** A summary of an insight, through the messages of the service. */
export async function summaryOf(
  world: PostingsWorld,
  insight: Pick<InsightRecord, "id">,
  request: Omit<MessageInitShape<typeof SummarizeRequestSchema>, "id" | "$typeName"> = {},
): Promise<Summary> {
  const asked = create(SummarizeRequestSchema, { filter: OCTOBER, ...request, id: BigInt(insight.id) });
  const caller = { companyId: COMPANY, signal: new AbortController().signal };
  const { summary } = await summariesOf(world).summarize(asked, caller);
  return create(SummarySchema, summary);
}

/** Ends the analyses that are due, with results that depend on the posting. */
export async function analyzeAll(
  world: PostingsWorld & { store: Pick<Store, "commit"> },
  insight: InsightRecord,
  resultsOf: (posting: PostingRecord) => Partial<PostingResults> = () => ({}),
): Promise<void> {
  const works = await world.collections.work.find({ insightId: insight.id });
  const attempts = [];
  for (const work of works) {
    const posting = await world.collections.postings.get(work.id);
    if (posting === undefined) continue;
    attempts.push({ work, posting, insight, results: { ...noResults(), ...resultsOf(posting) } });
  }
  for (const { holder } of works.slice(0, 1)) await endWork(world, holder ?? "holder", attempts);
  await world.collections.work.delete({ insightId: insight.id });
}

/** Recounts all that is dirty, as the background does in the end. */
export async function countAll(world: PostingsWorld): Promise<void> {
  for (const level of ["hour", "day", "month"] as const) {
    await recountDirty(world, await world.collections.dirtyBuckets.find({ level }));
  }
}

/** Values and counts of a list or a breakdown, as pairs. */
export function pairs(
  list: { values: readonly { value?: string | undefined; count: bigint }[] } | undefined,
): [string | undefined, number][] {
  return (list?.values ?? []).map(({ value, count }) => [value, Number(count)]);
}
