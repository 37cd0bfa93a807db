import type { DeclaredCollection, Store } from "@hourglass/runtime";
import type { FollowedSources } from "./followed-sources.js";
import type { Query } from "../../query/language/expression.js";

/** What an insight asks of a platform. */
export interface Asked {
  readonly query: Query;
  readonly follow: FollowedSources;
}

/** What searches of several companies share on a platform, such as a feed that is read once for all of them. */
export interface SharedUse {
  /** As the interface spells it. */
  readonly platform: string;
  readonly collections: readonly DeclaredCollection[];
  /** Names of what a search uses. */
  namesOf(asked: Asked): readonly string[];
  /** Erases what has these names, which no search uses any more; returns the number of documents by collection. */
  forget(store: Store, names: readonly string[]): Promise<Readonly<Record<string, number>>>;
}
