const MARK = "\u0000bigint:";
const MARKED = /"\\u0000bigint:(-?\d+)"/g;

/** A value as JSON. A bigint becomes a number with all its digits, as platforms with ids of 64 bits send them. */
export function toJson(value: unknown): string {
  const mark = (_key: string, each: unknown): unknown => (typeof each === "bigint" ? `${MARK}${each}` : each);
  return JSON.stringify(value, mark).replaceAll(MARKED, "$1");
}
