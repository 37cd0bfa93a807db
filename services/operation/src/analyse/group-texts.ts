import { membershipsOf } from "../records/groups.js";

/** Of a group, so many UTF-16 code units are read. More tell no more about a person, and cost every other operation. */
const GROUP_CHARACTERS_MAX = 500_000;
/** A batch for the analysis holds about so many. */
const BATCH_CHARACTERS_MAX = 1_000_000;

/** Collects the texts of groups while the contents pass by in order, so that they need not be read twice. */
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

  /** The joined texts of all groups in order, some at a time. */
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
