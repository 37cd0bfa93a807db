/** For an operation, and for each of its contents, in milliseconds: a URL alone may take 30 s. */
const BASE_MS = 30_000;
const PER_CONTENT_MS = 20_000;

/**
 * The time that the sites named in one operation may take altogether. It grows with the contents, and what the server takes,
 * or lets a file wait, does not count.
 */
export class SiteTime {
  private leftMs: number;

  /** For an operation with so many contents. */
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
