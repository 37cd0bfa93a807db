import type { StoredColumn } from "../store/records.js";
import { LIST_KINDS, type ListKind, PROPERTIES } from "../store/records.js";
import type { CountedValues, Lists } from "../summary/tally.js";
import { countHits } from "./columns.js";
import type { SegmentHits } from "./hits.js";
import { ENGAGEMENT, NAME_SEPARATOR } from "./segment.js";

/** What summaries count of the hits, besides their lists. */
export function countedValues({ segment, mask, count }: SegmentHits<"properties" | "counts">): CountedValues {
  const { properties, counts } = segment.columns;
  const pairsOf = (column: StoredColumn) => {
    const pairs: (readonly [string, number])[] = [];
    countHits(mask, column, (value, hits) => pairs.push([value, hits]));
    return pairs;
  };
  return {
    postings: count,
    platforms: pairsOf(properties.platform),
    properties: PROPERTIES.flatMap((property) =>
      pairsOf(properties[property]).map(([value, hits]) => [property, value, hits] as const),
    ),
    engagement: Object.entries(counts)
      .filter(([name]) => name !== ENGAGEMENT)
      .map(([name, stated]) => [name, ...sumOf(stated, mask)] as const)
      .filter(([, , stating]) => stating > 0),
  };
}

/** The sum of the counts of the hits, and how many state one. */
function sumOf(stated: readonly (number | string | null)[], mask: Uint8Array): readonly [sum: bigint, stating: number] {
  let sum = 0n;
  // Numbers are added as such as long as their sum is exact.
  let small = 0;
  let stating = 0;
  for (let index = mask.indexOf(1); index >= 0; index = mask.indexOf(1, index + 1)) {
    const count = stated[index] ?? null;
    if (count === null) continue;
    stating += 1;
    if (typeof count === "number" && Number.isSafeInteger(small + count)) small += count;
    else sum += BigInt(count);
  }
  return [sum + BigInt(small), stating];
}

/** Adds the lists of the hits. */
export function addHits(lists: Lists, { segment, mask }: SegmentHits<ListKind>): void {
  for (const kind of LIST_KINDS) {
    const list = lists[kind];
    const plain = kind === "authors" ? withoutNames : (value: string) => value;
    countHits(mask, segment.columns[kind], (value, count) => {
      list.add(plain(value), count);
    });
  }
}

/** The key of an author, by which summaries count. */
function withoutNames(value: string): string {
  const end = value.indexOf(NAME_SEPARATOR);
  return end < 0 ? value : value.slice(0, end);
}
