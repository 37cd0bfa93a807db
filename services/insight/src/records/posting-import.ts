/**
 * An import under an idempotency key. It moves ahead with each page that is stored, so that a repetition of the request
 * continues where a crash ended it, and counts everything once. Times are milliseconds since the epoch.
 */
export interface PostingImport {
  id: number;
  companyId: number;
  insightId: number;
  createdAt: number;
  /** Company and key, unique; null once the key may be reused. */
  idempotency: string | null;
  requestHash: string;
  /** Pages stored so far. */
  pages: number;
  accepted: number;
  /** Those known before, without the repeats within the request. */
  known: number;
  erased: number;
  /** When the sweeper removes it. */
  dueAt: number;
}
