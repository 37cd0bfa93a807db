import type { Store } from "@hourglass/runtime";
import { MINUTE_MS } from "../marks/periods.js";
import type { Collections } from "../records/collections.js";

/**
 * Names the state of all that an answer is made of: answers of one revision to the same request of a company are the same.
 * Empty where the store cannot tell.
 */
export class Revisions {
  constructor(private readonly deps: { store: Store; collections: Collections; now: () => number }) {}

  /** Of pages of postings. */
  ofPage(companyId: number): string {
    const { insights, postings } = this.deps.collections;
    return this.of([insights, postings], companyId);
  }

  /** Of summaries, which tell until which minute an insight was collected. */
  ofSummary(companyId: number): string {
    const { insights, postings, searches, summaryMarks, summaryBuckets, summaryPieces } = this.deps.collections;
    const minute = Math.floor(this.deps.now() / MINUTE_MS);
    const read = [insights, postings, searches, summaryMarks, summaryBuckets, summaryPieces];
    return this.of(read, `${companyId}.${minute}`);
  }

  private of(collections: readonly object[], of: string | number): string {
    const version = this.deps.store.versionOf(collections);
    return version === undefined ? "" : `${version}.${of}`;
  }
}
