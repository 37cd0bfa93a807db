import type { ServiceData, SharedData, Store } from "@hourglass/runtime";
import type { Asked, PlatformValues, SharedUse } from "../platforms/connector.js";
import { MODULES } from "../platforms/registry.js";
import { parseKeywords } from "../query/parser.js";
import { INSIGHTS, SHARED_COLLECTIONS, VERSIONS } from "./collections.js";
import type { FormerVersion } from "./records.js";

/** All that this service keeps. `platforms` are the values of the variables of all platforms. */
export function insightData(platforms: PlatformValues): ServiceData {
  const uses = MODULES.flatMap((module) => module.shared?.(platforms) ?? []);
  const collections = [...SHARED_COLLECTIONS, ...uses.flatMap((use) => use.collections)];
  return { collections, shared: sharedData(uses) };
}

/** Names are those of the platforms, after the platform and a space. */
function sharedData(uses: readonly SharedUse[]): SharedData {
  return {
    namesOf: async (store, companyId) => {
      const insights = await store.collection(INSIGHTS);
      const names = new Set<string>();
      for await (const { query } of insights.stream({ companyId })) addNames(names, uses, query);
      const versions = await store.collection(VERSIONS);
      for await (const { query } of versions.stream({ companyId })) addNames(names, uses, query);
      return [...names];
    },
    forget: async (store, names) => {
      const insights = await store.collection(INSIGHTS);
      const used = new Set<string>();
      for await (const { query } of insights.stream({ status: { ne: "deleted" } })) addNames(used, uses, query);
      const unused = names.filter((name) => !used.has(name));
      const forgotten: Record<string, number> = {};
      for (const use of uses) Object.assign(forgotten, await forgetOf(store, use, unused));
      return forgotten;
    },
  };
}

function addNames(names: Set<string>, uses: readonly SharedUse[], query: FormerVersion["query"]): void {
  const asked: Asked = { query: parseKeywords(query.keywords), follow: query.follow };
  for (const use of uses) {
    if (!query.platforms.includes(use.platform)) continue;
    for (const name of use.namesOf(asked)) names.add(`${use.platform} ${name}`);
  }
}

async function forgetOf(
  store: Store,
  use: SharedUse,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const prefix = `${use.platform} `;
  const own = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return own.length === 0 ? {} : use.forget(store, own);
}
