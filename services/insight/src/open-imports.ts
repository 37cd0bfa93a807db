import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { ImportPostingsRequestSchema, type ImportPostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { NO_MEASUREMENTS, type Store } from "@hourglass/runtime";
import { insightNotFound, openCollections } from "./store/collections.js";
import { socialIdIn } from "./platforms/registry.js";
import { type ImportOutcome, PostingImports } from "./postings/import.js";
import { PostingStore, type PreviewPage, type StorePostings } from "./postings/store.js";
import { Tombstones } from "./postings/tombstones.js";

/** Imports of the operator, into the insights of all companies. */
export interface ImportAdministration {
  /** Throws AppError `not-found` for an insight that is not there. */
  mustExist(insightId: number): Promise<void>;
  /**
   * Stores at most 500 postings, which workers then analyze. Throws AppError `not-found`, and `invalid` for an insight
   * that does not run or for wrong postings, each named by its index; nothing is stored then.
   */
  importPostings(insightId: number, postings: readonly Posting[], match: boolean): Promise<ImportOutcome>;
}

/** Opens the imports on a store that servers may be using. */
export async function openImports({ store }: { store: Store }): Promise<ImportAdministration> {
  const now = () => Date.now();
  const collections = await openCollections(store);
  const tombstones = new Tombstones(collections);
  const postingStore = new PostingStore({ store, collections, tombstones, metrics: NO_MEASUREMENTS, now });
  const storePostings: StorePostings = (request) => postingStore.storePage(request);
  const previewPage: PreviewPage = (request) => postingStore.previewPage(request);
  const imports = new PostingImports({ store, collections, storePostings, previewPage, socialIdIn, now });
  return {
    async mustExist(insightId) {
      const insight = await collections.insights.get(insightId);
      if (insight === undefined || insight.status === "deleted") throw insightNotFound();
    },
    async importPostings(insightId, postings, match) {
      const insight = await collections.insights.get(insightId);
      if (insight === undefined) throw insightNotFound();
      return imports.import(messages({ id: BigInt(insightId), match }, postings), insight.companyId);
    },
  };
}

async function* messages(
  header: { id: bigint; match: boolean },
  postings: readonly Posting[],
): AsyncGenerator<ImportPostingsRequest> {
  const parts: MessageInitShape<typeof ImportPostingsRequestSchema>[] = [
    { part: { case: "header", value: header } },
    { part: { case: "slice", value: { postings: [...postings] } }, last: true },
  ];
  for (const part of parts) yield await Promise.resolve(create(ImportPostingsRequestSchema, part));
}
