export { type AnalysisDeps, startAnalysis } from "./analyse/start-analysis.js";
export { createErasePostings, type ErasePostings } from "./erasing/erase-postings.js";
export {
  createEndErasures,
  createListErasures,
  type EndErasures,
  type ListErasures,
} from "./erasing/pending-erasures.js";
export { POSTING_FAILPOINTS } from "./failpoints.js";
export { createImportPostings, type ImportOutcome, type ImportPostings } from "./importing/import-postings.js";
export { type CountPostings, createCountPostings } from "./listing/count-postings.js";
export { createListPostings, type ListPostings } from "./listing/list-postings.js";
export { createLookUp, type LookUpInsights } from "./listing/look-up-insights.js";
export { createStreamPostings, type StreamPostings } from "./listing/stream-postings.js";
export { fromPosting } from "./messages/from-message.js";
export { searchedTextsOf } from "../platforms/posting-draft.js";
export {
  createStorePostings,
  type StoreOutcome,
  type StorePostings,
  type StoreRequest,
} from "./storing/store-postings.js";
export type { RetentionDays } from "./sweeping/remove-expired.js";
export { startSweeper, type SweeperDeps } from "./sweeping/start-sweeper.js";
export { Tombstones } from "./erasing/tombstones.js";
export type { PostingDraft } from "../platforms/posting-draft.js";
export { postingIdOf } from "./storing/identity.js";
export { type Collections, openCollections } from "../store/collections.js";
export { type InsightRecord, newInsight } from "../store/records.js";
