import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { PlatformCoverage } from "@hourglass/proto/insight/v1/coverage";
import type { InsightService, StreamPostingsResponse } from "@hourglass/proto/insight/v1/insight_service";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import type { Client, ServiceTokens } from "@hourglass/runtime";
import { startOfDate } from "../records/dates.js";
import type { ExportedCoverage, ExportRecord } from "../records/export.js";

/** The insight service, and the tokens for calling it without a user. */
export interface Insight {
  client: Pick<
    Client<typeof InsightService>,
    "lookUpInsights" | "getCoverage" | "countPostings" | "streamPostings" | "listErasures" | "endErasures"
  >;
  serviceTokens: Pick<ServiceTokens, "call" | "isActive">;
}

type Wanted = Pick<ExportRecord, "companyId" | "insights" | "startDate" | "endDate">;

/** Counts the postings of an export, and those whose analysis has not ended. */
export async function countPostings(
  { client, serviceTokens }: Insight,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<{ total: number; unanalysed: number }> {
  const request = requestOf(wanted);
  const counted = await serviceTokens.call(wanted.companyId, (token) =>
    client.countPostings(request, { token, signal, timeoutMs: COUNT_TIMEOUT_MS }),
  );
  return { total: Number(counted.total), unanalysed: Number(counted.unanalysed) };
}

const COUNT_TIMEOUT_MS = 120_000;

/** For which spans of the range each insight of an export was collected completely. Fails if one is deleted. */
export async function readCoverage(
  { client, serviceTokens }: Insight,
  { companyId, insights, startDate, endDate }: Wanted,
  signal: AbortSignal,
): Promise<ExportedCoverage[]> {
  const range = { start: timestampFromMs(startOfDate(startDate)), end: timestampFromMs(startOfDate(endDate)) };
  const coverage: ExportedCoverage[] = [];
  for (const { id } of insights) {
    const { platforms } = await serviceTokens.call(companyId, (token) =>
      client.getCoverage({ id: BigInt(id), ...range }, { token, signal }),
    );
    coverage.push({ insightId: id, platforms: platforms.map(toStored) });
  }
  return coverage;
}

function toStored({ platform, spans }: PlatformCoverage): ExportedCoverage["platforms"][number] {
  const toMs = (moment: Timestamp | undefined) => (moment === undefined ? 0 : timestampMs(moment));
  return {
    platform,
    spans: spans.map(({ start, end, completeness, reasons }) => ({
      start: toMs(start),
      end: toMs(end),
      completeness,
      reasons,
    })),
  };
}

/** The postings of an export, in its order. Fails if an insight is deleted before the end. */
export async function* streamPostings(
  { client, serviceTokens }: Insight,
  wanted: Wanted,
  signal: AbortSignal,
): AsyncGenerator<readonly Posting[]> {
  const request = requestOf(wanted);
  // The first message shows whether the token is accepted.
  const begun = await serviceTokens.call(wanted.companyId, async (token) => {
    const messages = client.streamPostings(request, { token, signal })[Symbol.asyncIterator]();
    return { messages, first: await messages.next() };
  });
  yield* postingsOf(begun);
}

async function* postingsOf({
  messages,
  first,
}: {
  messages: AsyncIterator<StreamPostingsResponse>;
  first: IteratorResult<StreamPostingsResponse>;
}): AsyncGenerator<readonly Posting[]> {
  try {
    for (let next = first; next.done !== true; next = await messages.next()) yield next.value.postings;
  } finally {
    await messages.return?.();
  }
}

function requestOf({ insights, startDate, endDate }: Wanted) {
  return {
    insights: insights.map(({ id, watermark }) => ({ id: BigInt(id), watermark: BigInt(watermark) })),
    start: timestampFromMs(startOfDate(startDate)),
    end: timestampFromMs(startOfDate(endDate)),
  };
}
