import { signal } from "@preact/signals";
import type { ContentResult, ContentsPage } from "../../data/analyses.js";

/** Reads the results of an analysis page by page, as far as they are wanted: a page leads to the next one. */
export class ContentsReader {
  /** What has been read, in the order of the contents. */
  readonly results = signal<readonly ContentResult[]>([]);
  readonly error = signal<unknown>(undefined);
  private cursor: string | null | undefined;
  private wanted = 0;
  private reading: Promise<void> | undefined;
  /** Whether its reader no longer wanted to wait. */
  readonly isCanceled = signal(false);
  /** Of what is being read. */
  private attempt = new AbortController();

  constructor(private readonly readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<ContentsPage>) {}

  get isComplete(): boolean {
    return this.cursor === null;
  }

  /** Reads until so many contents are there, or all. Failures are in `error`; another call tries again. */
  async read(count: number): Promise<void> {
    this.wanted = Math.max(this.wanted, count);
    this.error.value = undefined;
    this.isCanceled.value = false;
    this.reading ??= this.readOn().finally(() => (this.reading = undefined));
    await this.reading;
  }

  /** Ends what is being read. */
  end(): void {
    this.attempt.abort();
  }

  /** The same, for a reader who may want it later. */
  cancel(): void {
    this.end();
    this.attempt = new AbortController();
    this.isCanceled.value = true;
  }

  private async readOn(): Promise<void> {
    const { signal: ended } = this.attempt;
    try {
      while (this.cursor !== null && this.results.value.length < this.wanted) {
        const page = await this.readPage(this.cursor, ended);
        ended.throwIfAborted();
        this.results.value = [...this.results.value, ...page.contents];
        this.cursor = page.next;
      }
    } catch (error) {
      if (!ended.aborted) this.error.value = error;
    }
  }
}
