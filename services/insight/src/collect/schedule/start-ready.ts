import type { Collection } from "@hourglass/runtime";
import type { Readiness } from "../../platforms/connector.js";
import type { PlatformName, SearchRecord, SearchStatus } from "../../store/records.js";

/** Searches in these states wait for another configuration. */
const WAITS_FOR_CONFIGURATION: readonly SearchStatus[] = ["not_configured", "importing", "auth_failed"];

export interface StartReadyDeps {
  searches: Collection<SearchRecord>;
  platforms: ReadonlyMap<PlatformName, Readiness>;
  now: () => number;
}

/**
 * Makes searches due that waited for a configuration that this server has now. It reads no other searches. Those of
 * paused insights are made due, too; their turn ends at once.
 */
export async function startReady({ searches, platforms, now }: StartReadyDeps): Promise<void> {
  for (const [platform, readiness] of platforms) {
    if ("missing" in readiness) continue;
    for (const status of WAITS_FOR_CONFIGURATION) {
      await searches.updateMany({ platform, status }, { set: { dueAt: now() } });
    }
  }
}
