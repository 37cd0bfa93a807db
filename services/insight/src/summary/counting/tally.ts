import type { Count } from "../../platforms/posting-draft.js";
import type { PlatformName } from "../../records/insight.js";
import type { PostingRecord } from "../../records/posting.js";
import { LIST_KINDS, type ListKind, PROPERTIES, type Property, type SummaryPart } from "../../records/summary.js";
import { listedOf, propertiesOf } from "./posting-values.js";
import { Sum } from "./sum.js";
import { ValueCounts } from "./value-counts.js";

/** Values of a property that a bucket keeps; imports may state any. */
const PROPERTY_VALUES_MAX = 2_000;

/** The counts of postings without their lists: what a step of a series shows. */
export class Counts {
  postings = 0;
  readonly platforms = new Map<PlatformName, number>();
  readonly properties = forEach(PROPERTIES, () => new ValueCounts(PROPERTY_VALUES_MAX));
  readonly engagement = new Map<string, { sum: Sum; postings: number }>();

  add(posting: PostingRecord): void {
    this.addPostings(posting.platform, 1);
    const values = propertiesOf(posting);
    for (const property of PROPERTIES) this.properties[property].add(values[property]);
    const stated: Readonly<Record<string, Count | undefined>> = posting.content.counts ?? {};
    for (const name of Object.keys(stated)) {
      const count = stated[name];
      if (count === undefined || (typeof count === "number" && !Number.isSafeInteger(count))) continue;
      const known = this.engagementOf(name);
      if (typeof count === "number") known.sum.add(count);
      else known.sum.addLarge(BigInt(count));
      known.postings += 1;
    }
  }

  /** Adds a stored part. */
  addPart({ platform, postings, properties, engagement }: SummaryPart): void {
    this.addPostings(platform, postings);
    for (const property of PROPERTIES) {
      for (const [value, count] of properties[property]) this.properties[property].add(value, count);
    }
    for (const [name, sum, stating] of engagement) {
      const known = this.engagementOf(name);
      known.sum.addLarge(BigInt(sum));
      known.postings += stating;
    }
  }

  /** Postings whose value of the property is left out. */
  otherOf(property: Property): number {
    let kept = 0;
    for (const [, count] of this.properties[property]) kept += count;
    return this.postings - kept;
  }

  private addPostings(platform: PlatformName, count: number): void {
    this.postings += count;
    this.platforms.set(platform, (this.platforms.get(platform) ?? 0) + count);
  }

  private engagementOf(name: string): { sum: Sum; postings: number } {
    const known = this.engagement.get(name);
    if (known !== undefined) return known;
    const fresh = { sum: new Sum(), postings: 0 };
    this.engagement.set(name, fresh);
    return fresh;
  }
}

/** The lists of values of postings. */
export type Lists = Record<ListKind, ValueCounts>;

export function newLists(limit?: number): Lists {
  return forEach(LIST_KINDS, () => new ValueCounts(limit));
}

export function addToLists(lists: Lists, posting: PostingRecord): void {
  const listed = listedOf(posting);
  for (const kind of LIST_KINDS) for (const value of listed[kind]) lists[kind].add(value);
}

/** The postings of one platform. */
export interface PlatformTally {
  counts: Counts;
  lists: Lists;
}

/** What is counted of the postings of a bucket, for each platform. */
export class Tally {
  readonly platforms = new Map<PlatformName, PlatformTally>();

  add(posting: PostingRecord): void {
    const { counts, lists } = this.of(posting.platform);
    counts.add(posting);
    addToLists(lists, posting);
  }

  of(platform: PlatformName): PlatformTally {
    const known = this.platforms.get(platform);
    if (known !== undefined) return known;
    const fresh = { counts: new Counts(), lists: newLists() };
    this.platforms.set(platform, fresh);
    return fresh;
  }
}

export function forEach<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}
