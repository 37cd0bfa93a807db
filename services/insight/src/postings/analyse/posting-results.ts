import type { InsightRecord, OwnNotes, PostingRecord, PostingWork } from "../../store/records.js";

/** A posting to analyse. */
export interface Subject {
  work: PostingWork;
  posting: PostingRecord;
  insight: InsightRecord;
}

/** What was found out about a posting. */
export interface PostingResults {
  sentiment: string | null;
  intention: string | null;
  topics: string[];
  labels: string[];
  moreInfo: OwnNotes;
  /** Why analyses failed, by their names or the URLs of their media. */
  errors: Record<string, string>;
  /** Why media, or a part of their results, are missing, by their URLs. Another attempt is of no use. */
  unusable: Record<string, string>;
}

/** The results of a posting of which nothing is asked. */
export function noResults(): PostingResults {
  return { sentiment: null, intention: null, topics: [], labels: [], moreInfo: {}, errors: {}, unusable: {} };
}
