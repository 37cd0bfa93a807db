import {
  AppError,
  type ChoreRecord,
  choresOf,
  type Collection,
  type CollectionDeclaration,
  declared,
  type DeclaredCollection,
  DUE_INDEX,
  ofCompany,
  ofParent,
  ofParentMark,
  type Store,
  type StoredKey,
} from "@hourglass/runtime";
import type {
  AnalysisBatch,
  DirtyBucket,
  ExplanationRequest,
  ExportingCompany,
  FormerVersion,
  InsightRecord,
  PostingErasure,
  PostingImport,
  PostingRecord,
  PostingSegment,
  PostingWork,
  Reanalysis,
  RecheckRecord,
  SearchRecord,
  SummaryBucket,
  SummaryPiece,
  SummaryRecount,
  Tombstone,
} from "./records.js";

/** The collections shared by the parts of this service. No other service reads or writes them. */
export interface Collections {
  insights: Collection<InsightRecord>;
  versions: Collection<FormerVersion>;
  searches: Collection<SearchRecord>;
  postings: Collection<PostingRecord>;
  work: Collection<PostingWork>;
  batches: Collection<AnalysisBatch>;
  reanalyses: Collection<Reanalysis>;
  explanations: Collection<ExplanationRequest>;
  imports: Collection<PostingImport>;
  rechecks: Collection<RecheckRecord>;
  erasures: Collection<PostingErasure>;
  exporting: Collection<ExportingCompany>;
  dirtyBuckets: Collection<DirtyBucket>;
  summaryBuckets: Collection<SummaryBucket>;
  summaryPieces: Collection<SummaryPiece>;
  segments: Collection<PostingSegment>;
  recounts: Collection<SummaryRecount>;
  chores: Collection<ChoreRecord>;
  tombstones: Collection<Tombstone>;
  /** The key of the digests of all tombstones: without it, their ids could be guessed. */
  tombstoneKeys: Collection<StoredKey>;
}

export const INSIGHTS: CollectionDeclaration<InsightRecord> = {
  name: "insights",
  indexes: [
    { fields: ["companyId", "id"] },
    { fields: ["companyId", "sortName", "id"] },
    { fields: ["companyId", "activeAt", "id"] },
    { fields: ["companyId", "postings", "id"] },
    { fields: ["idempotency"], unique: true },
    DUE_INDEX,
  ],
  belongs: [ofCompany("companyId")],
  halt: {
    where: { status: { ne: "deleted" } },
    change: { set: { status: "deleted", dueAt: null }, increment: { epoch: 1 } },
  },
};

export const VERSIONS: CollectionDeclaration<FormerVersion> = {
  name: "insight_versions",
  indexes: [{ fields: ["insightId", "version"] }],
  belongs: [ofParent(INSIGHTS.name, "insightId"), ofCompany("companyId")],
};

const SEARCHES: CollectionDeclaration<SearchRecord> = {
  name: "insight_searches",
  indexes: [{ fields: ["insightId"] }, { fields: ["platform", "status"] }, { fields: ["nextAt"] }, DUE_INDEX],
  belongs: [ofParent(INSIGHTS.name, "insightId"), ofCompany("companyId")],
  halt: { where: { dueAt: { ne: null } }, change: { set: { dueAt: null }, increment: { epoch: 1 } } },
};

const POSTINGS: CollectionDeclaration<PostingRecord> = {
  name: "postings",
  indexes: [
    // As `postingOrder` says.
    { fields: ["insightId", "postedAt", "socialId", "id"] },
    { fields: ["insightId", "listedAt", "socialId", "id"] },
    { fields: ["companyId", "platform", "socialId"] },
    // With the id: reading one posting of an author reads no other.
    { fields: ["companyId", "platform", "authorId", "id"] },
  ],
  belongs: [ofCompany("companyId")],
};

const WORK: CollectionDeclaration<PostingWork> = {
  name: "posting_work",
  indexes: [
    { fields: ["preview", "companyId", "dueAt"] },
    { fields: ["preview", "companyId", "insightId", "dueAt"] },
    { fields: ["insightId", "batch"] },
  ],
  belongs: [ofParent(INSIGHTS.name, "insightId"), ofCompany("companyId")],
};

const BATCHES: CollectionDeclaration<AnalysisBatch> = {
  name: "posting_batches",
  indexes: [DUE_INDEX, { fields: ["companyId", "preview"] }],
  belongs: [ofCompany("companyId")],
};

const REANALYSES: CollectionDeclaration<Reanalysis> = {
  name: "posting_reanalyses",
  indexes: [DUE_INDEX],
  belongs: [ofParent(INSIGHTS.name, "id"), ofCompany("companyId")],
  halt: { where: { dueAt: { ne: null } }, change: { set: { dueAt: null } } },
};

const EXPLANATIONS: CollectionDeclaration<ExplanationRequest> = {
  name: "posting_explanations",
  indexes: [DUE_INDEX],
  belongs: [ofCompany("companyId")],
};

const IMPORTS: CollectionDeclaration<PostingImport> = {
  name: "posting_imports",
  indexes: [{ fields: ["idempotency"], unique: true }, { fields: ["insightId"] }, DUE_INDEX],
  belongs: [ofCompany("companyId")],
};

