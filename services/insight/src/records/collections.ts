import { type Collection, DUE_INDEX, type Store, type StoredKey } from "@hourglass/runtime";
import type { InsightRecord } from "./insight.js";
import type { PostingRecord, PostingWork } from "./posting.js";
import type { ExportingCompany, PostingErasure } from "./posting-erasure.js";
import type { PostingImport } from "./posting-import.js";
import type { RecheckRecord } from "./recheck.js";
import type { SearchRecord } from "./search.js";
import type { SummaryBucket, SummaryMark, SummaryPiece } from "./summary.js";
import type { Tombstone } from "./tombstone.js";

/** The collections shared by the parts of this service. No other service reads or writes them. */
export interface Collections {
  insights: Collection<InsightRecord>;
  searches: Collection<SearchRecord>;
  postings: Collection<PostingRecord>;
  work: Collection<PostingWork>;
  imports: Collection<PostingImport>;
  rechecks: Collection<RecheckRecord>;
  erasures: Collection<PostingErasure>;
  exporting: Collection<ExportingCompany>;
  summaryMarks: Collection<SummaryMark>;
  summaryBuckets: Collection<SummaryBucket>;
  summaryPieces: Collection<SummaryPiece>;
  tombstones: Collection<Tombstone>;
  /** The key of the digests of all tombstones: without it, their ids could be guessed. */
  tombstoneKeys: Collection<StoredKey>;
}

/** Opens the collections, creating what is missing. */
export async function openCollections(store: Store): Promise<Collections> {
  return {
    insights: await store.collection<InsightRecord>({
      name: "insights",
      indexes: [{ fields: ["companyId", "id"] }, { fields: ["idempotency"], unique: true }, DUE_INDEX],
    }),
    searches: await store.collection<SearchRecord>({
      name: "insight_searches",
      indexes: [{ fields: ["insightId"] }, { fields: ["platform", "status"] }, DUE_INDEX],
    }),
    postings: await store.collection<PostingRecord>({
      name: "postings",
      indexes: [
        { fields: ["insightId", "postedAt", "id"] },
        { fields: ["insightId", "listedAt", "id"] },
        { fields: ["companyId", "platform", "socialId"] },
        // With the id: reading one posting of an author reads no other.
        { fields: ["companyId", "platform", "authorId", "id"] },
      ],
    }),
    work: await store.collection<PostingWork>({
      name: "posting_work",
      indexes: [{ fields: ["preview", "companyId", "dueAt"] }, { fields: ["insightId", "batch"] }],
    }),
    imports: await store.collection<PostingImport>({
      name: "posting_imports",
      indexes: [{ fields: ["idempotency"], unique: true }, { fields: ["insightId"] }, DUE_INDEX],
    }),
    rechecks: await store.collection<RecheckRecord>({ name: "posting_rechecks", indexes: [DUE_INDEX] }),
    erasures: await store.collection<PostingErasure>({
      name: "posting_erasures",
      indexes: [DUE_INDEX, { fields: ["companyId", "dueAt", "id"] }],
    }),
    exporting: await store.collection<ExportingCompany>({ name: "exporting_companies" }),
    summaryMarks: await store.collection<SummaryMark>({
      name: "summary_marks",
      indexes: [{ fields: ["insightId", "level", "start"] }, DUE_INDEX],
    }),
    summaryBuckets: await store.collection<SummaryBucket>({
      name: "summary_buckets",
      indexes: [{ fields: ["insightId", "level", "start"] }],
    }),
    summaryPieces: await store.collection<SummaryPiece>({ name: "summary_pieces", indexes: [{ fields: ["bucket"] }] }),
    tombstones: await store.collection<Tombstone>({ name: "posting_tombstones" }),
    tombstoneKeys: await store.collection<StoredKey>({ name: "tombstone_keys" }),
  };
}
