import type { Connector, PlatformSearch } from "../../connector.js";

/** Where news come from. The name is the key of a source's state in positions. */
export type SourceName = "feeds" | "gdelt" | "newsapi";

/** One of several sources of the platform: it reads and fails for itself. */
export interface NewsSource {
  readonly name: SourceName;
  readonly connector: Connector;
  /** Whether a search has anything to read there. */
  isReadBy(search: PlatformSearch): boolean;
}
