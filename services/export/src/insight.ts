import { fromJson } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { PlatformCoverage } from "@hourglass/proto/insight/v1/coverage";
import {
  type Erasure,
  InsightService,
  type PostingFilter,
  PostingFilterSchema,
} from "@hourglass/proto/insight/v1/insight_service";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { type Client, connectService, type ServiceTokens } from "@hourglass/runtime";
import { type ExportedCoverage, type ExportRecord, startOfDate } from "./store.js";

/** The insight service, and the tokens for calling it without a user. */
export interface Insight {
  client: Client<typeof InsightService>;
  serviceTokens: Pick<ServiceTokens, "call" | "isActive">;
}

/** The insight service of another process. */
export function connectInsight(part: Parameters<typeof connectService>[0]): Promise<Insight> {
  return connectService(part, InsightService, "insight");
}

/** Postings of insights in a range of dates. */
export type ExportedRange = Pick<ExportRecord, "companyId" | "insights" | "startDate" | "endDate" | "filter">;

const COUNT_TIMEOUT_MS = 120_000;

/** The calls of the insight service that exports need. All but `lookUp` are made by a token of this service. */
export class InsightCalls {
  constructor(private readonly insight: Insight) {}

  /**
   * The watermarks of those of the insights that the user of the token may read, by their ids. Throws AppError `invalid` for a
   * wrong filter.
   */
  async lookUp(
    ids: readonly number[],
    filter: PostingFilter | undefined,
    { token, requestId, signal }: { token: string; requestId: string; signal: AbortSignal },
  ): Promise<ReadonlyMap<number, number>> {
    const request = { ids: ids.map(BigInt), ...(filter !== undefined && { filter }) };
    const { insights } = await this.insight.client.lookUpInsights(request, { token, requestId, signal });
    return new Map(insights.map(({ id, watermark }) => [Number(id), Number(watermark)]));
  }

  /** Whether the company may use the product to which exports belong. */
  isActive(companyId: number): Promise<boolean> {
    return this.insight.serviceTokens.isActive(companyId, "insight");
  }

  /** Counts the postings of a range, and those whose analysis has not ended. */
  async count(range: ExportedRange, signal: AbortSignal): Promise<{ total: number; unanalysed: number }> {
    const { client, serviceTokens } = this.insight;
    const counted = await serviceTokens.call(range.companyId, (token) =>
      client.countPostings(requestOf(range), { token, signal, timeoutMs: COUNT_TIMEOUT_MS }),
    );
    return { total: Number(counted.total), unanalysed: Number(counted.unanalysed) };
  }

  /** For which spans of the range each insight was collected completely. Fails if one is deleted. */
  async coverage(
    { companyId, insights, startDate, endDate }: ExportedRange,
    signal: AbortSignal,
  ): Promise<ExportedCoverage[]> {
    const { client, serviceTokens } = this.insight;
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

  /** The postings of a range, in the order of exports. Fails if an insight is deleted before the end. */
  async *stream(range: ExportedRange, signal: AbortSignal): AsyncGenerator<readonly Posting[]> {
    const { client, serviceTokens } = this.insight;
    // The first message shows whether the token is accepted.
    const { messages, first } = await serviceTokens.call(range.companyId, async (token) => {
      const stream = client.streamPostings({ ...requestOf(range), ...filterOf(range) }, { token, signal });
      const messages = stream[Symbol.asyncIterator]();
      return { messages, first: await messages.next() };
    });
    try {
      for (let next = first; next.done !== true; next = await messages.next()) yield next.value.postings;
    } finally {
      await messages.return?.();
    }
  }

  /** The erasures of a company that were not ended yet. Their postings are gone from Insight. */
  async listErasures(companyId: number): Promise<Erasure[]> {
    const { client, serviceTokens } = this.insight;
    return (await serviceTokens.call(companyId, (token) => client.listErasures({}, { token }))).erasures;
  }

  /** Tells Insight that the erasures have reached all exports. */
  async endErasures(companyId: number, erasures: readonly number[]): Promise<void> {
    const { client, serviceTokens } = this.insight;
    await serviceTokens.call(companyId, (token) => client.endErasures({ ids: erasures.map(BigInt) }, { token }));
  }
}

/** The filter of an export, to be spread into a message. */
export function filterOf({ filter }: Pick<ExportRecord, "filter">): { filter?: PostingFilter } {
  if (filter === undefined) return {};
  // A release that did not know one of its kinds would export more than was asked for.
  return { filter: fromJson(PostingFilterSchema, filter) };
}

function requestOf({ insights, startDate, endDate }: ExportedRange) {
  return {
    insights: insights.map(({ id, watermark }) => ({ id: BigInt(id), watermark: BigInt(watermark) })),
    start: timestampFromMs(startOfDate(startDate)),
    end: timestampFromMs(startOfDate(endDate)),
  };
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
