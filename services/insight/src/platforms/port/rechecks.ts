import type { PostingDraft } from "./posting-draft.js";

/** A question for stored postings by their ids on the platform. */
export interface LookUpRequest {
  /** At least one and at most `idsMax`, without repeats. Imports may have brought in ids that the platform never had. */
  readonly ids: readonly string[];
  /** What is stored of them, by id: of copies in several searches one. Platforms ask in different ways for different types. */
  readonly stored: ReadonlyMap<string, PostingDraft>;
  /** Aborts when the claim is lost, the answer takes too long or the process stops. */
  readonly signal: AbortSignal;
}

/** A posting as a look-up found it. */
export interface FoundDraft extends PostingDraft {
  /**
   * The text in searches for what is spoken (`PlatformSearch.audial`), which a look-up does not know. Absent: the text is
   * the same in all searches.
   */
  readonly audialText?: string;
}

/** What a platform says about postings now. An id that is neither found nor gone is asked for again later. */
export interface LookUp {
  /**
   * As the platform states them now, with the ids that were asked for: text, media, place and author that are absent are no
   * longer there, other fields are not stated.
   */
  readonly found: readonly FoundDraft[];
  /** Ids that the platform no longer shows to everybody: what is stored of them has to go. */
  readonly gone: readonly string[];
  /** Earliest permitted time of the next request, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/** How stored postings are compared with their platform, so that what is gone or changed there is so here. */
export interface Rechecks {
  /** Greatest number of ids of one request. */
  readonly idsMax: number;
  /**
   * The longest time for which a posting of that age may be stored without having been seen on the platform, in
   * milliseconds: the term of the platform's rules. The posting is looked up in the last quarter of it.
   */
  termMs(ageMs: number): number;
  /**
   * Whether an id may be asked for with others, for platforms that take ids of one span of time only. Ids come in the order
   * of their texts; the first one that may not begins the next question. Default: any may.
   */
  canJoin?(id: string, others: readonly string[]): boolean;
  /** Spends budgets and throws as `fetchPage`. Must not keep state of postings in memory. */
  lookUp(request: LookUpRequest): Promise<LookUp>;
}
