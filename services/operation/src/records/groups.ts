import type { OperationRecord } from "./operation.js";

/** The indexes listed by an entry of contents_groups: `"0, 2,5"` → `[0, 2, 5]`. Anything else becomes NaN. */
export function parseGroup(entry: string): number[] {
  if (entry.trim() === "") return [];
  return entry.split(",").map((index) => (/^ *\d+ *$/.test(index) ? Number(index) : Number.NaN));
}

/** The groups for which personality-mb is analysed, each as the indexes of its contents in ascending order. */
export function groupsToAnalyse(record: OperationRecord): number[][] {
  if (!record.analyses.includes("personality-mb")) return [];
  if (record.groups === null) return [Array.from({ length: record.contentsCount }, (_, index) => index)];
  return record.groups.map((entry) => parseGroup(entry).sort((a, b) => a - b));
}

/** For every content, the groups it is in, in order. */
export function membershipsOf(groups: readonly (readonly number[])[], contentsCount: number): number[][] {
  const memberships = Array.from({ length: contentsCount }, (): number[] => []);
  groups.forEach((members, group) => {
    for (const member of members) memberships[member]?.push(group);
  });
  return memberships;
}
