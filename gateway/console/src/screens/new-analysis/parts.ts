/** The parts of so many contents, each of as many as one analysis takes: the first and the last one of each, from 1. */
export function partsOf(count: number, most: number): readonly (readonly [first: number, last: number])[] {
  return Array.from({ length: Math.ceil(count / most) }, (_, part) => [
    part * most + 1,
    Math.min(count, (part + 1) * most),
  ]);
}

/** What a part holds; everything where it all fits, or while no part is chosen. */
export function partOf<T>(all: readonly T[], part: number | undefined, most: number): T[] {
  if (part === undefined || all.length <= most) return [...all];
  const [first, last] = partsOf(all.length, most)[part] ?? [1, most];
  return all.slice(first - 1, last);
}
