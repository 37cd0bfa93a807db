/** Base time of an operation, and the same for each of its contents, in milliseconds: a single URL may take 30 s. */
const BASE_MS = 30_000;
const PER_CONTENT_MS = 20_000;

/**
 * The total time for the sites of one operation. It grows with the number of contents; the server's own work and
 * waiting times do not count.
 */
export class SiteTime {
  private leftMs: number;

  /** For an operation with the given number of contents. */
  constructor(contents: number) {
    this.leftMs = BASE_MS + PER_CONTENT_MS * contents;
  }

  get isOver(): boolean {
    return this.leftMs <= 0;
  }

  spend(ms: number): void {
    this.leftMs -= ms;
  }
}
