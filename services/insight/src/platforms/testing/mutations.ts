import fc from "fast-check";

/** A change of one value somewhere in a JSON document. */
interface Mutation {
  /** Picks the value. */
  readonly place: number;
  /** Undefined: the value is left out. */
  readonly value: unknown;
}

/** Changes of a document, such as a platform's next release or a fault of it brings them. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    place: fc.nat(),
    value: fc.oneof(
      fc.constant(undefined),
      fc.constantFrom<unknown>(null, "", 0, -1, 1e300, [], {}, "x".repeat(200), "\u0000", "2026-13-45", true),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

/** A copy of the document with these changes. */
export function mutated(document: unknown, changes: readonly Mutation[]): unknown {
  const root: { document?: unknown } = { document: structuredClone(document) };
  for (const { place, value } of changes) {
    const places = placesIn(root);
    const chosen = places[place % places.length];
    if (chosen === undefined) continue;
    const [owner, key] = chosen;
    if (value === undefined && !Array.isArray(owner)) Reflect.deleteProperty(owner, key);
    else Reflect.set(owner, key, value ?? null);
  }
  return root.document ?? null;
}

type Owner = Record<string, unknown> | unknown[];

function placesIn(owner: unknown): (readonly [Owner, string])[] {
  if (typeof owner !== "object" || owner === null) return [];
  const own = owner as Owner;
  return Object.entries(own).flatMap(([key, value]) => [[own, key] as const, ...placesIn(value)]);
}
