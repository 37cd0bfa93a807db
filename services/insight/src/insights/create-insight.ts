import { createHash } from "node:crypto";
import { failpoint, findByMark, insertStep, keyReused, markOf, type Store, winnerOf } from "@hourglass/runtime";
import { newSearch } from "../collect/search/search-record.js";
import { missingFor, type Platforms } from "../platforms/registry.js";
import { termsOf } from "../query/ast.js";
import type { Collections } from "../records/collections.js";
import { type InsightQuery, type InsightRecord, newInsight } from "../records/insight.js";
import { noticeOfCreation } from "./notices.js";
import { placesOfQuery } from "./query-places.js";
import { parseKeywords } from "../query/parser.js";

export interface CreateInsightDeps {
  store: Pick<Store, "nextId" | "commit">;
  collections: Pick<Collections, "insights" | "searches">;
  platforms: Platforms;
  now: () => number;
}

export interface NewInsight {
  companyId: number;
  query: InsightQuery;
  /** Empty: none. */
  idempotencyKey: string;
}

/**
 * Stores an insight and its searches, which start by themselves. Throws AppError `invalid` for keywords that cannot be
 * parsed, for a location without a known place, and for a key that was used for another request.
 */
export type CreateInsight = (request: NewInsight) => Promise<{ id: number; notice: string }>;

export function createCreateInsight(deps: CreateInsightDeps): CreateInsight {
  const { store, collections, platforms, now } = deps;
  return async ({ companyId, query, idempotencyKey }) => {
    const terms = termsOf(parseKeywords(query.keywords));
    const places = await placesOfQuery(query, platforms);
    const key = keyOf(companyId, idempotencyKey, query);
    const findEarlier = key && (() => findByKey(collections, key, now()));
    const answer = ({ id, query: stored }: InsightRecord) => ({
      id,
      notice: noticeOfCreation(stored, platforms, places),
    });
    const earlier = await findEarlier?.();
    if (earlier !== undefined) return answer(earlier);
    const id = await store.nextId("insights");
    const insight = newInsight({ id, companyId, query, terms, createdAt: now(), ...key });
    const searches = query.platforms.map((platform) =>
      newSearch(insight, platform, { now: insight.createdAt, missing: missingFor(platforms, platform) }),
    );
    try {
      await store.commit([insertStep(collections.insights, insight), insertStep(collections.searches, ...searches)]);
    } catch (error) {
      return answer(await winnerOf(error, findEarlier));
    }
    failpoint("insight.after_create");
    return answer(insight);
  };
}

type Key = Pick<InsightRecord, "requestHash"> & { idempotency: string };

/** Undefined for a request without a key. */
function keyOf(companyId: number, idempotencyKey: string, query: InsightQuery): Key | undefined {
  const idempotency = markOf(companyId, idempotencyKey);
  if (idempotency === undefined) return undefined;
  return { idempotency, requestHash: createHash("sha256").update(JSON.stringify(query)).digest("base64url") };
}

async function findByKey(
  { insights }: Pick<Collections, "insights">,
  { idempotency, requestHash }: Key,
  now: number,
): Promise<InsightRecord | undefined> {
  const found = await findByMark(insights, idempotency, now);
  if (found !== undefined && found.requestHash !== requestHash) throw keyReused("idempotency_key");
  return found;
}
