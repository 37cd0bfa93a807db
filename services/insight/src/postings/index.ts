export { RECHECK_FAILPOINTS, type RecheckDeps, recheckChore, recheckJobs } from "../collector/recheck.js";
export type { Connector, LookUp, LookUpRequest } from "../platforms/connector.js";
export { type AnalysisDeps, analysisJobs } from "./analyze.js";
export { PostingErasures } from "./erase.js";
export { type ImportOutcome, PostingImports } from "./import.js";
export { PostingLists } from "./list.js";
export { postingIdOf } from "./merge.js";
export { fromPosting } from "./posting-message.js";
export {
  POSTING_FAILPOINTS,
  PostingStore,
  type StoreOutcome,
  type PreviewPage,
  type StorePostings,
  type StoreRequest,
} from "./store.js";
export { PostingStreams } from "./stream.js";
export { type SweepDeps, sweepJobs } from "./sweep.js";
export { Tombstones } from "./tombstones.js";
export { type PostingDraft, searchedTextsOf } from "../platforms/posting-draft.js";
export { type Collections, openCollections } from "../store/collections.js";
export { type InsightRecord, newInsight } from "../store/records.js";
