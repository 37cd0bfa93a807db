import type { Store } from "@hourglass/runtime";
import { MINUTE_MS } from "../summary/periods.js";
import type { Collections } from "../records/collections.js";

/**
 * Names the state of all that an answer is made of: answers of one revision to the same request of a company are the same,
 * whatever is written for other companies meanwhile. Empty where the store cannot tell.
 */
export class Revisions {
  constructor(private readonly deps: { store: Store; collections: Collections; now: () => number }) {}

  /** Of pages of postings. */
  ofPage(companyId: number): string {
    const { insights, postings } = this.deps.collections;
    return this.of([insights, postings], companyId);
  }

  /**
   * Of summaries, which tell until which minute an insight was collected. Buckets only hold what was counted of postings:
   * counting them in the background changes no summary.
   */
  ofSummary(companyId: number): string {
    const { insights, postings, searches } = this.deps.collections;
    const revision = this.of([insights, postings, searches], companyId);
    return revision === "" ? "" : `${revision}.${Math.floor(this.deps.now() / MINUTE_MS)}`;
  }

  private of(collections: readonly object[], companyId: number): string {
    const version = this.deps.store.versionOf(collections, companyId);
    return version === undefined ? "" : `${version}.${companyId}`;
  }
}
