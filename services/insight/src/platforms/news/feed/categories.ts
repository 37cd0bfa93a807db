/** The domain, or scheme, of a category by which sources of invented postings mark each entry. */
const DEMO_DOMAIN = "urn:hourglass:demo";

/** Divides the categories of an entry into names of subjects and the mark of invented entries. */
export function readCategories<T>(
  categories: readonly T[],
  read: (category: T) => readonly [domain: string | undefined, name: string | undefined],
): { names: readonly (string | undefined)[]; isDemo: boolean } {
  const all = categories.map(read);
  const names = all.filter(([domain]) => domain !== DEMO_DOMAIN).map(([, name]) => name);
  return { names, isDemo: names.length < all.length };
}
