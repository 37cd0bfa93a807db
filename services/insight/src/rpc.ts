import { create } from "@bufbuild/protobuf";
import { PLATFORM } from "@hourglass/posting";
import { type InsightQuery, InsightQuerySchema } from "@hourglass/proto/insight/v1/insight";
import {
  InsightService,
  type PostingFilter,
  type UpdateInsightRequest,
} from "@hourglass/proto/insight/v1/insight_service";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import {
  authorOfCall,
  type AuthenticatedContext,
  changesBetween,
  type FieldViolation,
  findViolations,
  giveOneOf,
  type Handlers,
  metadataOf,
  route,
  type Route,
  type Rules,
  type Store,
} from "@hourglass/runtime";
import type { AnnounceChange } from "./change-insight.js";
import { type Insights, NOTICE_OF_PAUSE, noticeOfResume, type WantedInsights } from "./insights.js";
import {
  fromChange,
  fromCoverageRequest,
  fromQuery,
  INSIGHT_STATUS,
  toCheck,
  toCoverage,
  toInsight,
  toPlatformInfo,
} from "./messages.js";
import type { Platforms } from "./platforms/registry.js";
import type { PostingErasures } from "./postings/erase.js";
import type { PostingImports } from "./postings/import.js";
import type { PostingLists } from "./postings/list.js";
import type { PostingReads } from "./postings/one.js";
import type { PostingStreams } from "./postings/stream.js";
import { keywordMistakes, keywordWarnings } from "./query/parser.js";
import { impossibleValues } from "./segments/impossible-values.js";
import type { Collections } from "./store/collections.js";
import { type InsightRecord, metadataIn, storedMetadata } from "./store/records.js";
import type { InsightSort } from "./store/sort-keys.js";
import { MINUTE_MS } from "./summary/periods.js";
import type { Summaries } from "./summary/summarize.js";

interface InsightUseCases {
  insights: Insights;
  imports: PostingImports;
  lists: PostingLists;
  reads: PostingReads;
  streams: PostingStreams;
  erasures: PostingErasures;
  summaries: Summaries;
  revisions: Revisions;
}

/** The service's methods. */
export function insightRoute(useCases: InsightUseCases, platforms: Platforms): Route {
  const handlers: Handlers<typeof InsightService> = {
    ...handlersOfInsights(useCases, platforms),
    ...handlersOfPostings(useCases),
  };
  const unavailable = unavailablePlatforms([...platforms.keys()]);
  const mistakesOf = (query: InsightQuery | undefined) => [
    ...keywordMistakes(query?.keywords),
    ...unavailable(query?.platforms, "query.platforms"),
  ];
  const mistakesIn = (filter: PostingFilter | undefined) => [
    ...impossibleValues(filter),
    ...unavailable(filter?.platforms, "filter.platforms"),
    ...keywordMistakes(filter?.q, "filter.q"),
  ];
  const rules: Rules<typeof InsightService> = {
    createInsight: ({ query }) => mistakesOf(query),
    checkInsight: ({ query }) => mistakesOf(query),
    updateInsight: (request) => mistakesOfChange(request, unavailable),
    lookUpInsights: ({ filter }) => mistakesIn(filter),
    listPostings: ({ filter }) => mistakesIn(filter),
    summarize: ({ filter }) => mistakesIn(filter),
    // The filter of an export, which may be older than the list of platforms.
    streamPostings: ({ filter }) => impossibleValues(filter),
    erasePostings: ({ platform }) => unavailable(platform, "platform"),
  };
  return route(InsightService, handlers, { product: "insight", rules });
}

