import { membershipsOf } from "../records/groups.js";

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

  /** Takes the text of the next content; indexes ascend. */
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
