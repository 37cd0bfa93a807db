/** The contents, from 0, of a group as the interface writes it: indexes separated by commas. Without groups, all are one. */
export function membersOf(groups: readonly string[] | null, groupIndex: number | null, count: number): number[] {
  const group = groups === null || groupIndex === null ? undefined : groups[groupIndex];
  if (group === undefined) return Array.from({ length: count }, (_, index) => index);
  return group
    .split(",")
    .map(Number)
    .filter((index) => Number.isInteger(index) && index >= 0 && index < count);
}