function handlersOfInsights(useCases: InsightUseCases, platforms: Platforms): Handlers<typeof InsightService> {
  const nameInAudit = async (id: bigint, context: AuthenticatedContext) => {
    const insight = await useCases.insights.find(Number(id), companyOf(context));
    await context.describeAct({ recordName: labelOf(insight) });
  };
  return {
    createInsight: async ({ query, idempotencyKey, name, note, metadata: given }, context) => {
      const from = { companyId: companyOf(context), createdBy: authorOfCall(context) };
      const metadata = metadataOf(given);
      const wanted = { ...from, query: fromQuery(query), idempotencyKey, name, note, metadata };
      const changes = changesBetween({}, shownOf({ ...wanted, metadata: storedMetadata(metadata) }));
      await context.describeAct({ recordName: name || wanted.query.keywords, changes });
      const { id, notice, replayed } = await useCases.insights.create(wanted);
      return { id: BigInt(id), notice, replayed, warnings: keywordWarnings(wanted.query.keywords) };
    },
    checkInsight: async ({ query }) => toCheck(await useCases.insights.check(fromQuery(query))),
    getInsight: async ({ id }, context) => ({
      insight: toInsight(await useCases.insights.get(Number(id), companyOf(context))),
    }),
    listInsights: async ({ limit, cursor, status, q, sort, ascending, metadata }, context) => {
      const order = { ...(sort !== "" && { sort: sort as InsightSort }), ascending };
      const wanted = {
        q,
        metadata: metadataOf(metadata),
        ...order,
        ...(status !== undefined && { status: INSIGHT_STATUS.nameOf(status) as ShownStatus }),
      };
      const { records, nextCursor } = await useCases.insights.list(companyOf(context), wanted, { limit, cursor });
      return { insights: records.map(toInsight), nextCursor };
    },
    lookUpInsights: (request, context) => useCases.streams.lookUp(request, companyOf(context)),
    updateInsight: async (request, context) => {
      const announce: AnnounceChange = (before, after) =>
        context.describeAct({ recordName: labelOf(before), changes: changesBetween(shownOf(before), shownOf(after)) });
      const { ifMatch } = request;
      const change = { ...fromChange(request, authorOfCall(context)), announce, ifMatch };
      const insight = await useCases.insights.update(Number(request.id), companyOf(context), change);
      return { insight: toInsight(insight), warnings: keywordWarnings(request.keywords ?? "") };
    },
    pauseInsight: async ({ id }, context) => {
      await nameInAudit(id, context);
      await useCases.insights.pause(Number(id), companyOf(context));
      return { notice: NOTICE_OF_PAUSE };
    },
    resumeInsight: async ({ id }, context) => {
      await nameInAudit(id, context);
      const { query } = await useCases.insights.resume(Number(id), companyOf(context));
      return { notice: noticeOfResume(query) };
    },
    deleteInsight: async ({ id, ifMatch }, context) => {
      await nameInAudit(id, context);
      await useCases.insights.delete(Number(id), companyOf(context), ifMatch);
      return {};
    },
    getCoverage: async (request, context) => {
      const coverage = await useCases.insights.coverage(fromCoverageRequest(request, companyOf(context)));
      return { platforms: coverage.map(toCoverage) };
    },
    listPlatforms: () =>
      Promise.resolve({ platforms: [...platforms.keys()].map((name) => toPlatformInfo(name, platforms)) }),
  };
}

function handlersOfPostings(useCases: InsightUseCases): Handlers<typeof InsightService> {
  return {
    importPostings: (requests, context) =>
      useCases.imports.import(requests, companyOf(context), ({ id, ...insight }) =>
        context.describeAct({ recordId: id, recordName: labelOf(insight) }),
      ),
    validatePostings: (requests, context) => useCases.imports.validate(requests, companyOf(context)),
    listPostings: async (request, context) => {
      const revision = useCases.revisions.ofPage(companyOf(context));
      if (isKnown(revision, request)) return { revision, unchanged: true };
      const caller = { companyId: companyOf(context), signal: context.signal };
      return { ...(await useCases.lists.read(request, caller)), revision };
    },
    getPosting: (request, context) =>
      useCases.reads.read(request, { companyId: companyOf(context), signal: context.signal }),
    streamPostings: (request, context) =>
      useCases.streams.read(request, { companyId: companyOf(context), isService: context.service !== undefined }),
    countPostings: (request, context) => useCases.streams.count(request, companyOf(context)),
    erasePostings: (request, context) => useCases.erasures.erase(request, companyOf(context), userOf(context)),
    listErasures: (_, context) => useCases.erasures.listPending(companyOf(context)),
    endErasures: ({ ids }, context) => useCases.erasures.endPending(ids, companyOf(context)),
    summarize: async (request, context) => {
      const caller = { companyId: companyOf(context), signal: context.signal };
      const revision = useCases.revisions.ofSummary(caller.companyId);
      if (isKnown(revision, request)) return { revision, unchanged: true };
      return { ...(await useCases.summaries.summarize(request, caller)), revision };
    },
  };
}

