import { ParamsRefused } from "./problem.js";

const FIRST_ID = 7_201_388_525_814_961_000n;

/** One search over its pages. */
export interface OpenSearch {
  readonly id: string;
  readonly key: string;
  /** Tokens of the timeline by the cursor that stands for them. */
  readonly tokens: Map<number, string>;
}

/** The searches that the fake remembers. TikTok's cursors are numbers of items. */
export class Searches {
  private readonly open = new Map<string, OpenSearch>();
  private added = 0n;

  /** The search of a page. Throws ParamsRefused for one that has expired, or was for another query. */
  of(id: string | undefined, key: string): OpenSearch {
    if (id !== undefined) {
      const known = this.open.get(id);
      if (known?.key === key) return known;
      throw new ParamsRefused(`Search Id ${id} is invalid or expired`);
    }
    this.added += 1n;
    const search: OpenSearch = { id: String(FIRST_ID + this.added), key, tokens: new Map() };
    this.open.set(search.id, search);
    return search;
  }

  /** Forgets all. */
  expire(): void {
    this.open.clear();
  }
}

/** The cursor for a token: the same for the same token. */
export function cursorOf({ tokens }: OpenSearch, token: string, next: number): number {
  const known = [...tokens].find(([, each]) => each === token)?.[0];
  if (known !== undefined) return known;
  tokens.set(next, token);
  return next;
}
