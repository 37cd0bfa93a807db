import type { PlatformName } from "./insight.js";

/**
 * The comparison of a company's stored postings with their platform, in rounds over all of them. A claim moves `dueAt`
 * ahead by a lease, see due-records of the runtime. Times are milliseconds since the epoch.
 */
export interface RecheckRecord {
  /** Company and platform, see `recheckId`. */
  id: string;
  companyId: number;
  platform: PlatformName;
  dueAt: number;
  /** Null between two rounds. */
  round: RecheckRound | null;
  /** Beginning of the latest round that reached all postings that were due. */
  doneAt: number;
  /** The shortest term of the platform, as it was stated last, in milliseconds. */
  termMs: number;
  /** Questions that failed in sequence. */
  failures: number;
  /** Why the last question failed, as a sentence that says what to do; null after an answer. */
  lastError: string | null;
}

/** A round that is under way. It survives restarts. */
export interface RecheckRound {
  startedAt: number;
  /** The posting behind which it goes on; null: at the first one. */
  after: { socialId: string; id: string } | null;
  /** False: the platform refused to be asked for some of the postings. */
  isWhole: boolean;
  /** Ids asked for, and postings erased. */
  asked: number;
  erased: number;
}

/** Id of the record for one company and platform. */
export function recheckId(companyId: number, platform: PlatformName): string {
  return `${companyId}:${platform}`;
}
