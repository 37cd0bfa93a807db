import type { InsightQuery } from "@hourglass/proto/insight/v1/insight";
import { InsightService, type PostingFilter } from "@hourglass/proto/insight/v1/insight_service";
import { type AuthenticatedContext, type Handlers, route, type Route, type Rules } from "@hourglass/runtime";
import type { ChangeStatus } from "../insights/change-status.js";
import type { CheckInsight } from "../insights/check-insight.js";
import type { CreateInsight } from "../insights/create-insight.js";
import type { DeleteInsight } from "../insights/delete-insight.js";
import type { GetCoverage } from "../insights/get-coverage.js";
import { keywordMistakes } from "../query/parser.js";
import { NOTICE_OF_PAUSE, noticeOfResume } from "../insights/notices.js";
import type { GetInsight, ListInsights } from "../insights/read-insights.js";
import type { Platforms } from "../platforms/registry.js";
import type { CountPostings } from "../postings/listing/count-postings.js";
import type { EndErasures, ListErasures } from "../postings/erasing/pending-erasures.js";
import type { ErasePostings } from "../postings/erasing/erase-postings.js";
import type { ImportPostings } from "../postings/importing/import-postings.js";
import type { ListPostings } from "../postings/listing/list-postings.js";
import type { LookUpInsights } from "../postings/listing/look-up-insights.js";
import type { StreamPostings } from "../postings/listing/stream-postings.js";
import type { Summaries } from "../summary/summarize.js";
import { fromCoverageRequest, toCoverage } from "../messages/coverage-messages.js";
import { fromQuery, toCheck, toInsight, toPlatformInfo } from "../messages/insight-messages.js";
import type { Revisions } from "./revisions.js";
import { unknownLabels } from "./label-rules.js";
import { lackedPlatforms } from "./platform-rules.js";

export interface InsightUseCases {
  createInsight: CreateInsight;
  checkInsight: CheckInsight;
  getInsight: GetInsight;
  listInsights: ListInsights;
  lookUpInsights: LookUpInsights;
  pauseInsight: ChangeStatus;
  resumeInsight: ChangeStatus;
  deleteInsight: DeleteInsight;
  importPostings: ImportPostings;
  listPostings: ListPostings;
  streamPostings: StreamPostings;
  countPostings: CountPostings;
  erasePostings: ErasePostings;
  listErasures: ListErasures;
  endErasures: EndErasures;
  getCoverage: GetCoverage;
  summaries: Summaries;
  revisions: Revisions;
}

/** The service's methods. */
export function insightRoute(useCases: InsightUseCases, platforms: Platforms): Route {
  const handlers: Handlers<typeof InsightService> = {
    ...handlersOfInsights(useCases, platforms),
    ...handlersOfPostings(useCases),
  };
  const lacks = lackedPlatforms([...platforms.keys()]);
  const mistakesOf = (query: InsightQuery | undefined) => [
    ...keywordMistakes(query?.keywords),
    ...lacks(query?.platforms, "query.platforms"),
  ];
  const mistakesIn = (filter: PostingFilter | undefined) => [
    ...unknownLabels(filter),
    ...lacks(filter?.platforms, "filter.platforms"),
  ];
  const rules: Rules<typeof InsightService> = {
    createInsight: ({ query }) => mistakesOf(query),
    checkInsight: ({ query }) => mistakesOf(query),
    listPostings: ({ filter }) => mistakesIn(filter),
    summarize: ({ filter }) => mistakesIn(filter),
    erasePostings: ({ platform }) => lacks(platform, "platform"),
  };
  return route(InsightService, handlers, { product: "insight", rules });
}

function handlersOfInsights(useCases: InsightUseCases, platforms: Platforms): Handlers<typeof InsightService> {
  return {
    createInsight: async ({ query, idempotencyKey }, context) => {
      const wanted = { companyId: companyOf(context), query: fromQuery(query), idempotencyKey };
      const { id, notice } = await useCases.createInsight(wanted);
      return { id: BigInt(id), notice };
    },
    checkInsight: async ({ query }) => toCheck(await useCases.checkInsight(fromQuery(query))),
    getInsight: async ({ id }, context) => ({
      insight: toInsight(await useCases.getInsight(Number(id), companyOf(context))),
    }),
    listInsights: async ({ limit, cursor }, context) => {
      const { records, nextCursor } = await useCases.listInsights(companyOf(context), { limit, cursor });
      return { insights: records.map(toInsight), nextCursor };
    },
    lookUpInsights: (request, context) => useCases.lookUpInsights(request, companyOf(context)),
    pauseInsight: async ({ id }, context) => {
      await useCases.pauseInsight(Number(id), companyOf(context));
      return { notice: NOTICE_OF_PAUSE };
    },
    resumeInsight: async ({ id }, context) => {
      const { query } = await useCases.resumeInsight(Number(id), companyOf(context));
      return { notice: noticeOfResume(query) };
    },
    deleteInsight: async ({ id }, context) => {
      await useCases.deleteInsight(Number(id), companyOf(context));
      return {};
    },
    getCoverage: async (request, context) => {
      const coverage = await useCases.getCoverage(fromCoverageRequest(request, companyOf(context)));
      return { platforms: coverage.map(toCoverage) };
    },
    listPlatforms: () =>
      Promise.resolve({ platforms: [...platforms.keys()].map((name) => toPlatformInfo(name, platforms)) }),
  };
}

function handlersOfPostings(useCases: InsightUseCases): Handlers<typeof InsightService> {
  return {
    importPostings: (requests, context) => useCases.importPostings(requests, companyOf(context)),
    listPostings: async (request, context) => {
      const revision = useCases.revisions.ofPage(companyOf(context));
      if (isKnown(revision, request)) return { revision, unchanged: true };
      return { ...(await useCases.listPostings(request, companyOf(context))), revision };
    },
    streamPostings: (request, context) =>
      useCases.streamPostings(request, { companyId: companyOf(context), isService: context.service !== undefined }),
    countPostings: (request, context) => useCases.countPostings(request, companyOf(context)),
    erasePostings: (request, context) => useCases.erasePostings(request, companyOf(context), userOf(context)),
    listErasures: (_, context) => useCases.listErasures(companyOf(context)),
    endErasures: ({ ids }, context) => useCases.endErasures(ids, companyOf(context)),
    summarize: async (request, context) => {
      const caller = { companyId: companyOf(context), signal: context.signal };
      const revision = useCases.revisions.ofSummary(caller.companyId);
      if (isKnown(revision, request)) return { revision, unchanged: true };
      return { ...(await useCases.summaries.summarize(request, caller)), revision };
    },
  };
}

/** Whether the caller has the answer of this revision, which is empty if there is none. */
function isKnown(revision: string, { knownRevision }: { knownRevision: string }): boolean {
  return revision !== "" && knownRevision === revision;
}

/** Undefined for a service. */
function userOf({ principal }: AuthenticatedContext): number | undefined {
  return "userId" in principal ? principal.userId : undefined;
}

function companyOf({ principal }: AuthenticatedContext): number {
  return principal.companyId;
}
