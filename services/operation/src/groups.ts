import type { OperationRecord } from "./store.js";

/** The indexes listed by an entry of contents_groups: `"0, 2,5"` → `[0, 2, 5]`. Anything else becomes NaN. */
export function parseGroup(entry: string): number[] {
  if (entry.trim() === "") return [];
  return entry.split(",").map((index) => (/^ *\d+ *$/.test(index) ? Number(index) : Number.NaN));
}

/** The groups for which personality-mb is analyzed, each as the indexes of its contents in ascending order. */
export function groupsToAnalyze(record: OperationRecord): number[][] {
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

/**
 * UTF-16 code units that are read of a group. More would not tell more about a person, and would delay every other
 * operation.
 */
const GROUP_CHARACTERS_MAX = 500_000;
/** Approximate size of a batch for the analysis, in UTF-16 code units. */
const BATCH_CHARACTERS_MAX = 1_000_000;

/** Collects the texts of groups while the contents are read in order, so that they need not be read twice. */
export class GroupTexts {
  private readonly memberships: readonly (readonly number[])[];
  private readonly collected: { texts: string[]; characters: number }[];

  constructor(groups: readonly (readonly number[])[], contentsCount: number) {
    this.memberships = membershipsOf(groups, contentsCount);
    this.collected = groups.map(() => ({ texts: [], characters: 0 }));
  }

  isMember(index: number): boolean {
    return (this.memberships[index]?.length ?? 0) > 0;
  }

  /** Adds the text of the next content; indexes ascend. */
  add(index: number, text: string): void {
    for (const group of this.memberships[index] ?? []) {
      const collected = this.collected[group];
      if (collected === undefined || collected.characters >= GROUP_CHARACTERS_MAX) continue;
      collected.texts.push(text);
      collected.characters += text.length;
    }
  }

  /** The joined texts of all groups in order, in batches. */
  *batches(): Iterable<string[]> {
    let batch: string[] = [];
    let characters = 0;
    for (const collected of this.collected) {
      batch.push(collected.texts.join("\n"));
      characters += collected.characters;
      if (characters < BATCH_CHARACTERS_MAX) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) yield batch;
  }
}
