import { closestMatch } from "leven";

/** More is no slip of the hand. */
const NAME_LENGTH_MAX = 64;

/** Says which values are possible, and which one was probably meant by `given`. */
export function giveOneOf(values: readonly string[], given?: unknown): string {
  const all = `Give one of these: ${values.join(", ")}.`;
  const meant = typeof given === "string" ? nearest(given, values) : undefined;
  return meant === undefined ? all : `Did you mean ${meant}? ${all}`;
}

/** Says how many are allowed at most: "Give at most 1,000 items." */
export function giveAtMost(max: number | bigint, unit: string): string {
  return `Give at most ${counted(max, unit)}.`;
}

/** Says how many are needed at least. */
export function giveAtLeast(min: number | bigint, unit: string): string {
  return `Give at least ${counted(min, unit)}.`;
}

/** A number with its unit, as people write it: "one byte", "1,048,576 bytes". */
export function counted(count: number | bigint, unit: string): string {
  return Number(count) === 1 ? `one ${unit}` : `${count.toLocaleString("en-US")} ${unit}s`;
}

/** The name that was probably meant by one that does not exist. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  if (given.length > NAME_LENGTH_MAX) return undefined;
  const plain = given
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "-");
  // One letter of a short name, three of a long one: more would suggest what has nothing to do with it.
  const maxDistance = Math.max(1, Math.min(3, Math.floor(plain.length / 4)));
  const plainNames = new Map(names.map((name) => [name.toLowerCase().replaceAll(/[\s_]+/g, "-"), name]));
  const found = closestMatch(plain, [...plainNames.keys()], { maxDistance });
  return found === undefined ? undefined : plainNames.get(found);
}
