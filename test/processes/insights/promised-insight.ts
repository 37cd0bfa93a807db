import type { Bird, Press } from "./press.js";

/** What the owner of an insight asked for. */
export interface Wanted {
  birds: readonly Bird[];
  /** Paths of the feeds that it follows. */
  feeds: readonly string[];
  preview?: boolean;
}

/** An insight, and what its owner knows of it. */
export class PromisedInsight {
  id = 0;
  /** Social ids of acknowledged imports, with their texts. */
  readonly imported = new Map<string, string>();
  isDeleted = false;
  /** Whether one of the clients is pausing it, so that no other one may. */
  isBusy = false;
  constructor(
    readonly key: string,
    readonly wanted: Wanted,
    private readonly press: Pick<Press, "found">,
    /** Number of items that were stored for other insights before it was created, and that it finds, too. */
    readonly knownAtCreation = 0,
  ) {}

  /** What it must hold: social id to text. */
  get expected(): Map<string, string> {
    const { birds, feeds } = this.wanted;
    return new Map([...this.press.found(birds, feeds), ...this.imported]);
  }

  /** Keywords that find it; others for each number, and those of its creation for 0. */
  keywords(number: number): string {
    const { birds } = this.wanted;
    const parts = number === 0 ? birds : [...birds, `none${number}`];
    return parts.join(" OR ");
  }

  /** The body of the request. */
  body(urlOf: (feed: string) => string): string {
    const { feeds, preview = false } = this.wanted;
    const query = {
      keywords: this.keywords(0),
      platforms: ["news", "twitter"],
      dimensions: ["textual"],
      sneak_peek: preview,
      follow: { feeds: feeds.map(urlOf) },
    };
    return JSON.stringify({ query });
  }
}
