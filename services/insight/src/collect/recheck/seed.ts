import type { Connector, Readiness } from "../../platforms/connector.js";
import type { Collections } from "../../store/collections.js";
import { type PlatformName, recheckId, type RecheckRecord } from "../../store/records.js";

export interface SeedDeps {
  collections: Pick<Collections, "insights" | "rechecks">;
  platforms: ReadonlyMap<PlatformName, Readiness>;
  now: () => number;
}

/** Records inserted with one write. */
const AT_ONCE = 200;

/** Has the stored postings of all companies rechecked on all platforms that can be asked for them. */
export async function seedRechecks({ collections, platforms, now }: SeedDeps): Promise<void> {
  const terms = termsOf(platforms);
  if (terms.size === 0) return;
  const records = new Map<string, RecheckRecord>();
  for await (const { companyId, query } of collections.insights.stream({ status: { ne: "deleted" } })) {
    for (const platform of query.platforms) {
      const termMs = terms.get(platform);
      const id = recheckId(companyId, platform);
      if (termMs === undefined || records.has(id)) continue;
      records.set(id, newRecheck({ companyId, platform, termMs }, now()));
    }
  }
  const all = [...records.values()];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    await collections.rechecks.insertNew(all.slice(start, start + AT_ONCE));
  }
}

function termsOf(platforms: SeedDeps["platforms"]): Map<PlatformName, number> {
  const ready = [...platforms].flatMap(([platform, readiness]): [PlatformName, Connector][] =>
    "connector" in readiness ? [[platform, readiness.connector]] : [],
  );
  return new Map(
    ready.flatMap(([platform, { rechecks }]) => (rechecks ? [[platform, rechecks.termMs(0)] as const] : [])),
  );
}

function newRecheck(
  { companyId, platform, termMs }: Pick<RecheckRecord, "companyId" | "platform" | "termMs">,
  now: number,
): RecheckRecord {
  const id = recheckId(companyId, platform);
  return {
    id,
    companyId,
    platform,
    termMs,
    dueAt: now,
    round: null,
    doneAt: now,
    failures: 0,
    lastError: null,
  };
}
