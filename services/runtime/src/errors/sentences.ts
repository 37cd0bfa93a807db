import { closestMatch } from "leven";

/** A longer text is not a typo of a name. */
const NAME_LENGTH_MAX = 64;

/** Lists the allowed values, and suggests the one that `given` probably meant. */
export function giveOneOf(values: readonly string[], given?: unknown): string {
  const all = `Give one of these: ${values.join(", ")}.`;
  const meant = typeof given === "string" ? nearest(given, values) : undefined;
  return meant === undefined ? all : `Did you mean ${meant}? ${all}`;
}

/** States a maximum: "Give at most 1,000 items." */
export function giveAtMost(max: number | bigint, unit: string): string {
  return `Give at most ${counted(max, unit)}.`;
}

/** States a minimum. */
export function giveAtLeast(min: number | bigint, unit: string): string {
  return `Give at least ${counted(min, unit)}.`;
}

/** A number with its unit, as people write it: "one byte", "1,048,576 bytes". */
export function counted(count: number | bigint, unit: string): string {
  return Number(count) === 1 ? `one ${unit}` : `${inThousands(count)} ${unit}s`;
}

/** Without Intl, whose tables take long to load: many sentences are made at start. */
function inThousands(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * The existing name that an unknown name probably meant. It differs in at most so many letters, where two neighbors in the
 * other order count as one; by default in one for a short name, and in up to three for a long one.
 */
export function nearest(given: string, names: readonly string[], lettersMax?: number): string | undefined {
  if (given.length > NAME_LENGTH_MAX) return undefined;
  const plain = given
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "-");
  // More would suggest unrelated names.
  const maxDistance = lettersMax ?? Math.max(1, Math.min(3, Math.floor(plain.length / 4)));
  const plainNames = new Map(names.map((name) => [name.toLowerCase().replaceAll(/[\s_]+/g, "-"), name]));
  const all = [...plainNames.keys()];
  const orders = swapped(plain);
  const found =
    orders.find((text) => plainNames.has(text)) ??
    closestMatch(plain, all, { maxDistance }) ??
    (maxDistance === 1 ? undefined : closestOfAny(orders, all, maxDistance - 1));
  return found === undefined ? undefined : plainNames.get(found);
}

function closestOfAny(texts: readonly string[], names: string[], maxDistance: number): string | undefined {
  for (const text of texts) {
    const found = closestMatch(text, names, { maxDistance });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text with two neighboring letters in the other order, for every such pair: the typo that counts as two differences. */
function swapped(text: string): string[] {
  return Array.from(
    { length: Math.max(0, text.length - 1) },
    (_, at) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
  );
}