type ShownStatus = NonNullable<WantedInsights["status"]>;

/** Whether the caller has the response of this revision, which is empty if there is none. */
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

/** What the audit log calls an insight. */
function labelOf({ name = "", terms }: Pick<InsightRecord, "name" | "terms">): string {
  return name || terms;
}

/** What the audit log shows of an insight: what its users give it. */
function shownOf({
  name = "",
  note = "",
  metadata,
  query,
}: Pick<InsightRecord, "name" | "note" | "metadata" | "query">) {
  const { keywords, platforms, dimensions, location, sneakPeek: sneak_peek, follow } = query;
  const followed = Object.entries(follow).filter(([, list]) => list.length > 0);
  return {
    ...{
      name: name || null,
      note: note || null,
      metadata: metadata ? Object.fromEntries(metadataIn({ metadata })) : null,
      keywords,
      platforms,
      dimensions,
      location: location || null,
      sneak_peek,
    },
    follow: followed.length === 0 ? null : Object.fromEntries(followed),
  };
}

/** What is wrong with a changed query, by the rules of a whole one. */
function mistakesOfChange(
  { keywords, platforms: list, location }: UpdateInsightRequest,
  unavailable: FindUnavailable,
): FieldViolation[] {
  const platforms = list?.platforms;
  const given = {
    ...(keywords !== undefined && { keywords }),
    ...(platforms !== undefined && { platforms }),
    ...(location !== undefined && { location }),
  };
  const broken = findViolations(InsightQuerySchema, create(InsightQuerySchema, given)).filter(
    ({ field }) => field.replace(/\[.*/, "") in given,
  );
  const further = [...keywordMistakes(keywords, "keywords"), ...unavailable(platforms, "platforms")];
  const all = [...broken, ...further.filter(({ field }) => !broken.some((each) => each.field === field))];
  return all.map((each) => ({ ...each, field: each.field.replace(/^platforms/, "platforms.platforms") }));
}

/** What is wrong with a platform, or with a list of them, in a field of a request. */
type FindUnavailable = (given: Platform | readonly Platform[] | undefined, field: string) => FieldViolation[];

/**
 * Finds platforms that the contract knows and this server does not have. They are refused with the same sentence as
 * unknown ones; numbers outside the contract are left to its rules.
 */
function unavailablePlatforms(names: readonly string[]): FindUnavailable {
  const message = giveOneOf(names);
  const isUnavailable = (platform: Platform): boolean => {
    const name = PLATFORM.of(platform);
    return PLATFORM.names.includes(name) && !names.includes(name);
  };
  return (given = [], field) => {
    if (typeof given === "number") return isUnavailable(given) ? [{ field, message }] : [];
    return given.flatMap((platform, index) =>
      isUnavailable(platform) ? [{ field: `${field}[${index}]`, message }] : [],
    );
  };
}

/**
 * Names the state of all that a response is made of: responses of one revision to the same request of a company are the
 * same, whatever is written for other companies meanwhile. Empty where the store cannot tell.
 */
export class Revisions {
  constructor(private readonly deps: { store: Store; collections: Collections; now: () => number }) {}

  /** Of pages of postings. */
  ofPage(companyId: number): string {
    const { insights, postings } = this.deps.collections;
    return this.of([insights, postings], companyId);
  }

  /**
   * Of summaries, which tell until which minute an insight was collected. Buckets only hold what was counted of postings:
   * counting them in the background changes no summary.
   */
  ofSummary(companyId: number): string {
    const { insights, postings, searches } = this.deps.collections;
    const revision = this.of([insights, postings, searches], companyId);
    return revision === "" ? "" : `${revision}.${Math.floor(this.deps.now() / MINUTE_MS)}`;
  }

  private of(collections: readonly object[], companyId: number): string {
    const version = this.deps.store.versionOf(collections, companyId);
    return version === undefined ? "" : `${version}.${companyId}`;
  }
}
