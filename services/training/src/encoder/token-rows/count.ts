import type { TokenRow } from "./token-rows.js";
import { TAG_NAMES } from "./tags.js";

/** Reports the number of rows of each source, and how often each entity type is the only one that a token may begin. */
export function countRows(rows: readonly TokenRow[]): string[] {
  const sources = new Map<string, number>();
  const types = new Map<string, number>();
  for (const { split, source, entity, pos } of rows) {
    const name = `${split} ${source}${entity ? " entities" : ""}${pos ? " chunks" : ""}`;
    sources.set(name, (sources.get(name) ?? 0) + 1);
    const kind = source.split("-")[0] ?? source;
    for (const allowed of entity ?? []) {
      const tag =
        allowed.length > 1 ? (allowed.length > 10 ? "masked" : "several") : (TAG_NAMES[allowed[0] ?? 0] ?? "");
      if (tag.startsWith("I-") || tag === "O") continue;
      const key = `${split} ${kind} ${tag}`;
      types.set(key, (types.get(key) ?? 0) + 1);
    }
  }
  return [...lines(sources), ...lines(types)];
}

function lines(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([name, count]) => `${name}: ${count}`);
}