const RECHECKS: CollectionDeclaration<RecheckRecord> = {
  name: "posting_rechecks",
  indexes: [DUE_INDEX],
  belongs: [ofCompany("companyId")],
};

const ERASURES: CollectionDeclaration<PostingErasure> = {
  name: "posting_erasures",
  indexes: [DUE_INDEX, { fields: ["companyId", "dueAt", "id"] }],
  belongs: [ofCompany("companyId")],
};

const EXPORTING: CollectionDeclaration<ExportingCompany> = { name: "exporting_companies", belongs: [ofCompany("id")] };

const DIRTY_BUCKETS: CollectionDeclaration<DirtyBucket> = {
  name: "summary_marks",
  indexes: [{ fields: ["insightId", "level", "start"] }, DUE_INDEX],
  belongs: [ofParent(INSIGHTS.name, "insightId")],
};

const SUMMARY_BUCKETS: CollectionDeclaration<SummaryBucket> = {
  name: "summary_buckets",
  indexes: [{ fields: ["insightId", "level", "start"] }],
  belongs: [ofParent(INSIGHTS.name, "insightId")],
};

const SUMMARY_PIECES: CollectionDeclaration<SummaryPiece> = {
  name: "summary_pieces",
  indexes: [{ fields: ["bucket"] }],
  belongs: [ofParentMark(INSIGHTS.name, "bucket")],
};

const SEGMENTS: CollectionDeclaration<PostingSegment> = {
  name: "posting_segments",
  indexes: [{ fields: ["bucket", "group"] }],
  belongs: [ofParentMark(INSIGHTS.name, "bucket")],
};

const RECOUNTS: CollectionDeclaration<SummaryRecount> = {
  name: "summary_recounts",
  indexes: [DUE_INDEX],
  belongs: [ofParent(INSIGHTS.name, "id")],
};

const CHORES = choresOf("insight");

const TOMBSTONES: CollectionDeclaration<Tombstone> = { name: "posting_tombstones", belongs: [ofCompany("companyId")] };

const TOMBSTONE_KEYS: CollectionDeclaration<StoredKey> = {
  name: "tombstone_keys",
  belongs: { because: "one key makes the digests of all companies" },
};

/**
 * The collections that the parts share, in the order in which they are erased: dirty buckets before counted ones, since
 * a recount stores nothing once the record of its dirty bucket is gone. Reanalyses, which add work, go first.
 */
export const SHARED_COLLECTIONS: readonly DeclaredCollection[] = [
  declared(REANALYSES),
  declared(EXPLANATIONS),
  declared(BATCHES),
  declared(WORK),
  declared(POSTINGS),
  declared(IMPORTS),
  declared(RECHECKS),
  declared(ERASURES),
  declared(EXPORTING),
  declared(RECOUNTS),
  declared(DIRTY_BUCKETS),
  declared(SUMMARY_PIECES),
  declared(SEGMENTS),
  declared(SUMMARY_BUCKETS),
  declared(CHORES),
  declared(TOMBSTONES),
  declared(TOMBSTONE_KEYS),
  declared(SEARCHES),
  declared(VERSIONS),
  declared(INSIGHTS),
];

/** Opens the collections of what is to be done, and none besides: one that an older release has filled gets no new indexes. */
export async function openWork(
  store: Pick<Store, "collection">,
): Promise<Pick<Collections, "searches" | "work" | "batches">> {
  return {
    searches: await store.collection(SEARCHES),
    work: await store.collection(WORK),
    batches: await store.collection(BATCHES),
  };
}

/** Opens the collections, creating what is missing. */
export async function openCollections(store: Store): Promise<Collections> {
  return {
    insights: await store.collection(INSIGHTS),
    versions: await store.collection(VERSIONS),
    searches: await store.collection(SEARCHES),
    postings: await store.collection(POSTINGS),
    work: await store.collection(WORK),
    batches: await store.collection(BATCHES),
    reanalyses: await store.collection(REANALYSES),
    explanations: await store.collection(EXPLANATIONS),
    imports: await store.collection(IMPORTS),
    rechecks: await store.collection(RECHECKS),
    erasures: await store.collection(ERASURES),
    exporting: await store.collection(EXPORTING),
    dirtyBuckets: await store.collection(DIRTY_BUCKETS),
    summaryBuckets: await store.collection(SUMMARY_BUCKETS),
    summaryPieces: await store.collection(SUMMARY_PIECES),
    segments: await store.collection(SEGMENTS),
    recounts: await store.collection(RECOUNTS),
    chores: await store.collection(CHORES),
    tombstones: await store.collection(TOMBSTONES),
    tombstoneKeys: await store.collection(TOMBSTONE_KEYS),
  };
}

/** The insight. Throws AppError `not-found` if it is unknown, deleted or another company's. */
export async function findInsight(
  insights: Collection<InsightRecord>,
  id: number,
  companyId: number,
): Promise<InsightRecord> {
  const record = await insights.get(id);
  if (record?.companyId !== companyId || record.status === "deleted") throw insightNotFound();
  return record;
}

/** The failure for an insight that is unknown, deleted or another company's. */
export function insightNotFound(): AppError {
  return new AppError("not-found", "There is no such insight.", { code: "insight_not_found" });
}
